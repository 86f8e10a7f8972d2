import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { accessibilityFaults, type PageOptions, withPage } from "./browser.ts";
import { eventually } from "./poll.ts";
import type { Program } from "./program.ts";

/** What {@link checkLooks} looks at. */
export interface Look extends PageOptions {
  /** Names the screenshots. */
  readonly name: string;
  readonly path: string;
  /** Brings the page into the state that is looked at, and waits until it is there. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** A wide screen and a phone's, in CSS pixels. */
const screens = [{ width: 1280, height: 1024 }, { width: 360, height: 740 }];

/** Opens a page and {@link lookAround looks around}. */
export async function checkLooks(program: Program, { name, path, prepare, ...options }: Look): Promise<void> {
  await withPage(program, options, async (page) => {
    // A colour that is only half faded in has too little contrast.
    await page.emulateMedia({ reducedMotion: "reduce" });
    await openPage(page, path);
    await prepare?.(page);
    await lookAround(page, name);
  });
}

/**
 * Looks at a page as it is, wide and narrow, in both themes: no accessibility fault, nothing wider than the screen. Keeps
 * screenshots named after `name` in the directory that `SCREENSHOT_DIRECTORY` names.
 */
export async function lookAround(page: Page, name: string): Promise<void> {
  for (const { width, height } of screens) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await drawn(page);
      const look = `${name}-${width}-${colorScheme}`;
      // Themes differ in their colours alone.
      const faults = await accessibilityFaults(page, colorScheme === "light" ? "all" : "colors");
      assert.deepEqual(faults, [], look);
      await checkWidth(page, look);
      const directory = Deno.env.get("SCREENSHOT_DIRECTORY");
      if (directory) await page.screenshot({ path: join(directory, `${look}.png`) });
    }
  }
}

/** Asserts that nothing of a page is wider than the screen; `look` says in an error how it was looked at. */
export async function checkWidth(page: Page, look: string): Promise<void> {
  // Charts and lists follow the width a little later.
  await eventually(async () => {
    const overflow = await page.evaluate("document.querySelector('main').scrollWidth - innerWidth");
    assert.ok(Number(overflow) <= 0, `${look} is ${overflow} px too wide`);
  });
}

/** Asserts that no table and no dialog is wider than the box that it scrolls in; `look` is as in {@link checkWidth}. */
export async function checkBoxes(page: Page, look: string): Promise<void> {
  await eventually(async () => assert.deepEqual(await page.evaluate(tooWide), [], look));
}

/** The boxes that hold more than they are wide, and by how much. */
const tooWide = `[...document.querySelectorAll(".table-box, .dialog-body")]
  .map((box) => [box.className, box.scrollWidth - box.clientWidth])
  .filter(([, excess]) => excess > 0).map(([name, excess]) => name + ": " + excess + " px too wide")`;

/** Waits until a page has been drawn as it is now. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

/** Opens a page and waits until its script has brought it to life. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForSelector("html[data-ready]");
}

/** Opens a page and waits until it also notices what becomes of the session and the connection. */
export async function openWatched(page: Page, path: string): Promise<void> {
  await openPage(page, path);
  await page.waitForSelector("html[data-watched]");
}

/** Hides a page as another tab would that is looked at, or shows it again. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`{
    Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
    document.dispatchEvent(new Event("visibilitychange"));
  }`);
}

/** Waits until a click or a key has led to another page, and until its script has brought it to life. */
export async function landOn(page: Page, url: Parameters<Page["waitForURL"]>[0]): Promise<void> {
  await page.waitForURL(url);
  await page.waitForSelector("html[data-ready]");
}
