import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withPage } from "../support/browser.ts";
import { status } from "../support/http_client.ts";
import { checkLooks, openPage } from "../support/looks.ts";
import { until } from "../support/poll.ts";
import { testPassword, withProgram } from "../support/program.ts";

async function choose(page: Page, user: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${user}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

Deno.test({ name: "managing users", ignore: skipBrowser() }, async (t) => {
  await withProgram({ users: { admin: "admin", maria: "user", former: "user" } }, async (program) => {
    await t.step(
      "a user is made; a name that is taken is said at its field",
      () =>
        withPage(program, { user: "admin", expectedErrors: [/status of 409/] }, async (page) => {
          await openPage(page, "/admin/users");
          await page.getByRole("button", { name: "Create user" }).first().click();
          const dialog = page.getByRole("dialog", { name: "Create user" });
          await dialog.getByLabel("User name").fill("maria");
          await dialog.getByLabel("Password", { exact: true }).fill(testPassword);
          await dialog.getByRole("button", { name: "Create user" }).click();
          await dialog.getByText("is taken").waitFor();
          await dialog.getByLabel("User name").fill("newcomer");
          await dialog.getByLabel("Read only").check();
          await dialog.getByRole("button", { name: "Create user" }).click();
          await page.getByText("newcomer can sign in now.").waitFor();
          const row = page.getByRole("row", { name: /newcomer/ });
          assert.match(await row.innerText(), /Read only[\s\S]*Must change password/);
        }),
    );

    await t.step(
      "role, state and password are changed",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          const maria = await program.signedIn("maria");
          await openPage(page, "/admin/users");
          await choose(page, "maria", "Change role…");
          await page.getByLabel("Administrator").check();
          await page.getByRole("button", { name: "Change role" }).click();
          await page.getByText("The role of maria is changed.").waitFor();
          assert.equal(await status(maria.get("/api/admin/users")), 200);

          await choose(page, "maria", "Reset password…");
          await page.getByRole("button", { name: "Reset password" }).click();
          const secret = await page.locator("[data-secret]").innerText();
          await page.waitForFunction("document.activeElement.textContent === 'Done'");
          await page.keyboard.press("Enter");
          await program.client().signIn("maria", secret);

          await choose(page, "maria", "Disable");
          await page.getByText("maria is disabled and signed out.").waitFor();
          await choose(page, "maria", "Enable");
          await page.getByText("maria can sign in again.").waitFor();
        }),
    );

    await t.step(
      "a user is deleted after asking, and the focus is not lost",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/admin/users");
          await choose(page, "former", "Delete…");
          await page.getByRole("button", { name: "Delete user" }).click();
          await page.getByText("former is deleted.").waitFor();
          assert.equal(await page.getByRole("row", { name: /former/ }).count(), 0);
          await until(async () => await page.evaluate("document.activeElement.tagName") === "MAIN", {
            what: "the focus to be in the main part",
          });
        }),
    );

    await t.step(
      "what one cannot do to oneself is switched off; the search narrows",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/admin/users");
          await page.getByRole("button", { name: "Actions for admin" }).click();
          assert.ok(await page.getByRole("menuitem", { name: "Delete…" }).isDisabled());
          await page.keyboard.press("Escape");
          await page.getByLabel("Search users").fill("mar");
          await page.getByText("1 user", { exact: true }).waitFor();
          await page.getByLabel("Search users").fill("nobody at all");
          await page.getByText("No user matches").waitFor();
        }),
    );

    await t.step("looks", async () => {
      await checkLooks(program, { name: "users", path: "/admin/users", user: "admin" });
      await checkLooks(program, {
        name: "user-new",
        path: "/admin/users",
        user: "admin",
        prepare: (page) => page.getByRole("button", { name: "Create user" }).click(),
      });
    });
  });
});
