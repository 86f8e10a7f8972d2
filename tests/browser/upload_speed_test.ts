import assert from "node:assert/strict";
import { join } from "node:path";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import type { Page } from "playwright-core";
import { skipBrowser, useWholeBrowser, withPage } from "../support/browser.ts";
import { type Client, json } from "../support/http_client.ts";
import { openPage } from "../support/looks.ts";
import { until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, withUpstream } from "../support/upstreams.ts";
import { writeLargeFile } from "./uploading.ts";

useWholeBrowser();

const ignore = skipBrowser() || skipUpstream("minio");

/** MiB of the file; `UPLOAD_MEBIBYTES` asks for another size, such as 1024. */
const mebibytes = Number(Deno.env.get("UPLOAD_MEBIBYTES") ?? 256);

/** MiB of a part, as the dashboard cuts files of this size. */
const partMebibytes = 16;

/**
 * The least share of curl's speed that an upload through the dashboard must reach, by how many parts curl has under way: one
 * after the other, as it does unless told, and as many as the dashboard has. Where two cores are all there is, the latter
 * leaves none for a browser, which needs half as much of them as both servers.
 */
const leastRatios: ReadonlyMap<number, number> = new Map([[1, 0.8], [4, 0.5]]);

/** All of it depends on what else the machine does: the best of so many tries counts. */
const tries = 5;

const bucket = "/api/backends/local/buckets/files";

Deno.test({
  name: "upload speed: a large file through the dashboard is as fast as its parts sent by curl",
  ignore,
  async fn() {
    const directory = await Deno.makeTempDir({ prefix: "upload-speed-" });
    try {
      const file = await writeLargeFile(directory, "big.bin", mebibytes);
      const parts = mebibytes / partMebibytes;
      for (let part = 1; part <= parts; part++) {
        await writeLargeFile(directory, `part-${part}`, partMebibytes, part);
      }
      await withUpstream("minio", async (upstream) => {
        using s3 = s3Client(upstream);
        await s3.send(new CreateBucketCommand({ Bucket: "files" }));
        await withProgram({ backends: [{ id: "local", upstream }] }, async (program) => {
          const client = await program.signedIn();
          await withPage(program, { session: await program.signedIn() }, async (page) => {
            for (const [lanes, least] of leastRatios) {
              const ratios: number[] = [];
              for (let attempt = 1; attempt <= tries && !ratios.some((ratio) => ratio >= least); attempt++) {
                const key = `${lanes}-${attempt}`;
                const byCurl = await sendByCurl(client, directory, { parts, lanes, key: `curl-${key}` });
                const byPage = await sendByPage(page, file, `page-${key}/`);
                console.log(`curl with ${lanes} at once ${rate(byCurl)}, dashboard ${rate(byPage)}`);
                ratios.push(byCurl / byPage);
              }
              const best = Math.max(...ratios);
              assert.ok(best >= least, `at best ${best} of the speed of curl with ${lanes} at once`);
            }
          });
        });
      });
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  },
});

function rate(milliseconds: number): string {
  return `${Math.round(mebibytes * 1000 / milliseconds)} MiB/s`;
}

/** Uploads the parts with so many curl transfers at once, and returns the milliseconds that it took. */
async function sendByCurl(
  client: Client,
  directory: string,
  { parts, lanes, key }: { readonly parts: number; readonly lanes: number; readonly key: string },
): Promise<number> {
  const began = performance.now();
  const { upload_id } = await json(client.post(`${bucket}/multipart?key=${key}`, { json: {} }), 201);
  const upload = `key=${key}&upload_id=${encodeURIComponent(upload_id)}`;
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const transfers = Array.from({ length: parts }, (_, index) =>
    [
      `url = "${client.url}${bucket}/multipart/parts/${index + 1}?${upload}"`,
      `upload-file = "${join(directory, `part-${index + 1}`)}"`,
      `header = "Cookie: ${cookie}"`,
      `header = "X-CSRF-Token: ${client.cookies.get("service_csrf")}"`,
      `header = "Content-Type: application/octet-stream"`,
      `header = "Expect:"`,
      `fail`,
    ].join("\n"));
  const config = join(directory, "curl.config");
  await Deno.writeTextFile(config, transfers.join("\nnext\n"));
  const args = ["--silent", "--show-error", "--config", config];
  if (lanes > 1) args.unshift("--parallel", "--parallel-max", String(lanes));
  const { success, stdout, stderr } = await new Deno.Command("curl", { args }).output();
  const decoder = new TextDecoder();
  assert.ok(success, decoder.decode(stderr));
  const answers = decoder.decode(stdout).matchAll(/"part_number":(\d+),"etag":"([^"]+)"/g);
  const stored = Array.from(answers, ([, number, etag]) => ({ part_number: Number(number), etag }))
    .sort((a, b) => a.part_number - b.part_number);
  await json(client.post(`${bucket}/multipart/complete?${upload}`, { json: { parts: stored } }));
  return performance.now() - began;
}

/** Uploads the file as a person does, and returns the milliseconds until it is stored. */
async function sendByPage(page: Page, file: string, prefix: string): Promise<number> {
  page.on("filechooser", () => {});
  await openPage(page, `/b/local/files?p=${prefix}`);
  await page.evaluate(`{
    const files = document.querySelector('input[type="file"][multiple]');
    files.addEventListener("change", () => globalThis.began = performance.now(), { capture: true });
    addEventListener("object-stored", () => globalThis.stored = performance.now());
  }`);
  await page.locator('input[type="file"][multiple]').setInputFiles(file);
  const isStored = () => page.evaluate("globalThis.stored !== undefined");
  // The page takes the time itself: to ask often would only take the processor away from it.
  await until(isStored, { what: "the upload", timeoutMs: 120_000, intervalMs: 500 });
  return Number(await page.evaluate("globalThis.stored - globalThis.began"));
}
