import assert from "node:assert/strict";
import { skipBrowser } from "../support/browser.ts";
import { eventually } from "../support/poll.ts";
import { browsing, open, untilNames } from "./browsing.ts";

const ignore = skipBrowser();

const samples = {
  "docs/a.txt": { body: "alpha" },
  "docs/deep/b.txt": { body: "x" },
  "big.bin": {},
  "readme.md": { body: "# Hello" },
  "small.txt": {},
};

Deno.test({
  name: "deletion: several rows are selected and deleted, folders with all that is in them",
  ignore,
  fn: () =>
    browsing({ samples }, ({ withPage, bucketPage, keys }) =>
      withPage({}, async (page) => {
        await open(page, bucketPage);
        await page.getByRole("checkbox", { name: "Select docs" }).click();
        await page.getByRole("checkbox", { name: "Select readme.md" }).click({ modifiers: ["Shift"] });
        await page.getByText("3 items selected").waitFor();
        await page.getByRole("checkbox", { name: "Select big.bin" }).click();
        await page.getByText("2 items selected").waitFor();
        await page.getByRole("button", { name: "Delete" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("3 objects, 13 B.").waitFor();
        assert.deepEqual(await dialog.locator(".delete-names li").allInnerTexts(), ["docs", "readme.md"]);
        await dialog.getByLabel("Type files to go on").fill("files");
        await dialog.getByRole("button", { name: "Delete 3 objects" }).click();
        await page.getByText("3 objects deleted").waitFor();
        await untilNames(page, ["big.bin", "small.txt"]);
        assert.deepEqual(await keys(), ["big.bin", "small.txt"]);
      })),
});

Deno.test({
  name: "deletion: more than 100 objects are deleted only after the name is typed",
  ignore,
  fn: () => {
    const many = Array.from({ length: 120 }, (_, index) => [`logs/${String(index).padStart(3, "0")}`, {}]);
    return browsing(
      { samples: Object.fromEntries(many) },
      ({ withPage, bucketPage, keys }) =>
        withPage({}, async (page) => {
          await open(page, bucketPage);
          await page.getByRole("checkbox", { name: "Select logs" }).click();
          await page.keyboard.press("Delete");
          const remove = page.getByRole("button", { name: "Delete 120 objects" });
          await remove.waitFor();
          assert.equal(await remove.isDisabled(), true);
          await page.getByLabel("Type logs to go on").and(page.locator(":focus")).waitFor();
          await page.keyboard.type("logs");
          await remove.click();
          await page.getByText("This bucket is empty").waitFor();
          assert.deepEqual(await keys(), []);
        }),
    );
  },
});

Deno.test({
  name: "deletion: more than 100 selected objects are counted and deleted by the server, which goes on alone",
  ignore,
  fn: () => {
    const many = Array.from({ length: 130 }, (_, index) => [`n${String(index).padStart(3, "0")}`, {}]);
    return browsing(
      { samples: { ...Object.fromEntries(many), "z.txt": {} } },
      ({ withPage, bucketPage, keys }) =>
        withPage({ expectedErrors: [/net::ERR_FAILED/] }, async (page) => {
          await open(page, bucketPage);
          await page.locator("#objects").focus();
          await page.keyboard.press("Control+a");
          await page.getByText("131 items selected").waitFor();
          await page.getByRole("checkbox", { name: "Select n000" }).click();
          await page.getByText("130 items selected").waitFor();
          await page.getByRole("button", { name: "Delete" }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByText("130 objects, 130 B.").waitFor();
          await dialog.getByText("From n001 to z.txt.").waitFor();
          await dialog.getByLabel("Type files to go on").fill("files");
          // The page hears nothing of the job, as if it had been left.
          await page.route(/\/api\/jobs\//, (route) => route.abort());
          await dialog.getByRole("button", { name: "Delete 130 objects" }).click();
          await eventually(async () => assert.deepEqual(await keys(), ["n000"]));
          await page.unroute(/\/api\/jobs\//);
          await open(page, "/transfers");
          await page.getByText("Delete 130 items in files").waitFor();
        }),
    );
  },
});

Deno.test({
  name: "deletion: what was not deleted is told with the id of the request, to be copied",
  ignore,
  fn: () =>
    browsing({ samples }, ({ withPage, bucketPage }) =>
      withPage({}, async (page) => {
        await open(page, bucketPage);
        await page.route(/\/objects\/delete$/, (route) =>
          route.fulfill({
            headers: { "x-request-id": "request-9" },
            json: { deleted: [], errors: [{ key: "big.bin", code: "forbidden", message: "No." }] },
          }));
        await page.getByRole("checkbox", { name: "Select big.bin" }).click();
        await page.keyboard.press("Delete");
        await page.getByRole("dialog").getByRole("button", { name: /^Delete/ }).click();
        const error = page.locator("#alerts .toast");
        await error.getByText("Request request-9").waitFor();
        await error.getByRole("button", { name: "Copy details" }).waitFor();
      })),
});
