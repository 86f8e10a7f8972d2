import assert from "node:assert/strict";
import { backendId, bucketName, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import type { Client } from "../support/http_client.ts";
import { eventually } from "../support/poll.ts";
import { withUpstream } from "../support/upstreams.ts";

/** Longer than a page waits for its first data, in milliseconds. */
const delay = 1500;

async function textOf(client: Client, path: string): Promise<string> {
  const response = await client.get(path);
  return await response.text();
}

/** Where a page sends readers without script whose first data was late; `null` when it was not. */
function wayOn(text: string): string | null {
  const link = /<p class="without-script">(?:<span class="row">)?<a [^>]*href="([^"]*[?&;]wait=1)"/.exec(
    text,
  );
  return link?.[1].replaceAll("&amp;", "&") ?? null;
}

Deno.test("whose page came without its rows loads it again without script, and then it waits for them", async (t) => {
  await withUpstream("embedded", async (upstream) => {
    const proxy = startFaultProxy(upstream);
    try {
      await withBucket(proxy, async ({ client, upload }) => {
        await upload("docs/plan b.txt", "the plan");
        const pages = {
          "/": bucketName,
          [`/b/${backendId}?sort=created`]: bucketName,
          [`/b/${backendId}/${bucketName}?p=docs%2F&q=plan`]: "plan b.txt",
        };
        for (const [path, shown] of Object.entries(pages)) {
          await t.step(path, async () => {
            proxy.clear();
            // Text, for the boot data has names too.
            const isShown = (text: string) => text.includes(`>${shown}<`);
            await eventually(async () => {
              const quick = await textOf(client, path);
              assert.ok(isShown(quick));
              assert.equal(wayOn(quick), null, "it came in time");
            });

            proxy.rule({ onRequest: () => new Promise((resolve) => setTimeout(resolve, delay)) });
            const late = await textOf(client, path);
            assert.ok(!isShown(late));
            const again = wayOn(late);
            assert.equal(again, `${path}${path.includes("?") ? "&" : "?"}wait=1`);
            const whole = await textOf(client, again ?? "");
            assert.ok(isShown(whole), whole);
            assert.equal(wayOn(whole), null);
          });
        }
        await t.step("a refusal is said at once, and there is nothing to load again", async () => {
          proxy.clear();
          proxy.rule({ fault: { kind: "status", status: 403, code: "AccessDenied" } });
          await eventually(async () => {
            const text = await textOf(client, `/b/${backendId}/${bucketName}`);
            assert.match(text, /This bucket cannot be listed/);
            assert.equal(wayOn(text), null);
          });
        });
      });
    } finally {
      await proxy.stop();
    }
  });
});
