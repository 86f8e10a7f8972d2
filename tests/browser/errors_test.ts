import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { skipBrowser, withPage } from "../support/browser.ts";
import { openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { freePorts } from "../support/ports.ts";
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
      "help is in the same place on every page",
      () =>
        withPage(program, { user: "reader" }, async (page) => {
          for (const address of ["/", "/shares", "/me"]) {
            await openPage(page, address);
            await page.locator("#rail").getByRole("button", { name: "Help" }).click();
            await page.getByRole("dialog").getByText("give the request ID").waitFor();
          }
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

Deno.test({ name: "forms that fail", ignore: skipBrowser() }, async (t) => {
  await withProgram({ users: { admin: "admin", maria: "user" } }, async (program) => {
    const visit = (body: (page: Page, dialog: Locator) => Promise<void>) =>
      withPage(program, { user: "admin", expectedErrors: [/status of (409|502)/] }, async (page) => {
        await openPage(page, "/admin/users");
        await page.getByRole("button", { name: "Create user" }).click();
        const dialog = page.getByRole("dialog", { name: "Create user" });
        await dialog.getByLabel("User name").fill("admin");
        await dialog.getByRole("textbox", { name: "Password" }).fill("correct horse battery staple");
        await body(page, dialog);
      });

    await t.step("send once, keep the focus, and name the request", () =>
      visit(async (page, dialog) => {
        let requests = 0;
        const { promise: failing, resolve: fail } = Promise.withResolvers<void>();
        await page.route("**/api/admin/users", async (route) => {
          requests++;
          await failing;
          await route.fulfill({
            status: 502,
            headers: { "content-type": "application/json", "x-request-id": "request-of-this-form" },
            body: JSON.stringify({ error: { code: "backend_error", message: "The storage says no." } }),
          });
        });
        const button = dialog.getByRole("button", { name: "Create user" });
        await button.focus();
        await page.keyboard.press("Enter");
        await button.and(page.locator("[aria-busy=true]")).waitFor();
        assert.equal(await button.getAttribute("aria-disabled"), "true");
        await button.and(page.locator(":focus")).waitFor();
        await page.keyboard.press("Enter");
        await button.click({ force: true });
        await dialog.getByLabel("User name").press("Enter");
        await button.focus();
        fail();
        const alert = dialog.getByRole("alert");
        await alert.getByText("The storage says no.").waitFor();
        await alert.getByText("Request request-of-this-form").waitFor();
        await alert.getByRole("button", { name: "Copy request ID" }).waitFor();
        await button.and(page.locator(":not([aria-busy])")).waitFor();
        await button.and(page.locator(":focus")).waitFor();
        assert.equal(requests, 1);
      }));

    await t.step("lead to the field that something is wrong with", () =>
      visit(async (page, dialog) => {
        await dialog.getByRole("button", { name: "Create user" }).click();
        const wrong = dialog.getByLabel("User name");
        await wrong.and(page.locator("[aria-invalid=true]:focus")).waitFor();
      }));

    await t.step(
      "begin where there is something to choose, and say what they do",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/admin/users");
          const open = async (entry: string) => {
            await page.getByRole("button", { name: "Actions for maria" }).click();
            await page.getByRole("menuitem", { name: entry }).click();
          };
          await open("Change role…");
          await page.getByRole("dialog").locator("input[type=radio]:checked:focus").waitFor();
          await page.keyboard.press("Escape");
          await open("Reset password…");
          const id = await page.getByRole("dialog").getAttribute("aria-describedby");
          await page.getByRole("dialog").locator(`[id="${id}"]`).waitFor();
        }),
    );
  });
});

Deno.test({
  name: "a backend that is down: its administrator hears the cause, others whom to tell",
  ignore: skipBrowser(),
}, async (t) => {
  const [port] = freePorts(1);
  const dead = {
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    accessKey: "key",
    secretKey: "secret",
  };
  const backends = [{ id: "dead", name: "Gone storage", upstream: dead }];
  const cause = "Nothing listens there. Check the port, and that the service runs.";
  const others = "The storage backend does not answer. Try again; if it stays, tell an administrator.";
  await withProgram({ backends, users: { admin: "admin", reader: "readonly" } }, async (program) => {
    const addresses = [
      "/b/dead",
      "/b/dead/files",
      "/b/dead/files/settings/lifecycle",
      "/b/dead/files/insights",
    ];
    for (const [user, said, unsaid] of [["admin", cause, others], ["reader", others, cause]]) {
      const look = { user, expectedErrors: [/status of 502/] };
      const only = (page: Page) =>
        eventually(async () => {
          assert.equal(await page.getByText(said).count(), 1);
          assert.equal(await page.getByText(unsaid).count(), 0);
          assert.equal(await page.getByText("refuses connections").count(), 0);
        });
      await t.step(
        `${user}, on the page and when it is asked for again`,
        () =>
          withPage(program, look, async (page) => {
            for (const address of addresses) {
              await openPage(page, `${address}?wait=1`);
              await only(page);
              const answer = page.waitForResponse((response) => response.status() === 502);
              await page.locator(".empty").getByRole("button", { name: "Try again" }).click();
              await answer;
              await only(page);
            }
          }),
      );

      await t.step(`${user}, in the search`, () =>
        withPage(program, look, async (page) => {
          await openPage(page, "/search?q=report");
          await only(page);
        }));
    }
  });
});
