import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { skipBrowser } from "../support/browser.ts";
import { type Color, contrast } from "../support/contrast.ts";
import { openPage } from "../support/looks.ts";
import { browsing, open } from "./browsing.ts";

/** What is read of the style of an element, as the browser resolves it. */
interface Style {
  readonly color: string;
  readonly backgroundColor: string;
  readonly backgroundImage: string;
}

/** What these tests use of the page's own globals. */
interface Globals {
  getComputedStyle(element: unknown, part: string): Style;
}

/** How an element, or a part of it, is painted. */
function styleOf(found: Locator, part = ""): Promise<Style> {
  return found.evaluate((element: unknown, part) => {
    const { getComputedStyle } = globalThis as unknown as Globals;
    const { color, backgroundColor, backgroundImage } = getComputedStyle(element, part);
    return { color, backgroundColor, backgroundImage };
  }, part);
}

/** A colour as it looks on the page: the system's own let some of what is behind them through. */
function onCanvas(text: string, canvas: number): Color {
  const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text);
  assert.ok(parts, text);
  const [red, green, blue, alpha = 1] = parts.slice(1).map((part = "1") => Number(part));
  const blend = (part: number) => part * alpha + canvas * (1 - alpha);
  return [blend(red), blend(green), blend(blue)];
}

/** Asserts that something can be read, and each of some parts of it as well. */
async function assertReadable(canvas: number, what: Locator, parts: readonly Locator[] = []): Promise<void> {
  const { backgroundColor } = await styleOf(what);
  for (const text of [what, ...parts]) {
    const { color } = await styleOf(text);
    const ratio = contrast(onCanvas(color, canvas), onCanvas(backgroundColor, canvas));
    assert.ok(ratio >= 4.5, `${text}: ${color} on ${backgroundColor} is ${ratio.toFixed(2)}`);
  }
}

async function forceColors(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce", colorScheme });
}

Deno.test({
  name: "forced colours: what is chosen can be read, and marks keep what tells them apart",
  ignore: skipBrowser(),
  fn: (t) =>
    browsing({ samples: { "readme.md": { body: "# Hello" } } }, async ({ withPage, bucketPage }) => {
      for (const [colorScheme, canvas] of [["light", 255], ["dark", 0]] as const) {
        await t.step(colorScheme, () =>
          withPage({ user: "admin" }, async (page) => {
            await forceColors(page, colorScheme);

            await open(page, bucketPage);
            await page.locator("#objects").press("s");
            const dialog = page.getByRole("dialog");
            await dialog.locator(".choice").first().waitFor();
            const chips = dialog.locator(".choice > :has(:checked)");
            await chips.first().waitFor();
            for (const chip of await chips.all()) await assertReadable(canvas, chip);
            await assertReadable(canvas, dialog.locator('.segmented > [aria-pressed="true"]'));

            await openPage(page, "/me");
            const chosen = page.locator('.segmented > [aria-pressed="true"]');
            await chosen.first().waitFor();
            for (const segment of await chosen.all()) await assertReadable(canvas, segment);
            await page.keyboard.press("Control+k");
            await page.locator("#palette-list:not([aria-busy])").waitFor();
            await page.keyboard.type("files");
            const row = page.locator('.palette-option[aria-selected="true"]', { hasText: "Local" });
            await row.locator("mark").first().waitFor();
            await assertReadable(canvas, row, [
              row.locator(".icon").first(),
              row.locator("mark").first(),
              row.locator(".palette-detail"),
            ]);

            await openPage(page, "/admin/audit");
            const legend = page.locator(".usage-legend > span");
            await legend.first().waitFor();
            for (const entry of await legend.all()) {
              const { backgroundColor, backgroundImage } = await styleOf(entry, "::before");
              const behind = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
              assert.ok(backgroundImage !== "none" || backgroundColor !== behind, await entry.innerText());
            }
            const { backgroundImage } = await styleOf(page.locator("#rail .dot").first());
            assert.match(backgroundImage, /^linear-gradient/);
          }));
      }
    }),
});
