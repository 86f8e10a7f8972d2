import assert from "node:assert/strict";
import { skipBrowser, withPage } from "../support/browser.ts";
import { json, status } from "../support/http_client.ts";
import { checkLooks, openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { testPassword, withProgram } from "../support/program.ts";

const newPassword = "another long passphrase";

Deno.test({ name: "the account page", ignore: skipBrowser() }, async (t) => {
  await withProgram({ users: { admin: "admin", maria: "user" } }, async (program) => {
    await t.step(
      "without script there is nothing that would do nothing",
      () =>
        withPage(program, { user: "maria", javaScriptEnabled: false }, async (page) => {
          await page.goto("/me");
          await page.getByText("Signed in with").waitFor();
          assert.deepEqual(await page.locator("main").getByRole("button").all(), []);
        }),
    );

    await t.step(
      "settings lead here; language and shortcuts are set for this browser",
      () =>
        withPage(program, { user: "maria" }, async (page) => {
          await openPage(page, "/settings");
          await page.waitForURL(/\/me$/);
          const language = page.getByRole("group", { name: "Language" });
          await language.getByRole("button", { name: "As the browser", pressed: true }).waitFor();
          await language.getByRole("button", { name: "Deutsch" }).click();
          await page.getByRole("heading", { name: "Ihr Konto" }).waitFor();
          await page.waitForSelector("html[data-ready]");
          assert.equal(await page.locator("html").getAttribute("lang"), "de");
          await page.getByLabel(/Tastenkürzel aus einzelnen Tasten/).uncheck();
          await page.getByRole("button", { name: "Wie der Browser" }).click();
          await page.getByRole("heading", { name: "Your account" }).waitFor();
          await page.waitForSelector("html[data-ready]");
          const shortcuts = page.getByLabel(/Shortcuts of single keys/);
          await eventually(async () => assert.equal(await shortcuts.isChecked(), false));
          await shortcuts.check();
          await eventually(async () =>
            assert.equal(await page.evaluate("localStorage.getItem('shortcuts')"), null)
          );
        }),
    );

    await t.step("another session can be ended, after asking", async () => {
      const other = await program.signedIn("admin");
      await withPage(program, { user: "admin", expectedErrors: [/status of 404/] }, async (page) => {
        await openPage(page, "/me");
        await page.getByRole("button", { name: /^End session of/ }).first().click();
        await page.getByRole("button", { name: "Cancel" }).press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        assert.equal(await status(other.get("/api/me")), 200);
        await page.getByRole("button", { name: /^End session of/ }).first().click();
        await page.getByRole("button", { name: "End session", exact: true }).click();
        await page.getByText("The session has ended.").waitFor();
        assert.equal(await status(other.get("/api/me")), 401);

        const others = [await program.signedIn("admin"), await program.signedIn("admin")];
        await openPage(page, "/me");
        await page.getByRole("button", { name: "End all other sessions" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "End all other sessions" }).click();
        await page.getByText("Your other sessions have ended.").waitFor();
        await page.getByRole("button", { name: /^End session of/ }).first().waitFor({ state: "detached" });
        for (const client of others) assert.equal(await status(client.get("/api/me")), 401);

        const gone = await program.signedIn("admin");
        await openPage(page, "/me");
        const end = page.getByRole("button", { name: /^End session of/ });
        await end.waitFor();
        assert.equal(await status(gone.post("/auth/logout")), 204);
        await end.click();
        await page.getByRole("button", { name: "End session", exact: true }).click();
        await page.getByText("The session has ended.").waitFor();
        await end.waitFor({ state: "detached" });
      });
    });

    await t.step(
      "a password is changed; a wrong or weak one is said at its field",
      () =>
        withPage(program, { user: "maria", expectedErrors: [/status of 40[01]/] }, async (page) => {
          await program.signedIn("maria");
          await openPage(page, "/me");
          const end = page.getByRole("button", { name: /^End session of/ });
          await end.first().waitFor();
          const current = page.getByLabel("Current password");
          const next = page.getByLabel("New password");
          const submit = page.getByRole("button", { name: "Change password" });
          await current.fill("wrong");
          await next.fill(newPassword);
          await submit.click();
          await page.locator(".field-error").waitFor();
          await eventually(async () => assert.equal(await current.getAttribute("aria-invalid"), "true"));
          await current.fill(testPassword);
          await next.fill(testPassword);
          await submit.click();
          await page.waitForSelector("input[name=next][aria-invalid=true]");
          await next.fill(newPassword);
          await submit.click();
          await page.getByText("Your password is changed.").waitFor();
          await end.first().waitFor({ state: "detached" });
          await page.getByText("This browser", { exact: true }).waitFor();
          await program.client().signIn("maria", newPassword);
        }),
    );
  });
});

Deno.test(
  { name: "a password set by someone else has to be changed first", ignore: skipBrowser() },
  async () => {
    await withProgram({}, async (program) => {
      const admin = await program.signedIn();
      const account = { username: "newcomer", password: testPassword, role: "user", must_change_pw: true };
      await json(admin.post("/api/admin/users", { json: account }), 201);
      await checkLooks(program, { name: "new-password", path: "/", user: "newcomer" });
      await withPage(program, { user: "newcomer" }, async (page) => {
        await openPage(page, "/search?q=plan");
        await page.waitForURL(/\/me\?next=/);
        await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
        await page.getByLabel("Current password").fill(testPassword);
        await page.getByLabel("New password").fill(newPassword);
        await page.getByRole("button", { name: "Change password" }).click();
        await page.waitForURL(({ pathname, search }) => pathname + search === "/search?q=plan");
        await page.getByRole("heading", { name: "Search" }).waitFor();
      });

      const other = { ...account, username: "latecomer" };
      await json(admin.post("/api/admin/users", { json: other }), 201);
      await withPage(program, { javaScriptEnabled: false }, async (page) => {
        await page.goto("/search?q=plan");
        await page.getByLabel("User name").fill("latecomer");
        await page.getByLabel("Password", { exact: true }).fill(testPassword);
        await page.keyboard.press("Enter");
        await page.waitForURL(({ pathname, search }) =>
          pathname + search === "/me?next=%2Fsearch%3Fq%3Dplan"
        );
        await page.getByText("JavaScript is off").waitFor();
        assert.deepEqual(await page.locator("main").getByRole("button").all(), []);
      });
      await withPage(program, {}, async (page) => {
        await openPage(page, "/search?q=plan");
        await page.getByLabel("User name").fill("latecomer");
        await page.getByLabel("Password", { exact: true }).fill(testPassword);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
        await page.waitForSelector("html[data-ready]");
        await page.getByLabel("Current password").fill(testPassword);
        await page.getByLabel("New password").fill(newPassword);
        await page.getByRole("button", { name: "Change password" }).click();
        await page.waitForURL(({ pathname, search }) => pathname + search === "/search?q=plan");
      });
    });
  },
);
