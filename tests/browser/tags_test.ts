import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withSharedBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { eventually } from "../support/poll.ts";
import { type Browsing, browsing, open } from "./browsing.ts";

const ignore = skipBrowser();

const bucket = "/api/backends/local/buckets/files";

const samples = {
  "a.txt": { body: "first", type: "application/octet-stream", metadata: { author: "Ada" } },
  "b.html": { body: "<p>", type: "application/octet-stream" },
  "c.unknown": { body: "third", type: "application/octet-stream" },
};

Deno.test({
  name: "tags and metadata: edited one by one and for many at once",
  ignore,
  fn: (context) =>
    browsing({ samples }, (bench) =>
      withSharedBrowser(async (browser) => {
        await context.step("tags", () => bench.withPage({ browser }, (page) => tags(bench, page)));
        const expectedErrors = [/status of 412/];
        await context.step(
          "metadata",
          () => bench.withPage({ browser, expectedErrors }, (page) => metadata(bench, page)),
        );
        await context.step("many objects", () => bench.withPage({ browser }, (page) => bulk(bench, page)));
      })),
});

const crowd = Array.from({ length: 12 }, (_, index) => `${index}.txt`);

Deno.test({
  name: "tags: many objects are changed although the session is at its limit of requests",
  ignore,
  fn: () =>
    browsing(
      {
        samples: Object.fromEntries(crowd.map((key) => [key, {}])),
        config: { ratelimit: { api_per_minute: 240 } },
      },
      (bench) =>
        bench.withPage({ expectedErrors: [/status of 429/] }, async (page) => {
          await open(page, bench.bucketPage);
          await page.getByRole("link", { name: "11.txt" }).waitFor();
          await page.locator("#objects").focus();
          await page.keyboard.press("Control+a");
          await chooseTags(page);
          const dialog = page.getByRole("dialog", { name: "Change 12 objects" });
          await dialog.getByLabel("Tag 1, name").fill("batch");
          await dialog.getByLabel("Tag 1, value").fill("7");
          await page.evaluate("Promise.all(Array.from({ length: 300 }, () => fetch('/api/me')))");
          await dialog.getByRole("button", { name: "Add to 12 objects" }).click();
          await dialog.getByText("Done: 12 of 12").waitFor();
          const admin = await bench.program.signedIn();
          for (const key of crowd) {
            const { tags } = await json(admin.get(`${bucket}/object/tags?key=${key}`));
            assert.deepEqual(tags, { batch: "7" }, key);
          }
        }),
    ),
});

async function tags({ bucketPage, program }: Browsing, page: Page): Promise<void> {
  const admin = await program.signedIn();
  const stored = async () => (await json(admin.get(`${bucket}/object/tags?key=a.txt`))).tags;
  await open(page, `${bucketPage}?o=a.txt&tab=tags`);
  const panel = page.locator(".details-body");
  await panel.getByRole("button", { name: "Add tag" }).click();
  const first = panel.getByLabel("Tag 1, name");
  await first.and(page.locator(":focus")).waitFor();
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "stage=live\\nteam: north\\n<b>=x");
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }`);
  await panel.getByText("A name may have only letters, digits, spaces").waitFor();
  await panel.getByText("3 of 10 tags").waitFor();
  const invalid = () =>
    panel.locator("[aria-invalid=true]").evaluateAll((fields) =>
      fields.map((field) => field.getAttribute("aria-label"))
    );
  assert.deepEqual(await invalid(), ["Tag 3, name"]);
  await panel.getByLabel("Tag 1, value").fill("grün 😀");
  await panel.getByText("A value may have only letters, digits, spaces").waitFor();
  assert.deepEqual(await invalid(), ["Tag 1, value", "Tag 3, name"]);
  await panel.getByLabel("Tag 1, value").fill("live");
  const save = panel.getByRole("button", { name: "Save tags" });
  assert.ok(await save.isDisabled());
  await panel.getByRole("button", { name: "Remove row 3" }).click();
  await save.and(page.locator(":enabled")).click();
  await page.getByText("Tags saved.").waitFor();
  assert.deepEqual(await stored(), { stage: "live", team: "north" });

  await panel.getByLabel("Tag 1, value").fill("test");
  await page.getByRole("button", { name: "Next object" }).click();
  await page.waitForURL(/o=b\.html/);
  await panel.getByText("No tags.").waitFor();
  await page.getByRole("button", { name: "Previous object" }).click();
  await eventually(async () => assert.equal(await panel.getByLabel("Tag 1, value").inputValue(), "test"));
  await json(admin.put(`${bucket}/object/tags?key=a.txt`, { json: { tags: { stage: "other" } } }));
  await save.click();
  await panel.getByText("They are now: stage=other").waitFor();
  await panel.getByRole("button", { name: "Save mine" }).click();
  await eventually(async () => assert.deepEqual(await stored(), { stage: "test", team: "north" }));
}

async function metadata({ bucketPage, program }: Browsing, page: Page): Promise<void> {
  const admin = await program.signedIn();
  const info = () => json(admin.get(`${bucket}/object/info?key=a.txt`));
  await open(page, `${bucketPage}?o=a.txt&tab=metadata`);
  const panel = page.locator(".details-body");
  await panel.getByLabel("Content-Type").fill("text/plain");
  await panel.getByLabel("Cache-Control").fill("no-store");
  await panel.getByLabel("Name 1, value").fill("Grüße");
  await panel.getByText(/of 2,048 bytes/).waitFor();
  const first = Promise.withResolvers<void>();
  await page.route("**/object/info?*", (route) => first.promise.then(() => route.continue()));
  await panel.getByRole("button", { name: "Save metadata" }).click();
  await page.getByText("Metadata saved.").waitFor();
  const { content_type, cache_control, metadata } = await info();
  assert.deepEqual([content_type, cache_control, metadata], ["text/plain", "no-store", { author: "Grüße" }]);

  // Typed before what was saved has been read back, it goes on from there all the same.
  await panel.getByLabel("Content-Language").fill("de");
  first.resolve();
  await panel.locator("button:not([aria-busy=true])", { hasText: "Save metadata" }).waitFor();
  assert.equal(await panel.getByLabel("Cache-Control").inputValue(), "no-store");
  await json(
    admin.post(`${bucket}/object?key=a.txt`, {
      body: "changed since",
      headers: { "content-type": "text/plain" },
    }),
    201,
  );
  await panel.getByRole("button", { name: "Save metadata" }).click();
  await panel.getByText("The object was changed in the meantime").waitFor();
  const second = Promise.withResolvers<void>();
  await page.route("**/object/info?*", (route) => second.promise.then(() => route.continue()));
  await panel.getByRole("button", { name: "Reload" }).click();
  await panel.locator("button[aria-busy=true]", { hasText: "Save metadata" }).waitFor();
  second.resolve();
  assert.equal(await panel.getByLabel("Cache-Control").inputValue(), "no-store");
  await panel.getByRole("button", { name: "Save metadata" }).click();
  await eventually(async () => assert.equal((await info()).content_language, "de"));
}

async function bulk({ bucketPage, program }: Browsing, page: Page): Promise<void> {
  const admin = await program.signedIn();
  const tagsOf = async (key: string) => (await json(admin.get(`${bucket}/object/tags?key=${key}`))).tags;
  await open(page, bucketPage);
  await page.getByRole("link", { name: "b.html" }).waitFor();
  await page.locator("#objects").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Control+a");
  await chooseTags(page);
  const dialog = page.getByRole("dialog", { name: "Change 3 objects" });
  await dialog.getByLabel("Tag 1, name").fill("batch");
  await dialog.getByLabel("Tag 1, value").fill("7");
  await dialog.getByText("Show command").click();
  await dialog.getByText("aws s3api put-object-tagging --bucket files --key a.txt").waitFor();
  await dialog.getByRole("button", { name: "Add to 3 objects" }).click();
  await dialog.getByText("Done: 3 of 3").waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  assert.deepEqual(await tagsOf("c.unknown"), { batch: "7" });
  assert.equal((await tagsOf("a.txt")).batch, "7");
  await chooseTags(page);
  await dialog.getByRole("button", { name: "Fix content types" }).click();
  await dialog.getByRole("cell", { name: "text/html; charset=utf-8" }).waitFor();
  await dialog.getByText("1 object has no known extension").waitFor();
  await dialog.getByRole("button", { name: "Set 2 content types" }).click();
  await dialog.getByText("Done: 2 of 2").waitFor();
  const { content_type } = await json(admin.get(`${bucket}/object/info?key=b.html`));
  assert.equal(content_type, "text/html; charset=utf-8");
}

/** Opens the dialog for what is selected. */
async function chooseTags(page: Page): Promise<void> {
  await page.getByRole("toolbar").getByRole("button", { name: "Tags", exact: true }).click();
}
