import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser } from "../support/browser.ts";
import { until } from "../support/poll.ts";
import { browsing, names, open, untilAttended } from "./browsing.ts";

const samples = {
  "docs/a.txt": { body: "alpha" },
  "docs/b.txt": { body: "beta" },
  "docs/c.txt": { body: "gamma" },
  "readme.md": {},
};

/** Name of the row that the keys act on, as assistive technology is told. */
function activeRow(page: Page): Promise<string | null> {
  return page.evaluate(`document.getElementById(
    document.getElementById("objects").getAttribute("aria-activedescendant") ?? "none",
  )?.querySelector(".object-name").textContent.trim() ?? null`);
}

Deno.test({
  name: "keyboard: the list is one stop of Tab, and its head lies above the first row",
  ignore: skipBrowser(),
  fn: () =>
    browsing(
      { samples: { "a.txt": { body: "longer" }, "b.txt": {} } },
      ({ withPage, bucketPage }) =>
        withPage({}, async (page) => {
          await open(page, bucketPage);
          const grid = page.locator("#objects");
          assert.equal(
            await grid.locator('a, button, input, [tabindex="0"]').and(page.locator(
              ':not([tabindex="-1"])',
            )).count(),
            0,
          );
          await grid.press("Home");
          await page.keyboard.press("ArrowUp");
          await page.getByRole("button", { name: "Name" }).and(page.locator(":focus")).waitFor();
          await page.keyboard.press("ArrowRight");
          await page.getByRole("button", { name: "Size" }).and(page.locator(":focus")).waitFor();
          await page.keyboard.press("Enter");
          await page.locator("[role=columnheader][aria-sort]", { hasText: "Size" }).waitFor();
          await page.keyboard.press("ArrowLeft");
          await page.getByRole("button", { name: "Name" }).and(page.locator(":focus")).waitFor();
          await page.keyboard.press("ArrowDown");
          await page.locator("#objects:focus").waitFor();
        }),
    ),
});

Deno.test({
  name: "keyboard: everything from the bucket to a deleted object, without the mouse",
  ignore: skipBrowser(),
  fn: () =>
    browsing({ samples }, ({ withPage, keys }) =>
      withPage({}, async (page) => {
        const press = async (...pressed: string[]) => {
          for (const key of pressed) await page.keyboard.press(key);
        };
        const active = (name: string) =>
          until(async () => await activeRow(page) === name, { what: `row ${name}` });
        const closed = () => page.locator("dialog").waitFor({ state: "detached" });
        await open(page, "/b/local");
        await page.getByRole("link", { name: "files", exact: true }).waitFor();
        await tabTo(page, 'a[href="/b/local/files"]');
        await press("Enter");
        await page.waitForSelector("#objects");
        await page.waitForSelector("html[data-ready]");
        await page.getByRole("link", { name: "docs" }).waitFor();
        await tabTo(page, "#objects");
        await active("docs");
        const archive = page.waitForEvent("download");
        await press("d");
        assert.equal((await archive).suggestedFilename(), "docs.zip");
        // Together: what is pressed too late is a shortcut again.
        await Promise.all(["'", "r", "e", "a"].map((key) => page.keyboard.press(key)));
        await active("readme.md");
        await press("Home");
        await active("docs");
        const entry = (name: string) =>
          page.getByRole("menuitem", { name, exact: true }).and(page.locator(":focus")).waitFor();
        await press("ArrowRight", "ArrowRight", "Enter");
        await entry("Open");
        // Letters lead to an entry of the menu, and are no shortcuts meanwhile.
        await press("d", "d");
        await entry("Delete");
        await press("Home");
        await entry("Open");
        // No letter, whatever it is called.
        await press("Delete", "ArrowDown");
        await entry("Download as zip");
        await press("Escape", "Escape");
        await page.locator("#objects:focus").waitFor();
        await press("Enter");
        await until(async () => (await names(page)).join() === "a.txt,b.txt,c.txt", { what: "the folder" });
        await press("ArrowDown", "ArrowDown", "Shift+ArrowDown");
        await page.getByText("2 items selected").waitFor();
        await press("Space");
        await page.getByText("1 item selected").waitFor();
        await press("Escape", "Home", "Enter");
        await page.locator(".details").getByText("alpha").waitFor();
        await press("ArrowDown");
        await page.locator(".details").getByText("beta").waitFor();
        await press("i");
        await page.locator(".details").waitFor({ state: "detached" });
        await press("End");
        await active("c.txt");
        await press("Delete");
        await page.getByRole("button", { name: "Delete 1 object" }).waitFor();
        await press("Tab", "Enter");
        await page.getByText("1 object deleted").waitFor();
        await closed();
        await active("b.txt");
        await page.locator("#objects:focus").waitFor();
        await press("Control+a");
        await page.getByText("2 items selected").waitFor();
        await press("Escape", "Backspace");
        await active("docs");
        await press("n");
        await page.getByRole("dialog", { name: "New folder" }).waitFor();
        await page.keyboard.type("new");
        await press("Enter");
        await active("new");
        await closed();
        await press("/");
        await page.keyboard.type("read");
        await until(async () => (await names(page)).join() === "readme.md", { what: "the filter" });
        await press("Enter");
        await active("readme.md");
        const chooser = page.waitForEvent("filechooser");
        await press("u");
        await chooser;
        const download = page.waitForEvent("download");
        await press("d");
        assert.equal((await download).suggestedFilename(), "readme.md");
        await press("?");
        await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Upload files").waitFor();
        await press("Escape");
        await closed();
        // Both at once: the second key of a pair must not come late, whatever else the machine does.
        await Promise.all([press("g"), press("p")]);
        await page.getByLabel("Path: a key").and(page.locator(":focus")).waitFor();
        await page.keyboard.type("docs/");
        await press("Enter");
        await until(async () => (await names(page)).join() === "a.txt,b.txt", { what: "the typed path" });
        assert.deepEqual(await keys(), ["docs/a.txt", "docs/b.txt", "new/", "readme.md"]);
        // As at 400 % zoom.
        await page.setViewportSize({ width: 320, height: 256 });
        await page.locator("#objects").focus();
        await press("End");
        await active("b.txt");
        await until(() => page.evaluate(isActiveRowVisible), { what: "the row in the short window" });
        await page.setViewportSize({ width: 1280, height: 400 });
        await open(page, "/admin/audit");
        assert.ok(await page.evaluate(isCurrentLinkVisible));
      })),
});

Deno.test({
  name: "keyboard: away from the list no key acts on its rows, and Esc takes back one thing at a time",
  ignore: skipBrowser(),
  fn: () =>
    browsing({ samples }, ({ withPage, bucketPage, keys }) =>
      withPage({}, async (page) => {
        await open(page, `${bucketPage}?o=readme.md`);
        const details = page.getByRole("complementary", { name: "Details" });
        const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
        const loaded: string[] = [];
        page.on("request", (request) => {
          const script = /\/(delete|folder_dialog|copy_dialog|share_dialog|request_dialog|downloads)\.js/
            .exec(request.url());
          if (script) loaded.push(script[1]);
        });
        page.on("filechooser", () => loaded.push("filechooser"));
        const tab = details.getByRole("tab", { name: "Info" });
        for (const away of [tab, page.getByRole("link", { name: "Shares" }).first()]) {
          await away.focus();
          for (const key of ["Delete", "F2", "m", "c", "d", "s", "r", "n", "u", "Control+a", "Backspace"]) {
            await page.keyboard.press(key);
          }
          // What these would load, they would have asked for before this is there.
          await page.keyboard.press("?");
          await sheet.waitFor();
          await page.keyboard.press("Escape");
          await sheet.waitFor({ state: "detached" });
          assert.deepEqual(loaded, []);
          assert.equal(await page.getByText("items selected").count(), 0);
          assert.equal(await page.getByLabel("New name").count(), 0);
        }
        await page.keyboard.press("/");
        await page.getByLabel("Filter this folder").and(page.locator(":focus")).waitFor();
        await page.locator("#objects").focus();
        await page.keyboard.press("Control+a");
        await page.getByText("2 items selected").waitFor();
        await tab.focus();
        await page.keyboard.press("Escape");
        await page.getByText("2 items selected").waitFor({ state: "detached" });
        await details.waitFor();
        await page.keyboard.press("Escape");
        await details.waitFor({ state: "detached" });
        await page.locator("#objects:focus").waitFor();
        // From the list's own tools they act.
        await page.getByRole("button", { name: "View options" }).focus();
        await page.keyboard.press("n");
        await page.getByRole("dialog", { name: "New folder" }).waitFor();
        assert.deepEqual(await keys(), Object.keys(samples));
      })),
});

Deno.test({
  name: "keyboard: letters after an apostrophe jump to a name from anywhere on the page",
  ignore: skipBrowser(),
  fn: () =>
    browsing({ samples }, ({ withPage, bucketPage }) =>
      withPage({}, async (page) => {
        await open(page, bucketPage);
        await untilAttended(page);
        for (const from of [page.locator("main"), page.getByRole("link", { name: "Shares" }).first()]) {
          await from.focus();
          // Together: what is pressed too late is a shortcut again.
          await Promise.all(["'", "r", "e"].map((key) => page.keyboard.press(key)));
          await until(async () => await activeRow(page) === "readme.md", { what: "the row readme.md" });
          await page.locator("#objects:focus").waitFor();
          assert.equal(await page.getByRole("dialog").count(), 0);
          await page.keyboard.press("Home");
        }
      })),
});

Deno.test({
  name: "keyboard: a slash leads to the filter of each page that has one",
  ignore: skipBrowser(),
  fn: () =>
    browsing({}, ({ withPage }) =>
      withPage({}, async (page) => {
        const fields = {
          "/admin/users": "Search users",
          "/admin/audit": "User name or id",
          "/shares": "Bucket",
          "/b/local": "Filter buckets",
        };
        for (const [address, label] of Object.entries(fields)) {
          await open(page, address);
          await page.keyboard.press("/");
          await page.getByLabel(label, { exact: true }).and(page.locator(":focus")).waitFor();
        }
      })),
});

/** Whether the whole row that the keys act on is on the screen, above the bar at the bottom. */
const isActiveRowVisible = `(() => {
  const { top, bottom } = document.querySelector("#objects .object-body [data-active]").getBoundingClientRect();
  const bar = document.querySelector(".bottom-bar").getBoundingClientRect();
  return top >= document.querySelector(".topbar").getBoundingClientRect().bottom && bottom <= bar.top;
})()`;

/** Whether the link to the page that is shown is in sight, in a rail longer than the window. */
const isCurrentLinkVisible = `(() => {
  const link = document.querySelector(".rail [aria-current=page]").getBoundingClientRect();
  return link.bottom <= document.querySelector(".rail-foot").getBoundingClientRect().top;
})()`;

/** Presses Tab until what the selector names has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    if (await page.locator(`${selector}:focus`).count() > 0) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}
