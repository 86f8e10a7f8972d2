import assert from "node:assert/strict";
import { skipBrowser, withPage } from "../support/browser.ts";
import { status } from "../support/http_client.ts";
import { checkLooks, landOn, openPage, openWatched } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";

const background = "getComputedStyle(document.body).backgroundColor";

Deno.test({ name: "look and shell", ignore: skipBrowser() }, async (t) => {
  await withProgram({ users: { admin: "admin", maria: "user" } }, async (program) => {
    await t.step(
      "a chosen theme goes before the system's and is there at the first paint",
      () =>
        withPage(program, { user: "maria", colorScheme: "light" }, async (page) => {
          await openPage(page, "/me");
          const light = await page.evaluate(background);
          await page.getByRole("button", { name: "Dark", exact: true }).click();
          await page.waitForSelector("html[data-theme=dark]");
          const dark = await page.evaluate(background);
          assert.notEqual(dark, light);
          await page.addInitScript(`new PerformanceObserver(() => globalThis.firstPainted ??= ${background})
            .observe({ type: "paint", buffered: true })`);
          await openPage(page, "/");
          await page.waitForFunction("globalThis.firstPainted !== undefined");
          assert.equal(await page.evaluate("globalThis.firstPainted"), dark);
          await page.getByRole("button", { name: "Switch between light and dark" }).click();
          await eventually(async () => assert.equal(await page.evaluate(background), light));
        }),
    );

    await t.step("the row height is kept", () =>
      withPage(program, { user: "maria" }, async (page) => {
        await openPage(page, "/me");
        await page.getByRole("button", { name: "Compact" }).click();
        await page.reload();
        await page.waitForSelector("html[data-ready][data-density=compact]");
        await page.waitForSelector("button[aria-pressed=true]:text('Compact')");
      }));

    await t.step(
      "shortcuts lead everywhere and can be turned off",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/");
          await page.keyboard.press("?");
          const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
          await sheet.getByText("Go to the audit log").waitFor();
          await page.keyboard.press("Escape");
          await sheet.waitFor({ state: "detached" });
          // Both at once: the second key of a pair must not come late, whatever else the machine does.
          await Promise.all(["g", "a"].map((key) => page.keyboard.press(key)));
          await landOn(page, "**/admin/audit");
          const field = page.getByLabel("User name or id");
          await field.press("[");
          await eventually(async () => assert.equal(await field.inputValue(), "["));
          assert.equal(await page.locator("html[data-rail]").count(), 0);
          await page.locator("main").focus();
          await page.keyboard.press("[");
          await page.waitForSelector("html[data-rail=collapsed]");
          await page.keyboard.press("?");
          await sheet.getByLabel("Single-key shortcuts are on").uncheck();
          await page.keyboard.press("Escape");
          await sheet.waitFor({ state: "detached" });
          await page.keyboard.press("[");
          await page.keyboard.press("Tab");
          assert.equal(await page.locator("html[data-rail=collapsed]").count(), 1);
        }),
    );

    await t.step(
      "the first tab stop skips to the content",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/");
          await page.keyboard.press("Tab");
          await page.locator(":focus", { hasText: "Skip to content" }).waitFor();
          await page.keyboard.press("Enter");
          await page.locator("#main:focus").waitFor();
        }),
    );

    await t.step(
      "on a small screen the navigation opens from the bar at the bottom",
      () =>
        withPage(program, { user: "admin", viewport: { width: 360, height: 740 } }, async (page) => {
          await openPage(page, "/");
          const link = page.locator("#rail").getByRole("link", { name: "Users" });
          assert.equal(await link.isVisible(), false);
          await page.getByRole("button", { name: "More" }).click();
          await link.click();
          await page.waitForURL("**/admin/users");
        }),
    );

    await t.step(
      "a restart is waited out by what reads",
      () =>
        withPage(program, { user: "admin", expectedErrors: [/status of 50[23]/] }, async (page) => {
          await openWatched(page, "/admin/users");
          let refused = 0;
          const said = Promise.withResolvers<void>();
          await page.route("**/api/admin/users?*", async (route) => {
            if (refused++ > 0) {
              await said.promise;
              // What a proxy says while nothing is there.
              if (refused === 2) {
                return route.fulfill({ status: 502, contentType: "text/html", body: "<h1>502" });
              }
              return route.continue();
            }
            const error = { code: "shutting_down", message: "The service is shutting down." };
            await route.fulfill({ status: 503, headers: { "retry-after": "1" }, json: { error } });
          });
          await page.getByLabel("Search users").fill("mar");
          await page.getByText("The service is restarting.").waitFor();
          said.resolve();
          await page.getByText("1 user", { exact: true }).waitFor();
          await page.getByText("The service is restarting.").waitFor({ state: "detached" });
          assert.equal(refused, 3);
        }),
    );

    await t.step(
      "messages keep clear of the navigation",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/admin/users");
          await page.getByRole("button", { name: "Actions for maria" }).click();
          await page.getByRole("menuitem", { name: "Disable" }).click();
          const toast = await page.locator(".toast").boundingBox();
          const rail = await page.locator("#rail").boundingBox();
          assert.ok(toast !== null && rail !== null && toast.x >= rail.x + rail.width);
          await page.getByRole("button", { name: "Actions for maria" }).click();
          await page.getByRole("menuitem", { name: "Enable" }).click();
          await page.getByText("maria can sign in again.").waitFor();
        }),
    );

    await t.step("signing out ends the session, in other tabs too", async () => {
      await withPage(program, { user: "maria" }, async (page) => {
        await openPage(page, "/");
        const other = await page.context().newPage();
        await openWatched(other, "/me");
        const [{ value }] = (await page.context().cookies()).filter(({ name }) => name === "service_session");
        await page.getByRole("button", { name: "Account: maria" }).click();
        await page.getByRole("button", { name: "Sign out" }).click();
        await page.waitForURL("**/login");
        await other.waitForURL("**/login?next=*");
        const headers = { cookie: `service_session=${value}` };
        assert.equal(await status(program.client().get("/api/me", { headers })), 401);
      });
    });

    await t.step("looks with the navigation and the shortcuts open", async () => {
      await checkLooks(program, {
        name: "shortcuts",
        path: "/",
        user: "admin",
        prepare: async (page) => {
          await page.keyboard.press("?");
          await page.getByRole("dialog").waitFor();
        },
      });
    });
  });
});
