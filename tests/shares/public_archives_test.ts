import assert from "node:assert/strict";
import { Places } from "../../src/shares/public/places.ts";
import { watchedBody } from "../../src/shares/public/watched_body.ts";
import { withBucket } from "../support/bucket.ts";
import { refusal, status } from "../support/http_client.ts";
import { eventually } from "../support/poll.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { accessRows, downloadCount, share } from "./public_share.ts";

upstreamTest(
  ["minio"],
  "one address does not take all places for archives, and gives them back",
  (upstream) =>
    withBucket(upstream, async (test) => {
      const { program } = test;
      // More than sockets and pipes hold, so that an archive that nobody reads stays under way.
      await test.upload("folder/large.bin", new Uint8Array(32 << 20));
      const link = await share(test, "folder/");
      const reader = program.client();
      const archives: Response[] = [];
      for (let index = 0; index < 4; index++) {
        const answer = await reader.get(`${link.path}/zip`);
        assert.equal(answer.status, 200);
        archives.push(answer);
      }
      const answer = await reader.get(`${link.path}/zip`);
      assert.ok(Number(answer.headers.get("retry-after")) > 0);
      assert.equal(await refusal(answer), "429 rate_limited");
      assert.equal((await accessRows(test, 1))[0].detail.result, "rate_limited");
      assert.equal(await downloadCount(test, link), 4);

      const other = await program.client().get(`${link.path}/zip`);
      assert.equal(other.status, 200, "another address has places of its own");
      await Promise.all([other, ...archives].map(({ body }) => body?.cancel()));
      await eventually(async () => assert.equal(await status(reader.get(`${link.path}/zip`)), 200));
    }, { config: { ratelimit: { share_per_minute: 0 } } }),
);

Deno.test("places are bounded for all clients together, and each is given back once", () => {
  const places = new Places({ total: 3, perClient: 2 });
  const first = places.take("a");
  assert.ok(first !== null && places.take("a") !== null);
  assert.equal(places.take("a"), null);
  assert.ok(places.take("b") !== null);
  assert.equal(places.take("c"), null);
  first();
  first();
  assert.ok(places.take("c") !== null);
  assert.equal(places.take("a"), null);
});

Deno.test("a body that ends, fails or is not wanted any more is over", async () => {
  const over: string[] = [];
  const body = (name: string, source: UnderlyingDefaultSource<Uint8Array>) =>
    watchedBody(new ReadableStream(source), () => over.push(name));
  const one = new Uint8Array([1]);

  const ended = body("ended", {
    pull(controller) {
      controller.enqueue(one);
      controller.close();
    },
  });
  assert.deepEqual(over, []);
  assert.deepEqual(await new Response(ended).bytes(), one);
  await assert.rejects(
    new Response(body("failed", { pull: () => Promise.reject(new Error("gone")) })).bytes(),
  );
  let reason: unknown;
  const unwanted = body("unwanted", {
    pull: (controller) => controller.enqueue(one),
    cancel: (why) => void (reason = why),
  });
  await unwanted.cancel("enough");
  assert.equal(reason, "enough");
  assert.deepEqual(over, ["ended", "failed", "unwanted"]);
});
