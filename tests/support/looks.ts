import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { accessibilityFaults, type PageOptions, withBrowser, withPage } from "./browser.ts";
import type { Program } from "./program.ts";

/** What {@link checkLooks} looks at. */
export interface Look extends PageOptions {
  /** Names the screenshots. */
  readonly name: string;
  readonly path: string;
  /** Brings the page into the state that is looked at, and waits until it is there. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const widths = { 1280: 800, 360: 740 };

/**
 * Looks at a page in both themes, wide and narrow: no accessibility fault, nothing wider than the screen. Keeps
 * screenshots in the directory that `SCREENSHOT_DIRECTORY` names.
 */
export async function checkLooks(program: Program, { name, path, prepare, ...options }: Look): Promise<void> {
  const session = options.user === undefined ? undefined : await program.signedIn(options.user);
  await withBrowser(async (browser) => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const [width, height] of Object.entries(widths)) {
        const viewport = { width: Number(width), height };
        const pageOptions = { ...options, session, browser, colorScheme, viewport };
        await withPage(program, pageOptions, async (page) => {
          // A colour that is only half faded in has too little contrast.
          await page.emulateMedia({ reducedMotion: "reduce" });
          await openPage(page, path);
          await prepare?.(page);
          await checkLook(page, `${name}-${width}-${colorScheme}`);
        });
      }
    }
  });
}

async function checkLook(page: Page, look: string): Promise<void> {
  assert.deepEqual(await accessibilityFaults(page), [], look);
  const overflow = await page.evaluate("document.querySelector('main').scrollWidth - innerWidth");
  assert.ok(Number(overflow) <= 0, `${look} is ${overflow} px too wide`);
  const directory = Deno.env.get("SCREENSHOT_DIRECTORY");
  if (directory) await page.screenshot({ path: join(directory, `${look}.png`) });
}

/** Opens a page and waits until its script has brought it to life. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForSelector("html[data-ready]");
}

/** Waits until a click or a key has led to another page, and until its script has brought it to life. */
export async function landOn(page: Page, url: Parameters<Page["waitForURL"]>[0]): Promise<void> {
  await page.waitForURL(url);
  await page.waitForSelector("html[data-ready]");
}
