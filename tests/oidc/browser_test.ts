import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withPage } from "../support/browser.ts";
import { withHostileIdentityProvider } from "../support/hostile_identity_provider.ts";
import { type IdentityProvider, withIdentityProvider } from "../support/identity_provider.ts";
import { checkLooks, landOn, openPage } from "../support/looks.ts";
import { withSingleSignOn } from "../support/single_sign_on.ts";

const ignore = skipBrowser();

const requestId = "0b0e7a52-7d3c-4c2f-a3d6-5a8f7e0c9d11";
const failedPath = `/login?error=oidc_failed&reason=provider_unavailable&request_id=${requestId}`;

const users = {
  ada: { sub: "0001", preferred_username: "ada", groups: ["storage-admins"] },
  stranger: { sub: "0002", preferred_username: "stranger", groups: ["strangers"] },
};

Deno.test(
  { name: "single sign-on in a browser", ignore },
  (t) =>
    withIdentityProvider({ users }, (idp) =>
      withSingleSignOn(idp, {}, async (program) => {
        await t.step("from a page to the provider and back to it, and out again", () =>
          withPage(program, {}, async (page) => {
            await openPage(page, "/admin/audit?status=error");
            await page.waitForURL(/\/login\?next=/);
            await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
            await identify(page, idp, "ada");
            await landOn(page, `${program.url}/admin/audit?status=error`);

            await page.getByRole("button", { name: "Account: ada" }).click();
            await page.getByRole("button", { name: "Sign out" }).click();
            await page.waitForURL(`${idp.issuer}/session/end**`);
            await page.getByRole("button", { name: "Sign out everywhere" }).click();
            await landOn(page, `${program.url}/login`);
            await page.getByRole("status").getByText("You are signed out.").waitFor();
            await openPage(page, "/admin/audit");
            await page.waitForURL(/\/login\?next=/);
            assert.equal(await page.getByText("You are signed out.").count(), 0, "it is said once");
            await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
            await page.getByLabel("User name").waitFor();
            assert.ok(page.url().startsWith(idp.issuer), "the provider asks who it is again");
          }));

        await t.step("who is signed out by the provider can come back to the page", () =>
          withPage(program, { expectedErrors: [/status of 401/] }, async (page) => {
            await page.goto("/auth/login/oidc?next=/admin/users");
            await identify(page, idp, "ada");
            await landOn(page, `${program.url}/admin/users`);
            await idp.endSessions("ada");
            await page.getByRole("searchbox").first().fill("a");
            await page.getByText("Your session has ended").waitFor();
            await page.getByRole("link", { name: "Sign in again" }).click();
            await landOn(page, ({ pathname }) => pathname === "/admin/users");
            await page.getByRole("cell", { name: "ada" }).first().waitFor();
          }));

        await t.step("it works without scripts", () =>
          withPage(program, { javaScriptEnabled: false }, async (page) => {
            await page.goto("/login?next=/me");
            await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
            await identify(page, idp, "ada");
            await page.waitForURL(`${program.url}/me`);
          }));

        await t.step("who cancels is told so, and can try again", () =>
          withPage(program, {}, async (page) => {
            await openPage(page, "/login?next=/me");
            await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
            await page.getByRole("button", { name: "Cancel" }).click();
            await landOn(page, /\/login\?.*error=oidc_failed/);
            await page.getByRole("alert").filter({ hasText: /\S/ }).waitFor();
            await page.getByText(new URL(page.url()).searchParams.get("request_id") ?? "no id").waitFor();
            await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
            await identify(page, idp, "ada");
            await landOn(page, `${program.url}/me`);
          }));

        await t.step("who has no role gets a page that says so", () =>
          withPage(program, { expectedErrors: [/status of 403/] }, async (page) => {
            await page.goto("/auth/login/oidc");
            await identify(page, idp, "stranger");
            await page.getByText(/groups?/i).first().waitFor();
            assert.equal(await page.getByRole("link", { name: "Go to the overview" }).count(), 0);
          }));

        await t.step("the sign-in page explains a provider that is down, and takes passwords", () =>
          withPage(program, {}, async (page) => {
            await openPage(page, failedPath);
            await page.getByText("cannot be reached").waitFor();
            await page.getByText(requestId).waitFor();
            await page.getByLabel("User name").fill("admin");
            await page.getByLabel("Password", { exact: true }).waitFor();
          }));

        await t.step(
          "what is in the address of the sign-in page is not markup, and no words of a stranger",
          () =>
            withPage(program, {}, async (page) => {
              const text = encodeURIComponent("<img src=x> Call 0900-EVIL");
              await openPage(page, `/login?error=oidc_failed&reason=${text}&request_id=${text}`);
              assert.equal(await page.locator("main img[src=x]").count(), 0);
              assert.ok(!(await page.locator("body").innerText()).includes("0900-EVIL"));
            }),
        );

        await t.step(
          "it looks as it should",
          () =>
            checkLooks(program, { name: "single-sign-on-failed", path: failedPath }),
        );
      })),
);

Deno.test(
  { name: "names from the provider are text in every page", ignore },
  () =>
    withHostileIdentityProvider((idp) =>
      withSingleSignOn(idp, {}, async (program) => {
        const markup = `<img src=x onerror="document.title='owned'">`;
        const person = {
          name: markup,
          nickname: markup,
          email: `"${markup}"@example.org`,
          email_verified: true,
        };
        idp.person = { ...person, sub: markup, preferred_username: markup, groups: ["storage-admins"] };
        await withPage(program, {}, async (page) => {
          await page.goto("/auth/login/oidc");
          await landOn(page, `${program.url}/`);
          for (const path of ["/", "/me", "/admin/users", "/admin/audit"]) {
            await openPage(page, path);
            assert.equal(await page.locator("img[src=x]").count(), 0, path);
            assert.notEqual(await page.title(), "owned", path);
          }
        });
      })
    ),
);

async function identify(page: Page, idp: IdentityProvider, username: string): Promise<void> {
  await page.waitForURL(`${idp.issuer}/interaction/**`);
  await page.getByLabel("User name").fill(username);
  await page.getByRole("button", { name: "Continue" }).click();
}
