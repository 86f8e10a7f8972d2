import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type Scene, scenes } from "../showcase/scenes.ts";
import { withStage } from "../showcase/stage.ts";
import { accessibilityFaults, skipBrowser, withPage } from "../support/browser.ts";
import { checkBoxes, checkWidth, lookAround, openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import type { Program } from "../support/program.ts";
import { skipUpstream } from "../support/upstreams.ts";

// Pages are loaded wide and in English, looked at in every way, and loaded once more as a phone in German does.

const wide = { width: 1280, height: 1024 };
const phone = { width: 360, height: 740 };

/** What 1280 CSS pixels are at a zoom of 400 %: WCAG 2.2, 1.4.10. */
const zoomed = { width: 320, height: 256 };

/** Whether a scene shows settings, accounts, or what administrators see. */
export function isAboutManaging({ name }: Scene): boolean {
  return /^(account|admin|credentials|insights|policy|settings|transfers)/.test(name);
}

/**
 * Registers a test that looks at the scenes that `belongs` picks. They are divided among files, which run side by side, and
 * share one program and one browser in each.
 */
export function looksTest(what: string, belongs: (scene: Scene) => boolean): void {
  Deno.test({
    name: `${what} look right: in both themes, wide and narrow, zoomed, with spaced text, in German`,
    ignore: skipBrowser() || skipUpstream("minio"),
    fn: (t) =>
      withStage(async (stage) => {
        for (const sitting of sittings(scenes(stage).filter(belongs))) {
          const [{ user = "admin", expectedErrors }] = sitting;
          await withPage(stage.program, { user: user ?? undefined, expectedErrors }, async (page) => {
            await page.emulateMedia({ reducedMotion: "reduce" });
            for (const scene of sitting) {
              await t.step(scene.name, () => lookAtScene(page, stage.program, scene));
            }
          });
        }
      }),
  });
}

/** Scenes that can follow each other in one page: those of the same person, with the same errors in the console. */
export function sittings(all: readonly Scene[]): Iterable<Scene[]> {
  return Map.groupBy(all, ({ name, user = "admin", expectedErrors = [], isBusy }) =>
    // What is under way would go on in the next scene.
    isBusy ? name : `${user} ${expectedErrors.join()}`).values();
}

async function lookAtScene(page: Page, program: Program, scene: Scene): Promise<void> {
  const { name, path, prepare } = scene;
  await page.setViewportSize(wide);
  await openPage(page, path);
  await prepare?.(page);
  await loaded(page);
  await lookAround(page, name);
  for (const screen of [phone, wide]) {
    await page.setViewportSize(screen);
    await checkBoxes(page, `${name} at ${screen.width} px`);
  }
  await page.setViewportSize(zoomed);
  await checkWidth(page, `${name} at a zoom of 400 %`);
  await page.setViewportSize(phone);
  await page.evaluate(spacedText);
  await checkWidth(page, `${name} with spaced text`);
  if (prepare === undefined) await lookInGerman(page, program, scene);
}

/** As a phone in German loads it. */
async function lookInGerman(page: Page, { url }: Program, { name, path }: Scene): Promise<void> {
  const context = page.context();
  await context.addCookies([{ name: "ui_language", value: "de", url }]);
  await page.setViewportSize(phone);
  await openPage(page, path);
  await loaded(page);
  assert.equal(await page.locator("html").getAttribute("lang"), "de", name);
  assert.deepEqual(await accessibilityFaults(page), [], `${name} in German`);
  await checkWidth(page, `${name} in German`);
  await page.setViewportSize(zoomed);
  await checkWidth(page, `${name} in German at a zoom of 400 %`);
  await context.clearCookies({ name: "ui_language" });
}

/** Waits until everything of a page is there that it loads by itself. */
async function loaded(page: Page): Promise<void> {
  await eventually(async () => assert.equal(await page.locator("main .skeleton").count(), 0));
}

/** Spaces text as WCAG 2.2, 1.4.12 says that it must be possible to. */
const spacedText = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-block-end: 2em !important }
  \`);
  document.adoptedStyleSheets.push(sheet);
}`;
