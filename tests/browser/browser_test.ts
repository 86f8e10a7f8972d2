import assert from "node:assert/strict";
import { skipBrowser } from "../support/browser.ts";
import { landOn } from "../support/looks.ts";
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

/** Has the browser say that data is to be saved, as long as `saving` is set, and count how often it was asked. */
const saveData = `
  globalThis.saving = true;
  globalThis.asked = 0;
  Object.defineProperty(navigator, "connection", {
    value: {
      get saveData() {
        globalThis.asked++;
        return globalThis.saving;
      },
    },
  });
`;

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

        await page.getByRole("button", { name: "Edit path" }).click();
        await page.getByLabel("Path: a key").fill(
          "https://eu-central-1.console.aws.amazon.com/s3/buckets/files?prefix=docs/deep/",
        );
        await page.keyboard.press("Enter");
        await landOn(page, /\?p=docs\/deep\/$/);
        await untilNames(page, ["b.txt"]);
        await page.getByRole("button", { name: "Edit path" }).focus();
        await page.keyboard.press("Alt+ArrowUp");
        await untilNames(page, ["deep", "a.txt"]);
      })),
});

Deno.test({
  name:
    "browser: a filter of a long folder asks the server; further pages come by themselves, and by scrolling",
  ignore,
  fn: () =>
    browsing({ manyKeys: 11_500 }, ({ withPage, bucketPage }) =>
      withPage({}, async (page) => {
        await page.addInitScript(saveData);
        const pages: string[] = [];
        page.on("request", (request) => {
          const token = new URL(request.url()).searchParams.get("token");
          if (token !== null) pages.push(token);
        });
        await open(page, bucketPage);
        await page.getByLabel("Filter this folder").fill("key-0024");
        await page.getByRole("link", { name: "key-002400.txt" }).waitFor();
        await page.getByText("100 items beginning with “key-0024”").waitFor();
        const search = page.getByRole("link", { name: "Search within names" });
        assert.equal(await search.getAttribute("href"), "/search?q=key-0024&scope=local/files&scan=1");
        await page.getByLabel("Filter this folder").fill("");
        await page.getByText("1,000 objects, more to come").waitFor();
        await page.getByRole("button", { name: "Size" }).click();
        await page.getByText("Sorted among 1,000 loaded").waitFor();
        await page.getByRole("button", { name: "Name" }).click();
        await until(() => page.evaluate("globalThis.asked > 0"), { what: "the look whether data is saved" });
        assert.deepEqual(pages, [], "where data is saved, nothing comes by itself");
        await page.evaluate(
          "globalThis.saving = false; document.dispatchEvent(new Event('visibilitychange'))",
        );
        await page.getByText("10,000 objects, more to come").waitFor();
        assert.equal(new Set(pages).size, 9);
        const grid = page.locator("#objects");
        await until(async () => {
          await grid.press("End");
          return await page.getByRole("link", { name: "key-011499.txt" }).count() === 1;
        }, { what: "the last page" });
        await page.getByText("11,500 objects", { exact: true }).waitFor();
        const scrollTop = () => grid.evaluate((box) => box.scrollTop);
        await grid.press("Home");
        await grid.press("ArrowDown");
        await grid.evaluate((box) => box.scrollTop = 18_000);
        await until(() => page.evaluate<boolean>("history.state?.list?.scrollTop === 18000"), {
          what: "the place in the list to be kept",
        });
        await page.getByRole("link", { name: "Shares" }).first().click();
        await landOn(page, "**/shares");
        await page.goBack();
        await until(async () => await scrollTop() === 18_000, { what: "the list where it was left" });
        await page.getByRole("link", { name: "key-000505.txt" }).waitFor();
        await grid.press("ArrowDown");
        await page.locator("[data-active] a", { hasText: "key-000002.txt" }).waitFor();
      })),
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
        await page.getByText("Enter a name for the folder.").waitFor();
        await page.keyboard.type("reports/2026");
        await page.keyboard.press("Enter");
        await page.getByRole("link", { name: "reports" }).waitFor();
        await page.locator('[data-folder="reports/"][data-active]').waitFor();
        await page.locator("#objects:focus").waitFor();
        await page.getByText("Folder “reports/2026” created").waitFor();
        await page.locator(".toast").getByRole("button", { name: "Open" }).click();
        await page.getByText("This folder is empty").waitFor();
        await page.getByText("Show command").click();
        await page.getByText(/^aws s3 cp \.\/file\.txt s3:\/\/files\//).waitFor();
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
            "Rename",
            "Move to…",
            "Copy to…",
            "Delete",
          ]);
          await menu.getByRole("menuitem", { name: "Copy S3 URI" }).click();
          await page.getByText("S3 URI copied").waitFor();
          assert.equal(await page.evaluate("navigator.clipboard.readText()"), "s3://files/readme.md");
          await page.getByRole("button", { name: "Actions for docs" }).click();
          await page.getByRole("menuitem", { name: "Open" }).click();
          await page.locator(".object-row", { hasText: "a.txt" }).locator(".object-size").click();
          await page.locator(".details").getByText("alpha").waitFor();
          // It covers the list, which therefore is out of reach until it is closed.
          assert.deepEqual(
            await page.locator(".browser-main, .bottom-bar").evaluateAll((covered) =>
              covered.map((part) => (part as unknown as { inert: boolean }).inert)
            ),
            [true, true],
          );
          await page.keyboard.press("Escape");
          await page.locator("#objects:focus").waitFor();
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
          await page.getByRole("link", { name: "docs" }).waitFor();
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
