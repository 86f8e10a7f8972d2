import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withPage } from "../support/browser.ts";
import { checkLooks, landOn, openPage } from "../support/looks.ts";
import { eventually, until } from "../support/poll.ts";
import { testPassword, withProgram } from "../support/program.ts";

const ignore = skipBrowser();
const refused = [/status of (401|429)/];

async function fillIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("User name").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
}

Deno.test({ name: "signing in", ignore }, async (t) => {
  const config = { auth: { local: { lockout: { max_attempts: 3 } } } };
  await withProgram({ users: { admin: "admin", maria: "user", locked: "user" }, config }, async (program) => {
    await t.step(
      "with the keyboard alone, and on to the page that was asked for",
      () =>
        withPage(program, {}, async (page) => {
          await openPage(page, "/admin/audit");
          await page.waitForURL(/\/login\?next=/);
          await page.getByText("Sign in to go on to /admin/audit.").waitFor();
          await page.locator("[name=username]:focus").waitFor();
          await page.keyboard.type("admin");
          await page.keyboard.press("Tab");
          await page.keyboard.type(testPassword);
          await page.keyboard.press("Enter");
          await page.waitForURL(({ pathname }) => pathname === "/admin/audit");
        }),
    );

    await t.step(
      "a wrong password is said once, without telling which half was wrong",
      () =>
        withPage(program, { expectedErrors: refused }, async (page) => {
          await openPage(page, "/login");
          await fillIn(page, "maria", "wrong");
          await page.keyboard.press("Enter");
          await page.getByText("User name or password is wrong.").waitFor();
          await page.locator("[name=password]:focus").waitFor();
          await page.keyboard.type(testPassword);
          await page.keyboard.press("Enter");
          await page.waitForURL("**/");
        }),
    );

    await t.step(
      "a locked account counts down to the next try",
      () =>
        withPage(program, { expectedErrors: refused }, async (page) => {
          await openPage(page, "/login");
          for (let attempt = 0; attempt < 4; attempt++) {
            await fillIn(page, "locked", "wrong");
            const answer = page.waitForResponse("**/auth/login/local");
            await page.keyboard.press("Enter");
            await answer;
            await page.locator("button[aria-busy]").waitFor({ state: "detached" });
          }
          await page.getByText("This account is locked").waitFor();
          const before = await page.locator("[data-countdown]").innerText();
          assert.match(before, /^\d+ min( \d+ s)?$/);
          await until(async () => await page.locator("[data-countdown]").innerText() !== before, {
            what: "the countdown to go on",
          });
          assert.ok(await page.getByRole("button", { name: "Sign in" }).isDisabled());
        }),
    );

    await t.step(
      "the password can be shown, and caps lock is noticed",
      () =>
        withPage(program, {}, async (page) => {
          await openPage(page, "/login");
          const password = page.getByLabel("Password", { exact: true });
          await page.getByRole("button", { name: "Show password" }).click();
          await eventually(async () => assert.equal(await password.getAttribute("type"), "text"));
          await page.getByRole("button", { name: "Hide password" }).click();
          await eventually(async () => assert.equal(await password.getAttribute("type"), "password"));
          await password.dispatchEvent("keydown", { key: "A", modifierCapsLock: true });
          await page.getByText("Caps lock is on").waitFor();
        }),
    );

    await t.step(
      "the language is chosen there, without script too, and `next` is kept",
      () =>
        withPage(program, { javaScriptEnabled: false }, async (page) => {
          await page.setExtraHTTPHeaders({ "accept-language": "de-AT,de;q=0.9,en;q=0.5" });
          await page.goto("/me");
          await page.getByRole("heading", { name: "Anmelden" }).waitFor();
          await page.getByRole("link", { name: "English" }).click();
          await page.getByRole("heading", { name: "Sign in" }).waitFor();
          await page.getByText("Sign in to go on to /me.").waitFor();
          await page.goto("/login");
          await page.getByRole("heading", { name: "Sign in" }).waitFor();
        }),
    );

    await t.step("without script", () =>
      withPage(program, { javaScriptEnabled: false }, async (page) => {
        await page.goto("/me");
        await fillIn(page, "maria", "wrong");
        await page.keyboard.press("Enter");
        await page.getByText("User name or password is wrong.").waitFor();
        await fillIn(page, "maria", testPassword);
        await page.keyboard.press("Enter");
        await page.waitForURL(({ pathname }) => pathname === "/me");
      }));

    await t.step(
      "a session that ended while nobody looked is said to have, and signing out to be done",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/");
          const session = (await page.context().cookies()).find(({ name }) => name === "service_session");
          assert.ok(session);
          await page.context().addCookies([{ ...session, value: "ended" }]);
          await openPage(page, "/admin/audit?status=error");
          await page.getByText("Your session ended. Sign in to go on.").waitFor();
          assert.equal(new URL(page.url()).searchParams.get("next"), "/admin/audit?status=error");
          await page.context().addCookies([session]);
          await openPage(page, "/");
          await page.getByRole("button", { name: "Account: admin" }).click();
          await page.locator("#user-menu").getByRole("button", { name: "Sign out" }).click();
          await landOn(page, "**/login");
          await page.getByRole("status").getByText("You are signed out.").waitFor();
          await page.reload();
          await page.getByLabel("User name").waitFor();
          assert.equal(await page.getByText("You are signed out.").count(), 0);
        }),
    );

    await t.step(
      "a session that ends is renewed in place, and what was asked is done",
      () =>
        withPage(program, { user: "admin", expectedErrors: refused }, async (page) => {
          await openPage(page, "/admin/users");
          await page.context().clearCookies();
          await page.getByRole("button", { name: "Actions for maria" }).click();
          await page.getByRole("menuitem", { name: "Disable" }).click();
          await page.getByRole("heading", { name: "Your session has ended" }).waitFor();
          await page.getByLabel("Password", { exact: true }).fill(testPassword);
          await page.keyboard.press("Enter");
          await page.getByText("maria is disabled and signed out.").waitFor();
          await page.waitForURL(/\/admin\/users$/);
        }),
    );

    await t.step(
      "a token that is out of date is renewed without a word",
      () =>
        withPage(program, { user: "admin", expectedErrors: [/status of 403/] }, async (page) => {
          await openPage(page, "/admin/users");
          await page.evaluate("document.cookie = 'service_csrf=stale; Path=/'");
          await page.getByRole("button", { name: "Actions for maria" }).click();
          await page.getByRole("menuitem", { name: "Enable" }).click();
          await page.getByText("maria can sign in again.").waitFor();
        }),
    );
  });
});

Deno.test({ name: "a session that ends soon says so, and can be renewed before", ignore }, async () => {
  await withProgram({ config: { auth: { session: { lifetime: "4m" } } } }, async (program) => {
    await withPage(program, { user: "admin" }, async (page) => {
      await openPage(page, "/me");
      await page.getByText(/^at \d\d:\d\d \(in \d min\)$/).waitFor();
      await page.getByText(/^Your session ends at/).waitFor();
      await page.getByRole("button", { name: "Sign in again" }).click();
      const dialog = page.getByRole("dialog", { name: "Your session ends soon" });
      await dialog.getByLabel("Password", { exact: true }).fill(testPassword);
      const answer = page.waitForResponse("**/auth/login/local");
      await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
      assert.equal((await answer).status(), 200);
      await dialog.waitFor({ state: "detached" });
    });
  });
});

Deno.test({ name: "making an account that an administrator has to enable", ignore }, async () => {
  const config = { auth: { local: { allow_self_registration: true, require_admin_approval: true } } };
  await withProgram({ config }, async (program) => {
    await withPage(program, { expectedErrors: [/status of 400/] }, async (page) => {
      await openPage(page, "/login");
      await page.getByRole("link", { name: "Create one" }).click();
      await landOn(page, "**/login?register=1");
      await fillIn(page, "newcomer", testPassword);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByText("must enable").waitFor();
    });
    await checkLooks(program, { name: "register", path: "/login?register=1" });
  });
});
