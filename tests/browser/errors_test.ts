import assert from "node:assert/strict";
import { skipBrowser, withPage } from "../support/browser.ts";
import { openPage } from "../support/looks.ts";
import { withProgram } from "../support/program.ts";

Deno.test({ name: "error pages", ignore: skipBrowser() }, async (t) => {
  const expectedErrors = [/status of 40[34]/];
  await withProgram({ users: { admin: "admin", reader: "readonly" } }, async (program) => {
    await t.step(
      "keep the navigation and lead back",
      () =>
        withPage(program, { user: "reader", expectedErrors }, async (page) => {
          await openPage(page, "/admin/users");
          await page.getByRole("heading", { name: "You may not see this page" }).waitFor();
          await page.getByText(/^Request [0-9a-f-]{36}$/).waitFor();
          await page.getByRole("link", { name: "Go to the overview" }).click();
          await page.getByRole("heading", { name: "Overview" }).waitFor();
        }),
    );

    await t.step(
      "without a session lead to the sign-in page",
      () =>
        withPage(program, { expectedErrors }, async (page) => {
          await openPage(page, "/nowhere");
          assert.equal(await page.getByRole("navigation").count(), 0);
          await page.getByRole("link", { name: "Sign in" }).waitFor();
        }),
    );
  });
});
