import assert from "node:assert/strict";
import { skipBrowser } from "../support/browser.ts";
import { eventually, until } from "../support/poll.ts";
import { browsing, names, open, untilNames } from "./browsing.ts";

const ignore = skipBrowser();

const samples = {
  "docs/a.txt": { body: "alpha" },
  "docs/deep/b.txt": {},
  "big.bin": { body: "x".repeat(3000) },
  "readme.md": { body: "# Hello" },
  "small.txt": { body: "1" },
};

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
  name: "browser: folders, path, history, filter and sort, all in the address",
  ignore,
  fn: () =>
    browsing({ samples }, ({ withPage, bucketPage }) =>
      withPage({}, async (page) => {
        await open(page, bucketPage);
        await untilNames(page, ["docs", "big.bin", "readme.md", "small.txt"]);
        await page.getByRole("link", { name: "docs" }).click();
        await until(async () => (await names(page)).join() === "deep,a.txt", { what: "the folder" });
        await page.waitForURL(/\?p=docs\/$/);
        await eventually(async () => assert.match(await page.title(), /^docs · files/));
        await page.goBack();
        await page.getByRole("link", { name: "readme.md" }).waitFor();

        await page.getByRole("button", { name: "Size" }).click();
        await untilNames(page, ["docs", "big.bin", "readme.md", "small.txt"]);
        await page.getByRole("button", { name: "Size" }).click();
        await untilNames(page, ["docs", "small.txt", "readme.md", "big.bin"]);
        await page.waitForURL(/\?sort=size$/);

        await page.getByLabel("Filter this folder").fill("READ");
        await until(async () => (await names(page)).join() === "readme.md", { what: "the filter" });
        await page.getByText("1 item with “READ”").waitFor();
        await page.reload();
        await page.waitForSelector("html[data-ready]");
        await untilNames(page, ["readme.md"]);

        await page.getByRole("button", { name: "Edit path" }).click();
        await page.getByLabel("Path: a key").fill("s3://files/docs/a.txt");
        await page.keyboard.press("Enter");
        await page.getByRole("complementary", { name: "Details" }).getByText("alpha").waitFor();
        await page.waitForURL(/p=docs\/&sort=size&o=docs\/a\.txt$/);
      })),
});

Deno.test({
  name: "browser: a filter of a long folder asks the server; further pages come by scrolling",
  ignore,
  fn: () =>
    browsing({ manyKeys: 2500 }, ({ withPage, bucketPage }) =>
      withPage({}, async (page) => {
        await open(page, bucketPage);
        await page.getByLabel("Filter this folder").fill("key-0024");
        await page.getByRole("link", { name: "key-002400.txt" }).waitFor();
        await page.getByText("100 items beginning with “key-0024”").waitFor();
        await page.getByLabel("Filter this folder").fill("");
        await page.getByText("1,000 objects, more to come").waitFor();
        await page.getByRole("button", { name: "Size" }).click();
        await page.getByText("Sorted among 1,000 loaded").waitFor();
        await page.getByRole("button", { name: "Name" }).click();
        const grid = page.locator("#objects");
        await until(async () => {
          await grid.press("End");
          return await page.getByRole("link", { name: "key-002499.txt" }).count() === 1;
        }, { what: "the last page" });
        await page.getByText("2,500 objects", { exact: true }).waitFor();
      })),
});

Deno.test({
  name: "browser: every odd key can be listed, opened and deleted, or the refusal is said",
  ignore,
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

Deno.test({
  name: "browser: a new folder is made and shown",
  ignore,
  fn: () =>
    browsing({ samples: { "a.txt": {} } }, ({ withPage, bucketPage, keys }) =>
      withPage({}, async (page) => {
        await open(page, bucketPage);
        await page.getByRole("button", { name: "New folder" }).click();
        await page.getByRole("dialog", { name: "New folder" }).waitFor();
        await page.keyboard.press("Enter");
        await page.getByText("Give the folder a name.").waitFor();
        await page.keyboard.type("reports/2026");
        await page.keyboard.press("Enter");
        await page.getByRole("link", { name: "reports" }).waitFor();
        await page.locator('[data-folder="reports/"][data-active]').waitFor();
        await page.locator("#objects:focus").waitFor();
        await page.getByText("Folder “reports/2026” created").waitFor();
        await page.locator(".toast").getByRole("button", { name: "Open" }).click();
        await page.getByText("This folder is empty").waitFor();
        assert.deepEqual(await keys(), ["a.txt", "reports/2026/"]);
      })),
});

Deno.test({
  name: "browser: each row has a menu, and on a narrow screen a tap anywhere on it opens it",
  ignore,
  fn: () =>
    browsing(
      { samples },
      ({ withPage, bucketPage }) =>
        withPage({ viewport: { width: 360, height: 740 } }, async (page) => {
          await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
          await open(page, bucketPage);
          const menu = page.getByRole("menu", { name: "Actions for readme.md" });
          await page.getByRole("button", { name: "Actions for readme.md" }).click();
          await menu.getByRole("menuitem").first().waitFor();
          assert.deepEqual(await menu.getByRole("menuitem").allInnerTexts(), [
            "Open",
            "Download",
            "Copy S3 URI",
            "Copy link",
            "Share…",
            "Details",
            "Delete",
          ]);
          await menu.getByRole("menuitem", { name: "Copy S3 URI" }).click();
          await page.getByText("S3 URI copied").waitFor();
          assert.equal(await page.evaluate("navigator.clipboard.readText()"), "s3://files/readme.md");
          await page.getByRole("button", { name: "Actions for docs" }).click();
          await page.getByRole("menuitem", { name: "Open" }).click();
          await page.locator(".object-row", { hasText: "a.txt" }).locator(".object-size").click();
          await page.locator(".details").getByText("alpha").waitFor();
        }),
    ),
});

Deno.test({
  name: "browser: who may only read can look and download, and nothing else",
  ignore,
  fn: () =>
    browsing(
      { samples, users: { reader: "readonly" } },
      ({ withPage, bucketPage }) =>
        withPage({ user: "reader" }, async (page) => {
          await open(page, bucketPage);
          await page.getByRole("checkbox", { name: "Select small.txt" }).click();
          await page.getByText("1 item selected").waitFor();
          assert.equal(await page.getByRole("button", { name: /Upload|New folder|Delete/ }).count(), 0);
          await page.keyboard.press("Delete");
          const download = page.waitForEvent("download");
          await page.getByRole("button", { name: "Download" }).click();
          assert.equal((await download).suggestedFilename(), "small.txt");
          assert.equal(
            await page.getByRole("dialog").count(),
            0,
            "nothing is asked since the key was pressed",
          );
        }),
    ),
});

Deno.test({
  name: "browser: without script the list is links, page after page",
  ignore,
  fn: () =>
    browsing(
      { manyKeys: 1150 },
      ({ withPage, bucketPage }) =>
        withPage({ javaScriptEnabled: false }, async (page) => {
          await page.goto(bucketPage);
          // A list that the page did not have in time is left to its script: here, one asks again oneself.
          const listed = () =>
            until(async () => {
              const shown = await names(page);
              if (shown.length > 0) return shown;
              await page.reload();
            }, { what: "a page with a list" });
          const seen = await listed();
          const next = page.getByRole("link", { name: "Next 60" });
          while (await next.count() > 0) {
            const address = new URL(await next.getAttribute("href") ?? "", page.url());
            await next.click();
            await page.waitForURL(address.href);
            seen.push(...await listed());
          }
          assert.equal(seen.length, 1150);
          assert.equal(seen.at(-1), "key-001149.txt");
          await page.locator(".object-body a").last().click();
          await page.getByRole("link", { name: "Download" }).waitFor();
        }),
    ),
});

Deno.test({
  name: "browser: an unknown bucket and a backend that is down are said",
  ignore,
  fn: () =>
    browsing(
      { samples },
      ({ withPage, bucketPage, stopUpstream }) =>
        withPage({ expectedErrors: [/status of 404/, /status of 50\d/] }, async (page) => {
          await open(page, "/b/local/no-such-bucket?o=readme.md");
          await page.getByText("There is no such bucket").waitFor();
          assert.equal(await page.getByRole("button", { name: /Upload|New folder/ }).count(), 0);
          assert.equal(await page.locator(".details").count(), 0);
          await page.getByRole("link", { name: "Buckets of Local" }).waitFor();
          await open(page, bucketPage);
          await stopUpstream();
          await page.getByRole("link", { name: "docs" }).click();
          await page.getByRole("button", { name: "Try again" }).waitFor();
          await page.getByRole("main").getByRole("link", { name: "Backends", exact: true }).waitFor();
          assert.equal(await page.getByRole("button", { name: /Upload|New folder/ }).count(), 0);
          await page.goBack();
          await page.getByRole("link", { name: "readme.md" }).waitFor();
        }),
    ),
});
