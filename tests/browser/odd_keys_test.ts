import assert from "node:assert/strict";
import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import type { Page } from "playwright-core";
import { keysIn } from "../prefixes/seeding.ts";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { eventually } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { type UpstreamKind, upstreamTest } from "../support/upstreams.ts";
import { readArchive, texts } from "../zip/readers.ts";
import { browsing, open } from "./browsing.ts";

/** Keys that a path in a URL would lose, or that have to be written otherwise somewhere. */
const keys = [
  "50%2F#1?x=1&y=2.txt",
  "plus+space end ",
  "日本語/ファイル.txt",
  "quote\"'<b>.txt",
  // 1,024 bytes.
  `${"ü".repeat(100)}/${"x".repeat(200)}/${"y".repeat(200)}/${"z".repeat(200)}/${"w".repeat(220)}`,
];

/** Those that MinIO refuses. */
const stranger = ["/leading", "a//b.txt", "back\\slash.txt"];

const keysOn = (kind: UpstreamKind) => kind === "embedded" ? [...keys, ...stranger] : keys;

const folderOf = (key: string) => key.slice(0, key.lastIndexOf("/") + 1);
const nameOf = (key: string) => key.slice(folderOf(key).length);

/** The row of an object, found by where its name leads. */
function rowOf(page: Page, key: string) {
  const link = page.locator(`a[href$="o=${encodeURIComponent(key).replaceAll("%2F", "/")}"]`);
  return page.locator(".object-body .object-row").filter({ has: link });
}

/** Opens an object's folder and makes its row the one that keys act on. */
async function select(page: Page, key: string): Promise<void> {
  await open(page, `/b/local/files?p=${encodeURIComponent(folderOf(key))}`);
  await rowOf(page, key).getByRole("checkbox").click();
  await page.locator("#objects:focus").waitFor();
}

upstreamTest(["embedded", "minio"], "odd keys go through every action of the browser", async (upstream) => {
  if (skipBrowser()) return;
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket: "files" }));
  const odd = keysOn(upstream.kind);
  for (const key of odd) {
    await s3.send(
      new PutObjectCommand({
        Bucket: "files",
        Key: key,
        Body: `content of ${key}`,
        ContentType: "text/plain",
      }),
    );
  }
  const untilKey = (key: string, isThere = true) =>
    eventually(async () => assert.equal((await keysIn(s3, "files")).includes(key), isThere, key));
  await withProgram(
    { backends: [{ id: "local", upstream }] },
    (program) =>
      withSharedBrowser(async (browser) => {
        const admin = await program.signedIn();
        const renamed = (key: string) => `${folderOf(key)}${nameOf(key).slice(0, -1)}~`;
        await withPage(program, { browser, session: admin }, async (page) => {
          for (const key of odd) {
            await select(page, key);
            await page.keyboard.press("F2");
            await page.locator(".rename-field input").fill(nameOf(renamed(key)));
            await page.keyboard.press("Enter");
            await rowOf(page, renamed(key)).waitFor();
            await untilKey(renamed(key));
            await untilKey(key, false);

            await select(page, renamed(key));
            await page.keyboard.press("c");
            const copy = page.getByRole("dialog", { name: "Copy 1 item" });
            await copy.getByRole("textbox", { name: "Folder" }).fill("c/");
            await copy.getByText("1 object, ").waitFor();
            await copy.getByRole("button", { name: "Copy", exact: true }).click();
            await untilKey(`c/${nameOf(renamed(key))}`);

            await select(page, renamed(key));
            await page.keyboard.press("i");
            const content = page.locator(".details .preview-text");
            await eventually(async () => assert.equal(await content.textContent(), `content of ${key}`));
            await page.keyboard.press("s");
            await page.getByRole("button", { name: "Create link" }).click();
            await page.getByRole("dialog", { name: "The link is ready" }).waitFor();
            const { shares } = await json(admin.get("/api/shares?state=active"));
            const shared = shares.find((share: { key: string }) => share.key === renamed(key));
            const raw = await program.client().get(`/s/${shared.code}/raw`);
            assert.equal(await raw.text(), `content of ${key}`);
          }

          await open(page, "/b/local/files");
          const row = page.locator(".object-body .object-row").filter({
            has: page.locator('a[href$="?p=c/"]'),
          });
          await row.getByRole("checkbox").click();
          const download = page.waitForEvent("download");
          await page.keyboard.press("d");
          const archive = texts(await readArchive(await Deno.readFile(await (await download).path())));
          assert.deepEqual(Object.values(archive).sort(), odd.map((key) => `content of ${key}`).sort());

          await page.keyboard.press("m");
          const move = page.getByRole("dialog", { name: "Move 1 item" });
          await move.getByRole("textbox", { name: "Folder" }).fill("moved #1/%2F/");
          await move.getByText(`${odd.length} objects, `).waitFor();
          await move.getByRole("button", { name: "Move" }).click();
          await page.getByText(`${odd.length} objects moved to moved #1/%2F/`).waitFor();
          for (const key of odd) {
            const moved = `moved #1/%2F/c/${nameOf(renamed(key))}`;
            await untilKey(moved);
            await select(page, moved);
            await page.keyboard.press("Delete");
            await page.getByRole("button", { name: "Delete 1 object" }).click();
            await untilKey(moved, false);
          }
          assert.deepEqual((await keysIn(s3, "files")).sort(), odd.map(renamed).sort());
        });
      }),
  );
});

/** Every kind of key that a path in a URL would lose. */
const oddKeys = [
  "/leading",
  "a//b.txt",
  "dots/../up.txt",
  "./here",
  "50%2F.txt",
  "hash#query?x=1&y=2",
  "plus+space end ",
  "日本語/ファイル.txt",
  "quote\"'<b>.txt",
  "back\\slash",
];

/** Keys that are read but never written or deleted: an upstream may take them for another bucket's. */
function hasDotSegment(key: string): boolean {
  return key.split("/").some((segment) => segment === "." || segment === "..");
}

Deno.test({
  name: "browser: every odd key can be listed, opened and deleted, or the refusal is said",
  ignore: skipBrowser(),
  fn: () =>
    browsing(
      { samples: Object.fromEntries(oddKeys.map((key) => [key, { body: `content of ${key}` }])) },
      ({ withPage, bucketPage, keys }) =>
        withPage({ expectedErrors: [/status of 400/] }, async (page) => {
          assert.deepEqual((await keys()).sort(), [...oddKeys].sort());
          for (const key of oddKeys) {
            const folder = key.slice(0, key.lastIndexOf("/") + 1);
            await open(page, `${bucketPage}?p=${encodeURIComponent(folder)}`);
            const link = page.locator(".object-body a").and(
              page.locator(`[href$="o=${encodeURIComponent(key).replaceAll("%2F", "/")}"]`),
            );
            await link.click();
            await page.locator(".preview-text").getByText(`content of ${key.trim().slice(0, 4)}`).waitFor();
            const address = page.url();
            await open(page, address);
            await page.locator(".preview-text").waitFor();
            await eventually(async () =>
              assert.equal(await page.locator(".preview-text").textContent(), `content of ${key}`)
            );
            await page.locator(".details").getByRole("button", { name: "Delete" }).click();
            await page.getByRole("button", { name: "Delete 1 object" }).click();
            const said = hasDotSegment(key) ? "must not have a segment" : "1 object deleted";
            await page.getByText(said).first().waitFor();
          }
          assert.deepEqual((await keys()).sort(), oddKeys.filter(hasDotSegment).sort());
        }),
    ),
});
