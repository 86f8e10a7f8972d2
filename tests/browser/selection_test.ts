import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { skipBrowser, withSharedBrowser } from "../support/browser.ts";
import { checkLooks } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { browsing, names, open, untilNames } from "./browsing.ts";

const ignore = skipBrowser();

/** A picture of one pixel. */
const pixel = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);

const samples = {
  "docs/a.txt": { body: "alpha" },
  "docs/deep/b.txt": { body: "x" },
  "big.bin": { body: "x".repeat(3000) },
  "photo.png": { body: pixel, type: "image/png" },
  "readme.md": { body: "# Hello" },
};

Deno.test({
  name: "selection: everything that matches, also what is not loaded, is selected and deleted",
  ignore,
  fn: () =>
    browsing({ manyKeys: 2150 }, ({ withPage, bucketPage, keys }) =>
      withPage({}, async (page) => {
        // Else the list would not stop growing before it is all there.
        await page.addInitScript(
          'Object.defineProperty(navigator, "connection", { value: { saveData: true } })',
        );
        await open(page, bucketPage);
        await page.getByLabel("Filter this folder").fill("key-00");
        await page.getByText("1,000 items beginning with “key-00”").waitFor();
        await page.keyboard.press("Enter");
        await page.keyboard.press("Control+a");
        await page.getByText("1,000 items selected").waitFor();
        await page.keyboard.press("Control+a");
        await page.getByText("Everything beginning with “key-00” selected").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("checkbox", { name: "Select key-000001.txt" }).click();
        await page.getByText("1 item selected").waitFor();
        await page.getByRole("button", { name: "Select all that match, not only loaded" }).click();
        await page.keyboard.press("Delete");
        const dialog = page.getByRole("dialog", { name: "Delete everything that begins with “key-00”?" });
        await dialog.getByText("2,150 objects, ").waitFor();
        await dialog.getByText("From key-000000.txt to key-002149.txt.").waitFor();
        const remove = dialog.getByRole("button", { name: "Delete 2,150 objects" });
        await dialog.getByLabel("Type files to go on").fill("files");
        await remove.click();
        await page.getByText("2,150 objects deleted").first().waitFor();
        await eventually(async () => assert.deepEqual(await keys(), []));
      })),
});

Deno.test({
  name: "selection: kinds, columns, pictures, sizes of folders, and what a filter hides",
  ignore,
  fn: () =>
    browsing({ samples }, ({ program, withPage, bucketPage }) =>
      withSharedBrowser(async (browser) => {
        await withPage({ browser }, async (page) => {
          await open(page, bucketPage);
          await page.getByRole("row", { name: "big.bin" }).locator(".object-size").click();
          await page.getByRole("row", { name: "readme.md" }).locator(".object-size").click({
            modifiers: ["Shift"],
          });
          await page.getByText("3 items selected").waitFor();
          // Chromium lets no text be marked of what can be dragged; a reader's rows cannot.
          const marking = await page.evaluate(`{
            const row = document.querySelector(".object-body .object-row");
            row.removeAttribute("draggable");
            getComputedStyle(row).userSelect;
          }`);
          assert.equal(marking, "none", "rows are selected, no text");
          await page.keyboard.press("Escape");
          await page.getByRole("checkbox", { name: "Select readme.md" }).click();
          await page.keyboard.press("/");
          await page.getByRole("button", { name: "Clear selection" }).waitFor();
          const bar = page.getByRole("toolbar");
          assert.equal((await bar.boundingBox())?.height, 40);
          for (const [name, asks] of [["Share", "Share this object"], ["Tags", "Change 1 object"]]) {
            await bar.getByRole("button", { name, exact: true }).click();
            await page.getByRole("dialog", { name: asks }).waitFor();
            await page.keyboard.press("Escape");
            await page.getByRole("dialog").waitFor({ state: "detached" });
          }
          await page.getByRole("button", { name: "Clear selection" }).click();
          await page.getByRole("button", { name: "Filter by type" }).click();
          await page.getByRole("button", { name: "Images 1" }).click();
          await untilNames(page, ["photo.png"]);
          await page.waitForURL(/[?&]type=image/);
          await page.getByRole("checkbox", { name: "Select photo.png" }).click();
          await page.getByRole("button", { name: "Documents 1" }).click();
          await page.getByRole("button", { name: "Images 1" }).click();
          await page.getByText("1 item selected (1 not shown)").waitFor();
          await page.keyboard.press("Escape");
          await page.getByRole("button", { name: "Filter by type" }).click();
          await page.waitForURL(/files$/);
          await page.getByRole("button", { name: "View options" }).click();
          await page.getByRole("menuitemcheckbox", { name: "Type" }).click();
          await page.getByRole("columnheader", { name: "Type" }).waitFor();
          // As from a backend that lists too slowly to be counted in one request.
          await page.route("**/prefix-size?*", async (route) => {
            const response = await route.fetch();
            const counted = await response.json();
            await route.fulfill({ response, json: { ...counted, bytes: 5, count: 1, truncated: true } });
          });
          await page.getByRole("menuitem", { name: "Measure folders" }).click();
          await page.getByText("More than 5 B").waitFor();
          await page.locator('.object-size [title*="1 object, counted "]', { hasText: "≥ 5 B" }).waitFor();
          await page.getByRole("button", { name: "Count the rest" }).click();
          await page.locator('.object-size [title^="2 objects, counted "]', { hasText: "6 B" }).waitFor();
          await page.unroute("**/prefix-size?*");
          await page.reload();
          await page.getByRole("columnheader", { name: "Type" }).waitFor();
          await page.getByRole("button", { name: "Show as pictures" }).click();
          await page.waitForURL(/view=grid/);
          await page.locator(".tile img").waitFor();
          await eventually(async () =>
            assert.equal(await page.evaluate("document.querySelector('.tile img').naturalWidth"), 1)
          );
          const focused = (name: string) => page.locator(":focus", { hasText: name }).waitFor();
          await page.getByRole("link", { name: "docs" }).focus();
          await page.keyboard.press("End");
          await focused("readme.md");
          await page.keyboard.press("ArrowLeft");
          await focused("photo.png");
          await page.keyboard.press("Space");
          await page.getByText("1 item selected").waitFor();
          await page.keyboard.press("Escape");
          await page.keyboard.press("F2");
          await page.getByLabel("New name").and(page.locator(":focus")).waitFor();
          await page.keyboard.press("Escape");
          await focused("photo.png");
          await page.getByRole("button", { name: "Actions for photo.png" }).click();
          await page.getByRole("menuitem", { name: "Details" }).click();
          await page.getByRole("complementary", { name: "Details" }).getByText("1 × 1").waitFor();
          await page.getByRole("button", { name: "Close details" }).click();
          await page.getByRole("link", { name: "docs" }).click();
          await page.waitForURL(/p=docs\/&view=grid/);
          await page.getByRole("button", { name: "Show as a list" }).click();
          await eventually(async () => assert.deepEqual(await names(page), ["deep", "a.txt"]));
        });
        await withPage({ browser, isPhone: true }, async (page) => {
          await open(page, bucketPage);
          await page.locator("#objects[data-drags]").waitFor();
          const row = (name: string) => page.getByRole("row").getByRole("link", { name });
          const lift = await press(page, row("readme.md"));
          await page.getByText("1 item selected").waitFor();
          await lift();
          await row("photo.png").tap();
          await page.getByText("2 items selected").waitFor();
          await row("docs").tap();
          await page.getByText("3 items selected").waitFor();
          // Two taps in quick succession are no double click: else what is open would cover the button.
          const size = page.getByRole("row").filter({ hasText: "readme.md" }).locator(".object-size");
          const { x, y } = await size.boundingBox() ?? { x: 0, y: 0 };
          await page.touchscreen.tap(x + 4, y + 4);
          await page.touchscreen.tap(x + 4, y + 4);
          await page.getByText("3 items selected").waitFor();
          assert.equal(await page.getByRole("toolbar").getByRole("button", { name: "Share" }).count(), 0);
          await page.getByRole("button", { name: "More actions" }).tap();
          await page.getByRole("menuitem", { name: "Tags and metadata…" }).waitFor();
          await page.getByRole("menuitem", { name: "Share…" }).waitFor();
          await page.keyboard.press("Escape");
          await page.getByRole("menuitem", { name: "Share…" }).waitFor({ state: "hidden" });
          // A key is the menu's also before it has the focus.
          await page.evaluate(`{
            const button = document.querySelector('[aria-label="More actions"]');
            button.click();
            button.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
          }`);
          await page.getByText("3 items selected").waitFor();
          await page.keyboard.press("Escape");
          await page.getByRole("menuitem", { name: "Share…" }).waitFor({ state: "hidden" });
          await page.getByRole("button", { name: "Clear selection" }).tap();
          await row("docs").tap();
          await untilNames(page, ["deep", "a.txt"]);
          await row("a.txt").tap();
          await page.locator(".browser-main[inert]").waitFor();
          await page.getByRole("button", { name: "Close details" }).tap();
          await page.locator("#objects:focus").waitFor();
          const liftAgain = await press(page, row("a.txt"));
          await page.getByText("1 item selected").waitFor();
          await liftAgain();
          await row("deep").tap();
          await page.getByText("2 items selected").waitFor();
          // The keyboard opens what it would open, whatever a finger has done before.
          await row("a.txt").press("Enter");
          await page.locator(".browser-main[inert]").waitFor();
        });
        await checkLooks(program, {
          name: "browse-selected",
          path: bucketPage,
          user: "admin",
          prepare: async (page) => {
            await page.getByRole("checkbox", { name: "Select docs" }).click();
            await page.getByRole("checkbox", { name: "Select readme.md" }).click();
            await page.getByText("2 items selected").waitFor();
          },
        });
        await checkLooks(program, {
          name: "browse-move",
          path: bucketPage,
          user: "admin",
          prepare: async (page) => {
            await page.getByRole("checkbox", { name: "Select readme.md" }).click();
            await page.keyboard.press("m");
            await page.getByRole("textbox", { name: "Folder" }).fill("docs/");
            await page.getByText("1 object, ").waitFor();
          },
        });
      })),
});

/** Puts a finger on something. Returns what lifts it. */
async function press(page: Page, target: Locator): Promise<() => Promise<void>> {
  const box = await target.boundingBox();
  assert.ok(box);
  const session = await page.context().newCDPSession(page);
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
  return async () => {
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
}
