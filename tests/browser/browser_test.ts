import assert from "node:assert/strict";
import type { Route } from "playwright-core";
import { skipBrowser, withPage } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { landOn, openWatched } from "../support/looks.ts";
import { eventually, until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { withUpstream } from "../support/upstreams.ts";
import { browsing, names, open, untilNames } from "./browsing.ts";

const ignore = skipBrowser();

const samples = {
  "docs/a.txt": { body: "alpha" },
  "docs/deep/b.txt": {},
  "big.bin": { body: "x".repeat(3000) },
  "readme.md": { body: "# Hello" },
  "small.txt": { body: "1" },
};

/** What these tests use of an element in the page. */
interface Cell {
  readonly className: string;
  getBoundingClientRect(): { readonly x: number; readonly width: number };
}

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
  name: "browser: every choice is a step of the history, and a typed filter is one when it is done",
  ignore,
  fn: () =>
    browsing({ samples }, ({ withPage, bucketPage }) =>
      withPage({}, async (page) => {
        const steps = () => page.evaluate<number>("history.length");
        await open(page, bucketPage);
        await untilNames(page, ["docs", "big.bin", "readme.md", "small.txt"]);
        const first = await steps();
        const filter = page.getByLabel("Filter this folder");
        await filter.pressSequentially("read");
        await untilNames(page, ["readme.md"]);
        await page.waitForURL(/\?q=read$/);
        assert.equal(await steps(), first, "typing");
        await filter.press("Enter");
        assert.equal(await steps(), first + 1, "typed");
        await page.getByRole("button", { name: "Size" }).click();
        await page.waitForURL(/sort=/);
        await page.getByRole("link", { name: "readme.md" }).click();
        await page.getByRole("tab", { name: "Metadata" }).click();
        await page.waitForURL(/tab=metadata/);

        await page.goBack();
        await page.getByRole("tab", { name: "Preview", selected: true }).waitFor();
        await page.goBack();
        await page.locator(".details").waitFor({ state: "detached" });
        await page.goBack();
        await page.waitForURL(/\?q=read$/);
        await page.goBack();
        await untilNames(page, ["docs", "big.bin", "readme.md", "small.txt"]);
        assert.equal(await filter.inputValue(), "");
        await page.goForward();
        await untilNames(page, ["readme.md"]);
        assert.equal(await filter.inputValue(), "read");
        // Taking it away is one more.
        await filter.press("Escape");
        await untilNames(page, ["docs", "big.bin", "readme.md", "small.txt"]);
        await page.goBack();
        await untilNames(page, ["readme.md"]);
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
  name:
    "browser: a filter of a long folder finds what is loaded and what the server has, also on the way back",
  ignore,
  fn: () =>
    browsing(
      {
        manyKeys: 2150,
        samples: { "an-zz.txt": {}, "my-zz.txt": {}, "zz-folder/b.txt": {} },
      },
      ({ withPage, bucketPage }) =>
        withPage({}, async (page) => {
          await page.addInitScript(saveData);
          const asked: (string | null)[] = [];
          page.on("request", (request) => {
            const { pathname, searchParams } = new URL(request.url());
            if (pathname.endsWith("/objects")) asked.push(searchParams.get("prefix"));
          });
          await open(page, bucketPage);
          const filter = page.getByLabel("Filter this folder");
          await filter.fill("000012");
          await untilNames(page, ["key-000012.txt"]);
          await page.getByText(
            "1 item with “000012”. Names that are not loaded were searched by how they begin.",
          )
            .waitFor();
          await page.getByRole("link", { name: "Search within names" }).waitFor();
          await filter.fill("no-such");
          await page.getByText(
            "No name here matches “no-such”. Names that are not loaded were searched by how they begin.",
          ).waitFor();
          const before = asked.length;
          await filter.fill("");
          await page.getByRole("link", { name: "key-000000.txt" }).waitFor();
          await filter.fill("ZZ");
          await until(() => asked.at(-1) === "ZZ", { what: "the server to be asked" });
          assert.deepEqual(asked.slice(before), ["ZZ"], "what was loaded is not loaded anew");
          await filter.fill("zz");
          await page.getByRole("link", { name: "zz-folder" }).click();
          await untilNames(page, ["b.txt"]);
          await page.goBack();
          await untilNames(page, ["zz-folder", "an-zz.txt"]);
          await page.getByText(
            "2 items with “zz”. Names that are not loaded were searched by how they begin.",
          )
            .waitFor();
        }),
    ),
});

Deno.test({
  name: "browser: rows that come in above those in sight do not move them",
  ignore,
  fn: () =>
    browsing({ manyKeys: 2150 }, ({ withPage, bucketPage }) =>
      withPage({}, async (page) => {
        await page.addInitScript(saveData);
        await open(page, `${bucketPage}?dir=desc`);
        await page.locator("#objects").evaluate((box) => box.scrollTop = 18_000);
        const row = page.locator(".object-row", { hasText: "key-000495.txt" });
        const top = async () => (await row.boundingBox())?.y;
        const before = await until(top, { what: "the row in sight" });
        await page.getByRole("button", { name: "Load all" }).click();
        await page.getByText("2,150 objects", { exact: true }).waitFor();
        await until(async () => await row.count() === 1 && await top() === before, {
          what: "the row where it was",
        });
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
        await page.getByText("Show command").click();
        await page.getByText("aws s3api put-object --bucket files --key reports/2026/").waitFor();
        await page.getByLabel("Name", { exact: true }).press("Enter");
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
  name: "browser: what an empty folder offers stays where it is when the styles of what opens later arrive",
  ignore,
  fn: () =>
    browsing({ samples: {} }, ({ withPage, bucketPage }) =>
      withPage({}, async (page) => {
        const { promise: wanted, resolve } = Promise.withResolvers<void>();
        await page.route(/\/lazy\.css$/, (route) => wanted.then(() => route.continue()));
        await open(page, bucketPage);
        const command = page.getByText("Show command");
        await command.waitFor();
        const before = await command.boundingBox();
        resolve();
        const sheets = "[...document.styleSheets].map(({ href }) => href)";
        const arrived = async () =>
          (await page.evaluate(sheets) as string[]).some((href) => href.endsWith("/lazy.css"));
        await until(arrived, { what: "the styles" });
        assert.deepEqual(await command.boundingBox(), before);
      })),
});

Deno.test({
  name: "browser: a typed path leads to the backend that has its bucket, or says why it leads nowhere",
  ignore,
  fn: () =>
    withUpstream("embedded", (upstream) =>
      withUpstream("embedded", (other) =>
        withProgram({
          backends: [{ id: "local", name: "Local", upstream }, {
            id: "other",
            name: "Other",
            upstream: other,
          }],
        }, async (program) => {
          const admin = await program.signedIn("admin");
          for (const [backend, name] of [["local", "files"], ["other", "elsewhere"]]) {
            await json(admin.post(`/api/backends/${backend}/buckets`, { json: { name } }), 201);
          }
          await withPage(program, { user: "admin", session: admin }, async (page) => {
            await open(page, "/b/local/files");
            await page.getByRole("button", { name: "Edit path" }).click();
            const path = page.getByLabel("Path: a key");
            await path.fill("s3://nowhere/a.txt");
            await page.keyboard.press("Enter");
            await page.getByRole("alert").getByText("No backend has a bucket called nowhere.").waitFor();
            await path.fill("https://example.com/");
            await page.keyboard.press("Enter");
            await page.getByRole("alert").getByText("This names no bucket.").waitFor();
            await path.fill("s3://elsewhere/docs/");
            await page.keyboard.press("Enter");
            await landOn(page, "**/b/other/elsewhere?p=docs/");
          });
        }))),
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

Deno.test({
  name: "browser: while only a proxy answers, the folder says that the server cannot be reached",
  ignore,
  fn: () =>
    browsing(
      { samples },
      ({ withPage, bucketPage }) =>
        withPage({ expectedErrors: [/status of 502/] }, async (page) => {
          const words = page.waitForResponse(/list_failure/);
          await openWatched(page, bucketPage);
          await words;
          const proxy = (route: Route) =>
            route.fulfill({ status: 502, contentType: "text/html", body: "<h1>502 Bad Gateway</h1>" });
          await page.route("**/*", proxy);
          await page.getByRole("link", { name: "docs" }).click();
          const list = page.locator(".browser-list");
          await list.getByText("The server cannot be reached.").waitFor();
          await page.locator("#bars").getByText("The server cannot be reached.").waitFor();
          await page.unroute("**/*", proxy);
          await list.getByRole("button", { name: "Try again" }).click();
          await untilNames(page, ["deep", "a.txt"]);
        }),
    ),
});

Deno.test({
  name: "browser: a list that could not be reloaded stays, and says of when it is",
  ignore,
  fn: () =>
    browsing(
      { samples },
      ({ withPage, bucketPage, stopUpstream }) =>
        withPage({ expectedErrors: [/status of 50\d/] }, async (page) => {
          await open(page, bucketPage);
          await untilNames(page, ["docs", "big.bin", "readme.md", "small.txt"]);
          await stopUpstream();
          await page.evaluate(`dispatchEvent(new CustomEvent("objects-changed", {
          detail: { backend: "local", bucket: "files", prefix: "" },
        }))`);
          await page.getByText(/This is the list from \d{1,2}:\d\d\D/).waitFor();
          await untilNames(page, ["docs", "big.bin", "readme.md", "small.txt"]);
        }),
    ),
});

Deno.test({
  name: "browser: names keep their width when columns would take it, and the keyboard shows moments in full",
  ignore,
  fn: () =>
    browsing(
      { samples },
      ({ withPage, bucketPage }) =>
        withPage({ viewport: { width: 1280, height: 800 } }, async (page) => {
          await open(page, bucketPage);
          const shown = () =>
            page.locator(".object-body .object-row", { hasText: "readme.md" }).first().evaluate((row) =>
              Object.fromEntries(
                [...(row as unknown as { children: Iterable<Cell> }).children].map((cell) => [
                  cell.className.replace("object-", ""),
                  cell.getBoundingClientRect().width,
                ]),
              )
            );
          await eventually(async () => {
            const { name: _, ...widths } = await shown();
            assert.deepEqual(widths, { check: 40, size: 96, modified: 132, class: 96, more: 40 });
          });
          for (
            const [columns, width, left] of [
              ["class", 1280, { modified: 132, class: 0 }],
              ["class", 1200, { modified: 0, class: 0 }],
              ["type class owner", 1440, { type: 120, modified: 0, class: 0, owner: 128 }],
              ["type class owner", 1280, { type: 120, modified: 0, class: 0, owner: 0 }],
            ] as const
          ) {
            await page.setViewportSize({ width, height: 800 });
            await page.evaluate(`localStorage.setItem("columns", "${columns}")`);
            await open(page, `${bucketPage}?o=readme.md`);
            await page.locator(`#objects[data-columns="${columns}"]`).waitFor();
            await page.locator(".details").waitFor();
            // The styles of the details come after them.
            await eventually(async () => {
              const now = await shown();
              assert.ok(now.name >= 240, `${columns} at ${width}: ${now.name}`);
              assert.deepEqual(now, { ...now, ...left }, `${columns} at ${width}`);
              const edges = await page.locator(".object-row .object-size").evaluateAll((cells) =>
                cells.map((cell) => (cell as unknown as Cell).getBoundingClientRect().x)
              );
              assert.equal(new Set(edges).size, 1, "the head is in line with the rows");
            });
          }
          await page.setViewportSize({ width: 1440, height: 800 });
          await page.evaluate(`localStorage.removeItem("columns")`);
          await open(page, bucketPage);
          await page.keyboard.press("Tab");
          await page.locator("#objects").press("End");
          const moment = page.locator(".object-row[data-active] time");
          const [seen, title] = [`getComputedStyle(node, "::after").content`, "JSON.stringify(node.title)"];
          await eventually(async () =>
            assert.equal(
              await moment.evaluate(`(node) => ${seen}`),
              await moment.evaluate(`(node) => ${title}`),
            )
          );
          assert.match(await moment.getAttribute("title") ?? "", /\d:\d\d/);
        }),
    ),
});
