import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser } from "../support/browser.ts";
import { until } from "../support/poll.ts";
import { browsing, names, open } from "./browsing.ts";

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
