import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withSharedBrowser } from "../support/browser.ts";
import { checkLooks, landOn } from "../support/looks.ts";
import { eventually, until } from "../support/poll.ts";
import { browsing, open } from "./browsing.ts";

const ignore = skipBrowser();

/** The names in the table, from the top. */
const names = (page: Page) => page.locator(".plain-table tbody .plain-name a");

const untilNames = (page: Page, expected: readonly string[]) =>
  until(async () => (await names(page).allTextContents()).join("\n") === expected.join("\n"), {
    what: expected.join(", "),
  });

Deno.test({
  name: "plain table: chosen in the settings, and every control of it is reached by Tab",
  ignore,
  fn: () =>
    browsing(
      { samples: { "docs/a.txt": { body: "alpha" }, "docs/b.txt": {}, "docs/c/d.txt": {}, "readme.md": {} } },
      ({ program, withPage, bucketPage, keys }) =>
        withSharedBrowser(async (browser) => {
          const session = await program.signedIn("admin");
          await withPage({ browser, session }, async (page) => {
            await open(page, "/me");
            await page.getByText("Plain table", { exact: true }).click();
            await eventually(async () =>
              assert.match(await page.evaluate("document.cookie"), /ui_list=table/)
            );
            await open(page, bucketPage);
            await page.getByRole("table", { name: "Objects in files" }).waitFor();
            const table = page.getByRole("table");
            await untilNames(page, ["docs", "readme.md"]);
            assert.equal(await page.getByRole("grid").count(), 0);
            await table.getByRole("link", { name: "docs" }).focus();
            await page.keyboard.press("Enter");
            await landOn(page, "**/b/local/files?p=docs/");
            await untilNames(page, ["c", "a.txt", "b.txt"]);
            await page.goBack();
            await untilNames(page, ["docs", "readme.md"]);
            await page.goForward();
            await untilNames(page, ["c", "a.txt", "b.txt"]);

            await table.getByRole("checkbox", { name: "Select a.txt" }).focus();
            await page.keyboard.press("Space");
            await page.getByText("1 item selected").waitFor();
            await page.keyboard.press("Tab");
            await table.getByRole("link", { name: "a.txt" }).and(page.locator(":focus")).waitFor();
            await page.keyboard.press("Tab");
            await table.getByRole("button", { name: "Actions for a.txt" }).and(page.locator(":focus"))
              .waitFor();
            await page.keyboard.press("Enter");
            await page.getByRole("menuitem", { name: "Rename" }).click();
            await page.getByLabel("New name of a.txt").fill("z.txt");
            await page.keyboard.press("Enter");
            await untilNames(page, ["c", "b.txt", "z.txt"]);
            await table.getByRole("checkbox", { name: "Select b.txt" }).click();
            await page.getByRole("toolbar").or(page.locator(".plain-toolbar")).getByRole("button", {
              name: "Delete",
            }).click();
            await page.getByRole("button", { name: "Delete 1 object" }).click();
            await untilNames(page, ["c", "z.txt"]);
            assert.deepEqual(await keys(), ["docs/c/d.txt", "docs/z.txt", "readme.md"]);
            await table.getByRole("link", { name: "z.txt" }).click();
            await page.locator(".details").getByText("alpha").waitFor();
            await page.waitForURL(/[?&]o=docs\/z\.txt/);
            await page.goBack();
            await page.locator(".details").waitFor({ state: "detached" });

            await page.getByRole("button", { name: "View options" }).click();
            await page.getByRole("menuitemcheckbox", { name: "Owner" }).click();
            await page.getByRole("row", { name: /z\.txt.*quickstart/ }).waitFor();
            await page.getByRole("menuitemcheckbox", { name: "Plain table" }).click();
            await page.getByRole("grid", { name: "Objects" }).waitFor();
            assert.doesNotMatch(await page.evaluate("document.cookie"), /ui_list/);
          });
          await checkLooks(program, {
            name: "plain-table-details",
            path: `${bucketPage}?list=table&p=docs/&o=docs/z.txt`,
            session,
            prepare: (page) => page.locator(".details").getByText("alpha").waitFor(),
          });
        }),
    ),
});

Deno.test({
  name: "plain table: a long folder has pages with addresses, also without script",
  ignore,
  fn: () =>
    browsing({ manyKeys: 1250 }, ({ program, withPage, bucketPage }) =>
      withSharedBrowser(async (browser) => {
        // Of a thousand rows nobody wants to know the roles.
        const first = (page: Page) => names(page).first().textContent();
        const untilFirst = (page: Page, name: string) =>
          until(async () => await first(page) === name, { what: `${name} first` });
        const leaf = async (page: Page) => {
          const foot = page.locator(".plain-foot");
          await untilFirst(page, "key-000000.txt");
          await foot.getByText("Page 1, 100 rows").waitFor();
          assert.equal(await foot.getByRole("link", { name: "Previous" }).count(), 0);
          await foot.getByRole("link", { name: "Next" }).click();
          await untilFirst(page, "key-000100.txt");
          await foot.getByRole("link", { name: "Next" }).click();
          await untilFirst(page, "key-000200.txt");
          await foot.getByText("Page 3, 100 rows").waitFor();
          await foot.getByRole("link", { name: "Previous" }).click();
          await untilFirst(page, "key-000100.txt");
          await foot.getByRole("link", { name: "1,000 rows on a page" }).click();
          await foot.getByText("Page 1, 1,000 rows").waitFor();
          await foot.getByRole("link", { name: "Next" }).click();
          await foot.getByText("Page 2, 250 rows").waitFor();
          assert.equal(await foot.getByRole("link", { name: "Next" }).count(), 0);
          await foot.getByRole("link", { name: "First page" }).click();
          await untilFirst(page, "key-000000.txt");
          await page.locator("#filter").fill("key-0003");
          await page.locator(".plain-filter").getByRole("button", { name: "Filter" }).click();
          await untilFirst(page, "key-000300.txt");
          await foot.getByText("Page 1, 100 rows").waitFor();
        };
        const address = `${bucketPage}?list=table`;
        await withPage({ browser }, async (page) => {
          await open(page, address);
          await leaf(page);
          await page.getByRole("checkbox", { name: "Select all" }).click();
          await page.getByText("100 items selected").waitFor();
        });
        await withPage({ browser, javaScriptEnabled: false }, async (page) => {
          await page.goto(`${bucketPage}?wait=1`);
          await page.getByRole("link", { name: "Plain table" }).click();
          await leaf(page);
        });
        await checkLooks(program, {
          name: "plain-table",
          path: `${address}&page=2&back=`,
          user: "admin",
        });
      })),
});
