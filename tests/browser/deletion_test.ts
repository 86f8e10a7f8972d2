import assert from "node:assert/strict";
import { skipBrowser } from "../support/browser.ts";
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
