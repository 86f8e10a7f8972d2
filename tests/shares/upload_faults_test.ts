import assert from "node:assert/strict";
import { sentContent } from "../../src/shares/uploads/sent_content.ts";
import { withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { askForFiles, sendFile, uploadOf } from "./upload_request.ts";

const options = { config: { ratelimit: { share_per_minute: 0 } } };

upstreamTest(
  ["minio"],
  "a storage that is away loses no room of a link for files",
  async (upstream, context) => {
    const proxy = startFaultProxy(upstream);
    try {
      await withBucket(proxy, async (test) => {
        const sender = test.program.client();
        const neutral = async (answer: Response, expected: number) => {
          const text = await answer.text();
          assert.equal(answer.status, expected, text);
          assert.doesNotMatch(text, /minio|127\.0\.0\.1|test-bucket|away|bucket|upstream/i);
        };
        await context.step("while it refuses, nothing is counted", async () => {
          const link = await askForFiles(test, "away/", { max_uploads: 1 });
          for (const fault of ["refuse", "unavailable", "html"] as const) {
            proxy.set(fault);
            await neutral(await sendFile(sender, link, "a.txt", "x"), 502);
          }
          proxy.set("none");
          assert.deepEqual(await uploadOf(test, link), { count: 0, bytes: 0, state: "active" });
          assert.equal(await status(sendFile(sender, link, "a.txt", "x")), 201);
        });
        await context.step("a write of which nobody knows whether it was done counts", async () => {
          const link = await askForFiles(test, "lost/", { max_uploads: 2 });
          const rule = proxy.rule({
            matches: ({ method, key }) => method === "PUT" && key.startsWith("lost/"),
            fault: { kind: "lost_answer" },
          });
          await neutral(await sendFile(sender, link, "a.txt", "x"), 502);
          rule.remove();
          assert.equal((await uploadOf(test, link)).count, 1);
        });
      }, options);
    } finally {
      await proxy.stop();
    }
  },
);

upstreamTest(
  ["minio"],
  "files that are sent have a limit by address of their own",
  (upstream) =>
    withBucket(upstream, async (test) => {
      const sender = test.program.client();
      const link = await askForFiles(test, "many/", { max_uploads: 1000 });
      const answers: number[] = [];
      for (let index = 0; index < 31; index++) {
        answers.push(await status(sendFile(sender, link, `${index}.txt`, "x")));
      }
      assert.deepEqual(answers.filter((answer) => answer === 201).length, 30);
      const limited = await sendFile(sender, link, "more.txt", "x");
      assert.ok(Number(limited.headers.get("retry-after")) > 0);
      assert.equal(await refusal(limited), "429 rate_limited");
      assert.equal(await status(sender.get(`${link.path}/info`)), 200);
      assert.equal(await status(sendFile(test.program.client(), link, "other.txt", "x")), 201);
    }, { config: { ratelimit: { share_per_minute: 1 } } }),
);

Deno.test("a sender who is too slow for too long is given up, a slow storage is not the sender's", async () => {
  let now = 0;
  async function* drip(pauseMs: number) {
    for (let index = 0; index < 100; index++) {
      now += pauseMs;
      yield new Uint8Array(10);
    }
  }
  const take = async (content: AsyncIterable<Uint8Array>, pauseMs: number) => {
    let taken = 0;
    for await (const piece of sentContent(content, () => {})) {
      taken += piece.length;
      now += pauseMs;
    }
    return taken;
  };
  const original = performance.now;
  performance.now = () => now;
  try {
    assert.equal(await take(drip(100), 60_000), 1000);
    await assert.rejects(take(drip(10_000), 0), { status: 400 });
  } finally {
    performance.now = original;
  }
});
