import assert from "node:assert/strict";
import { accessibilityFaults, skipBrowser } from "../support/browser.ts";
import { type Browsing, browsing, open } from "./browsing.ts";

const ignore = skipBrowser();

const samples = { "docs/a.txt": {}, "readme.md": { body: "# Hello" }, "small.txt": { body: "1" } };

Deno.test({
  name: "browser: at 200 % zoom there is room for seven rows at least",
  ignore,
  fn: () =>
    browsing(
      { manyKeys: 30 },
      ({ withPage, bucketPage }) =>
        withPage({ viewport: { width: 640, height: 400 } }, async (page) => {
          await open(page, bucketPage);
          const height = await page.evaluate("document.getElementById('objects').clientHeight - 32");
          const row = (await page.locator(".object-body .object-row").first().boundingBox())?.height ?? 0;
          assert.ok(Number(height) / row >= 7, `${height} px for rows of ${row} px`);
        }),
    ),
});

Deno.test({
  name: "browser: accessible in both themes, wide and narrow",
  ignore,
  fn: (t) =>
    browsing({ samples }, async (bench) => {
      const session = await bench.program.signedIn();
      for (const colorScheme of ["light", "dark"] as const) {
        for (const width of [1280, 360]) {
          const look = { session, colorScheme, viewport: { width, height: 740 } };
          await t.step(`${colorScheme}, ${width} px wide`, () =>
            bench.withPage(look, (page) => checkAccess(bench, page)));
        }
      }
    }),
});

async function checkAccess({ bucketPage }: Browsing, page: import("playwright-core").Page): Promise<void> {
  const check = async (what: string) => assert.deepEqual(await accessibilityFaults(page), [], what);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, bucketPage);
  await page.getByRole("link", { name: "readme.md" }).waitFor();
  await check("list");
  assert.equal(await page.evaluate("document.documentElement.scrollWidth > innerWidth"), false);
  await page.getByRole("checkbox", { name: "Select small.txt" }).click();
  await page.getByText("1 item selected").waitFor();
  await check("selection");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete 1 object" }).waitFor();
  await check("delete dialog");
  await page.keyboard.press("Escape");
  await open(page, `${bucketPage}?o=readme.md`);
  await page.locator(".preview-document").waitFor();
  await check("details");
}
