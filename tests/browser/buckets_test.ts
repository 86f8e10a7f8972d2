import assert from "node:assert/strict";
import { accessibilityFaults, skipBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { eventually } from "../support/poll.ts";
import { browsing, open } from "./browsing.ts";

const ignore = skipBrowser();

Deno.test({
  name: "buckets: create, filter, sort and delete",
  ignore,
  fn: () =>
    browsing(
      { samples: { "a.txt": {} } },
      ({ program, withPage }) =>
        withPage({}, async (page) => {
          await open(page, "/b/local");
          await page.getByRole("button", { name: "Create bucket" }).first().click();
          const dialog = page.getByRole("dialog");
          const name = dialog.getByLabel("Name");
          await name.fill("Bad_Name");
          await name.press("Enter");
          await dialog.getByText("lower case letters, digits, dots and hyphens only").waitFor();
          await name.fill("files");
          await dialog.getByText("There is a bucket of this name").waitFor();
          await name.fill("new-bucket");
          await name.press("Enter");
          await page.getByRole("link", { name: "new-bucket" }).waitFor();
          assert.deepEqual(await bucketNames(program), ["files", "new-bucket"]);

          await page.getByRole("button", { name: "Name" }).click();
          await page.waitForURL(/\?dir=desc$/);
          await eventually(async () =>
            assert.deepEqual(await page.locator(".bucket-link").allInnerTexts(), ["new-bucket", "files"])
          );
          await page.keyboard.press("/");
          await page.keyboard.type("new");
          await page.getByRole("link", { name: "files" }).waitFor({ state: "hidden" });
          await page.getByLabel("Filter buckets").fill("nothing");
          await page.getByRole("button", { name: "Clear the filter" }).click();

          await askToDelete(page, "new-bucket");
          const remove = dialog.getByRole("button", { name: "Delete bucket" });
          assert.equal(await remove.isDisabled(), true, "the name must be typed first");
          await dialog.getByLabel("Type new-bucket to go on").fill("new-bucket");
          await remove.click();
          await page.getByText("Bucket new-bucket deleted").waitFor();
          await page.locator("main:focus").waitFor();
          assert.deepEqual(await bucketNames(program), ["files"]);

          await askToDelete(page, "files");
          await dialog.getByText("This bucket is not empty").waitFor();
          assert.equal(await remove.count(), 0);
          assert.deepEqual(await bucketNames(program), ["files"]);
          await dialog.getByRole("link", { name: "Open bucket" }).click();
          await page.getByRole("link", { name: "a.txt" }).waitFor();
        }),
    ),
});

Deno.test({
  name: "buckets: who may not create or delete sees no control for it",
  ignore,
  fn: () =>
    browsing(
      { samples: {}, users: { reader: "readonly" } },
      ({ withPage }) =>
        withPage({ user: "reader" }, async (page) => {
          await open(page, "/b/local");
          await page.getByRole("link", { name: "files" }).waitFor();
          assert.equal(await page.getByRole("button", { name: /Create bucket|Actions for/ }).count(), 0);
        }),
    ),
});

Deno.test({
  name: "buckets: a backend that is down is said, and can be tried again",
  ignore,
  fn: () =>
    browsing(
      { samples: {} },
      ({ withPage, stopUpstream }) =>
        withPage({ expectedErrors: [/status of 50\d/] }, async (page) => {
          await stopUpstream();
          await open(page, "/b/local");
          await page.getByText("The buckets could not be listed").waitFor();
          const answer = page.waitForResponse("**/api/backends/local/buckets*");
          await page.getByRole("button", { name: "Try again" }).click();
          assert.ok((await answer).status() >= 500);
          await page.getByText("The buckets could not be listed").waitFor();
          await page.getByRole("button", { name: "Create bucket" }).waitFor({ state: "detached" });
          await page.getByRole("main").getByRole("link", { name: "Backends" }).waitFor();
        }),
    ),
});

for (const colorScheme of ["light", "dark"] as const) {
  Deno.test({
    name: `buckets: accessible in ${colorScheme}, wide and narrow`,
    ignore,
    fn: () =>
      browsing({ samples: {} }, async ({ withPage }) => {
        for (const width of [1280, 360]) {
          await withPage({ colorScheme, viewport: { width, height: 740 } }, async (page) => {
            await page.emulateMedia({ reducedMotion: "reduce" });
            await open(page, "/b/local");
            assert.deepEqual(await accessibilityFaults(page), []);
            assert.equal(await page.evaluate("document.documentElement.scrollWidth > innerWidth"), false);
            await page.getByRole("button", { name: "Create bucket" }).click();
            await page.getByRole("dialog", { name: "Create bucket" }).waitFor();
            assert.deepEqual(await accessibilityFaults(page), []);
          });
        }
      }),
  });
}

async function bucketNames(
  program: Parameters<Parameters<typeof browsing>[1]>[0]["program"],
): Promise<string[]> {
  const { buckets } = await json((await program.signedIn()).get("/api/backends/local/buckets"));
  return buckets.map(({ name }: { name: string }) => name);
}

async function askToDelete(page: import("playwright-core").Page, bucket: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${bucket}` }).click();
  await page.getByRole("menuitem", { name: "Delete bucket" }).click();
}
