import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { hashPassword } from "../../src/auth/passwords.ts";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { status } from "../support/http_client.ts";
import { checkLooks, openPage, openWatched } from "../support/looks.ts";
import { addOidcUser } from "../support/oidc_user.ts";
import { eventually, until } from "../support/poll.ts";
import { testPassword, withProgram } from "../support/program.ts";

async function choose(page: Page, user: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${user}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

Deno.test({ name: "managing users", ignore: skipBrowser() }, async (t) => {
  const auth = { modes: ["local", "static"], static: { username: "ops", password_hash_env: "OPS_HASH" } };
  const env = { OPS_HASH: await hashPassword(testPassword) };
  const users = { admin: "admin", maria: "user", paul: "user", former: "user" } as const;
  await withProgram({ users, config: { auth }, env }, (program) =>
    withSharedBrowser(async (browser) => {
      addOidcUser(program);

      await t.step(
        "a user is made; a name that is taken is said at its field",
        () =>
          withPage(program, { browser, user: "admin", expectedErrors: [/status of 409/] }, async (page) => {
            await openPage(page, "/admin/users");
            await page.getByRole("button", { name: "Create user" }).first().click();
            const dialog = page.getByRole("dialog", { name: "Create user" });
            await dialog.getByLabel("User name").fill("maria");
            await dialog.getByLabel("Password", { exact: true }).fill(testPassword);
            await dialog.getByRole("button", { name: "Create user" }).click();
            await dialog.getByText("is taken").waitFor();
            await dialog.getByLabel("User name").fill("newcomer");
            await dialog.getByLabel("Read-only").check();
            await dialog.getByText("Show command").click();
            const command = dialog.locator("code", { hasText: '"username":"newcomer"' });
            assert.match(await command.innerText(), /"password":"SECRET".*"role":"readonly"/);
            await dialog.getByRole("button", { name: "Create user" }).click();
            await page.getByText("newcomer can sign in now.").waitFor();
            const row = page.getByRole("row", { name: /newcomer/ });
            await eventually(async () =>
              assert.match(await row.innerText(), /Read-only[\s\S]*Must change password/)
            );
          }),
      );

      await t.step(
        "a random password is shown once, and works; filters are in the address",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await openPage(page, "/admin/users?role=readonly");
            await page.getByRole("button", { name: "Create user" }).click();
            const dialog = page.getByRole("dialog", { name: "Create user" });
            await dialog.getByLabel("User name").fill("generated");
            await dialog.getByRole("button", { name: "Make a random password" }).click();
            await dialog.getByRole("button", { name: "Create user" }).click();
            const secret = await page.locator("[data-secret]").innerText();
            await page.getByRole("button", { name: "Done" }).click();
            await page.getByText("generated can sign in now.").waitFor();
            await program.client().signIn("generated", secret);
            await page.getByText("1 user", { exact: true }).waitFor();
            assert.equal(await page.getByRole("row", { name: /generated/ }).count(), 0);
            await page.getByLabel("Role", { exact: true }).selectOption("");
            await page.getByRole("row", { name: /generated/ }).waitFor();
            await page.getByLabel("Signs in with").selectOption("oidc");
            await page.waitForURL((url) => url.search === "?source=oidc");
            await page.goBack();
            await page.locator("html[data-ready]").waitFor();
            await page.getByRole("row", { name: /generated/ }).waitFor();
            assert.equal(new URL(page.url()).search, "");
            await page.goForward();
            await page.waitForURL((url) => url.search === "?source=oidc");
            await page.getByText("1 user", { exact: true }).waitFor();
          }),
      );

      await t.step(
        "role, state and password are changed",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
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
        "the sessions of a user are listed, and ended one by one or all at once",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            const sessions = await Promise.all([1, 2, 3].map(() => program.signedIn("paul")));
            const open = async () =>
              (await Promise.all(sessions.map((session) => status(session.get("/api/me")))))
                .filter((answer) => answer === 200).length;
            await openPage(page, "/admin/users");
            await choose(page, "paul", "Sessions…");
            const dialog = page.getByRole("dialog", { name: "Sessions of paul" });
            await dialog.getByText("3 browsers or programs are signed in.").waitFor();
            await dialog.getByRole("button", { name: /^End session of Deno.* at 198\.18\./ }).first().click();
            await dialog.getByText("2 browsers or programs are signed in.").waitFor();
            assert.equal(await open(), 2);
            await dialog.getByRole("button", { name: "End all" }).click();
            await dialog.getByText("Nobody is signed in as this user.").waitFor();
            assert.equal(await open(), 0);
            await until(async () => await page.evaluate("document.activeElement.textContent") === "Done", {
              what: "the focus to be on the button that is left",
            });
            await page.keyboard.press("Enter");
            await dialog.waitFor({ state: "detached" });
            await choose(page, "admin", "Sessions…");
            const own = page.getByRole("dialog", { name: "Sessions of admin" });
            await own.getByText("This browser").waitFor();
            await own.getByRole("button", { name: "End all others" }).click();
            await own.getByText("1 browser or program is signed in.").waitFor();
          }),
      );

      await t.step(
        "users of an identity provider and of the configuration are shown as such, with what cannot be done to them",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await openPage(page, "/admin/users");
            const entry = (name: string) => page.getByRole("menuitem", { name });
            await page.getByRole("row", { name: /olivia.*Single sign-on/s }).waitFor();
            await page.getByRole("button", { name: "Actions for olivia" }).click();
            assert.ok(await entry("Reset password…").isDisabled());
            assert.equal(
              await entry("Reset password…").getAttribute("title"),
              "The identity provider keeps the password",
            );
            for (const name of ["Change role…", "Disable", "Delete…"]) {
              assert.ok(await entry(name).isEnabled());
            }
            await page.keyboard.press("Escape");
            await page.getByRole("row", { name: /ops.*Configuration/s }).waitFor();
            await page.getByRole("button", { name: "Actions for ops" }).click();
            for (const name of ["Change role…", "Reset password…", "Disable", "Delete…"]) {
              assert.ok(await entry(name).isDisabled(), name);
              assert.equal(
                await entry(name).getAttribute("title"),
                "This account is defined in the configuration",
              );
            }
            // Who uses the keyboard comes to the entries, reads why, and cannot choose them.
            await page.keyboard.press("ArrowUp");
            await page.locator("[role=menuitem]:focus[aria-disabled] small").waitFor();
            await page.keyboard.press("Enter");
            assert.equal(await page.getByRole("dialog").count(), 0);
            assert.ok(await entry("Sessions…").isEnabled());
          }),
      );

      await t.step(
        "a user is deleted after asking, and the focus is not lost",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await program.signedIn("former");
            await openWatched(page, "/admin/users");
            await choose(page, "former", "Delete…");
            await page.getByText("1 open session", { exact: true }).waitFor();
            await page.getByRole("button", { name: "Delete user" }).click();
            await page.getByText("former is deleted.").waitFor();
            await page.getByRole("row", { name: /former/ }).waitFor({ state: "detached" });
            await page.locator("tbody .icon-button:focus").waitFor();
          }),
      );

      await t.step(
        "what one cannot do to oneself is switched off; the search narrows",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
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
        await program.signedIn("paul");
        await checkLooks(program, {
          name: "user-sessions",
          path: "/admin/users",
          user: "admin",
          prepare: async (page) => {
            await choose(page, "paul", "Sessions…");
            await page.getByRole("dialog").getByRole("listitem").first().waitFor();
          },
        });
        await checkLooks(program, {
          name: "user-new",
          path: "/admin/users",
          user: "admin",
          prepare: async (page) => {
            await page.getByRole("button", { name: "Create user" }).click();
            await page.getByRole("dialog", { name: "Create user" }).waitFor();
          },
        });
      });
    }));
});
