import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { json, status } from "../support/http_client.ts";
import { checkLooks, landOn, openPage, openWatched } from "../support/looks.ts";
import { eventually, until } from "../support/poll.ts";
import { type Program, testPassword, withProgram } from "../support/program.ts";

const refused = [/status of 40[13]/, /ERR_(FAILED|INTERNET_DISCONNECTED|NETWORK_CHANGED)/];

/** Ends the session of a page, as an administrator or another device of the same user would. */
async function endSession(program: Program, page: Page): Promise<void> {
  const cookies = await page.context().cookies();
  const value = (name: string) => cookies.find((cookie) => cookie.name === name)?.value ?? "";
  const session = program.client();
  const headers = {
    cookie: `service_session=${value("service_session")}; service_csrf=${value("service_csrf")}`,
    "x-csrf-token": value("service_csrf"),
  };
  assert.equal(await status(session.post("/auth/logout", { headers })), 204);
}

async function signInAgain(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.getByLabel("Password", { exact: true }).fill(testPassword);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

Deno.test(
  { name: "sessions that end, connections that are lost: work is kept", ignore: skipBrowser() },
  async (t) => {
    await withProgram(
      { users: { admin: "admin", boss: "admin", maria: "user" } },
      (program) =>
        withSharedBrowser(async (browser) => {
          const look = { browser, user: "admin", expectedErrors: refused };

          await t.step(
            "a form that is sent after the session has ended asks in place, and is sent then",
            () =>
              withPage(program, look, async (page) => {
                await openWatched(page, "/admin/users");
                await page.getByRole("button", { name: "Create user" }).click();
                await page.getByLabel("User name", { exact: true }).fill("newcomer");
                await page.getByLabel(/^Password/).first().fill(testPassword);
                await endSession(program, page);
                await page.getByRole("dialog").getByRole("button", { name: "Create user" }).click();
                await signInAgain(page, "Your session has ended");
                await page.locator("td, li, tr").getByText("newcomer").first().waitFor();
              }),
          );

          await t.step("a token that is refused again and again is a session that has ended", () =>
            withPage(program, look, async (page) => {
              await openWatched(page, "/admin/users");
              await page.getByRole("button", { name: "Create user" }).click();
              await page.getByLabel("User name", { exact: true }).fill("tokenless");
              await page.getByLabel(/^Password/).first().fill(testPassword);
              let refusals = 0;
              await page.route("**/api/admin/users", (route) =>
                route.request().method() === "POST" && refusals++ < 2
                  ? route.fulfill({ status: 403, json: { error: { code: "csrf_invalid", message: "No." } } })
                  : route.fallback());
              await page.getByRole("dialog").getByRole("button", { name: "Create user" }).click();
              await signInAgain(page, "Your session has ended");
              await page.locator("td, li, tr").getByText("tokenless").first().waitFor();
            }));

          await t.step(
            "who does not sign in again sees why nothing works; a page that is visited asks again",
            () =>
              withPage(program, look, async (page) => {
                await openWatched(page, "/me");
                await page.evaluate("globalThis.sameDocument = true");
                await endSession(program, page);
                const users = page.locator("#rail").getByRole("link", { name: "Users" });
                await users.click();
                await page.getByRole("dialog").getByRole("button", { name: "Not now" }).click();
                const bar = page.locator("#bars");
                await bar.getByText("You are signed out.").waitFor();
                assert.equal(new URL(page.url()).pathname, "/me");
                await users.click();
                await signInAgain(page, "Your session has ended");
                await landOn(page, "**/admin/users");
                await bar.getByText("You are signed out.").waitFor({ state: "detached" });
                assert.ok(await page.evaluate("globalThis.sameDocument"));
              }),
          );

          await t.step("signing out in another tab covers what is typed here; signing in there goes on", () =>
            withPage(program, look, async (page) => {
              await openWatched(page, "/admin/users");
              await page.getByLabel("Search users").fill("mar");
              const other = await page.context().newPage();
              await openWatched(other, "/me");
              await other.getByRole("button", { name: "Account: admin" }).click();
              await other.locator("#user-menu").getByRole("button", { name: "Sign out" }).click();
              await other.waitForURL("**/login");
              const dialog = page.getByRole("dialog", { name: "You have signed out" });
              await dialog.waitFor();
              await page.keyboard.press("Escape");
              await page.keyboard.press("Escape");
              await dialog.getByText("What you were doing is kept.").waitFor();
              await openPage(other, "/login");
              await other.getByLabel("User name").fill("admin");
              await other.getByLabel("Password", { exact: true }).fill(testPassword);
              await other.keyboard.press("Enter");
              await other.getByRole("heading", { name: "Overview" }).waitFor();
              await dialog.waitFor({ state: "detached" });
              assert.equal(await page.getByLabel("Search users").inputValue(), "mar");
            }));

          await t.step(
            "another user who signs in gets a page of their own, and none that has unsaved work",
            () =>
              withPage(program, look, async (page) => {
                await openWatched(page, "/");
                const working = await page.context().newPage();
                await openWatched(working, "/me");
                await working.evaluate("addEventListener('beforeunload', (event) => event.preventDefault())");
                const other = await page.context().newPage();
                const { cookies } = await program.signedIn("maria");
                await page.context().addCookies(
                  [...cookies].map(([name, value]) => ({ name, value, url: program.url })),
                );
                await openWatched(other, "/me");
                await page.getByRole("button", { name: "Account: maria" }).waitFor();
                const covering = working.getByRole("dialog", { name: "Someone else has signed in" });
                await covering.getByText("admin").waitFor();
                await working.keyboard.press("Escape");
                await covering.waitFor();
              }),
          );

          await t.step(
            "what one user has begun is not done by another one who has signed in meanwhile",
            () =>
              withPage(program, look, async (page) => {
                const context = page.context();
                await openWatched(page, "/admin/users");
                await page.getByRole("button", { name: "Create user" }).click();
                await page.getByLabel("User name", { exact: true }).fill("latecomer");
                await page.getByLabel(/^Password/).first().fill(testPassword);
                const other = await program.signedIn("boss");
                await context.addCookies(
                  [...other.cookies].map(([name, value]) => ({ name, value, url: program.url })),
                );
                await page.getByRole("dialog").getByRole("button", { name: "Create user" }).click();
                await signInAgain(page, "Someone else has signed in");
                await page.locator("td, li, tr").getByText("latecomer").first().waitFor();
                const witness = await program.signedIn("boss");
                const { events } = await json(witness.get("/api/admin/audit?action=user.create&limit=1"));
                const { users } = await json(witness.get("/api/admin/users?query=admin"));
                assert.equal(events[0].user_id, users[0].id);
              }),
          );

          await t.step("a lost connection is said until it is back, and asked for by hand", () =>
            withPage(program, look, async (page) => {
              await openWatched(page, "/admin/users");
              await page.context().setOffline(true);
              const bar = page.locator("#bars");
              await bar.getByText("You are offline.").waitFor();
              await page.getByLabel("Search users").fill("mar");
              await page.context().setOffline(false);
              await bar.getByText("You are offline.").waitFor({ state: "detached" });
              let reachable = false;
              let probes = 0;
              await page.route(/\/(healthz|api\/admin\/users.*)$/, (route) => {
                if (route.request().url().endsWith("/healthz")) {
                  probes++;
                }
                return reachable ? route.continue() : route.abort();
              });
              await page.getByLabel("Search users").fill("maria");
              await bar.getByText("The server cannot be reached.").waitFor();
              // The next one is made by itself after twice as long each time.
              await until(() =>
                probes >= 3, { what: "probes" });
              reachable = true;
              await bar.getByRole("button", { name: "Try now" }).click();
              await bar.getByText("The server cannot be reached.").waitFor({ state: "detached" });
            }));

          await t.step("a message stays while it has the focus, and errors take the room of news", () =>
            withPage(program, look, async (page) => {
              await page.clock.install();
              await openWatched(page, "/admin/users");
              const [news, errors] = [page.locator("#toasts .toast"), page.locator("#alerts .toast")];
              const choose = async (action: string) => {
                await page.getByRole("button", { name: "Actions for boss" }).click();
                await page.getByRole("menuitem", { name: action }).click();
              };
              await choose("Disable");
              await news.getByRole("button", { name: "Dismiss" }).focus();
              await news.hover();
              await page.mouse.move(640, 10);
              await page.clock.runFor(30_000);
              assert.equal(await news.count(), 1);
              await page.locator("main").getByRole("button").first().focus();
              await page.clock.runFor(30_000);
              await news.waitFor({ state: "detached" });

              for (const action of ["Enable", "Disable", "Enable"]) {
                await choose(action);
              }
              await eventually(async () =>
                assert.equal(await news.count(), 3)
              );
              await page.route("**/api/admin/users/*", (route) =>
                route.fulfill({ status: 403, json: { error: { code: "forbidden", message: "No." } } }));
              await choose("Disable");
              await eventually(async () =>
                assert.deepEqual([await news.count(), await errors.count()], [2, 1])
              );
              for (let more = 0; more < 2; more++) {
                await choose("Disable");
              }
              // The latest of the news is shown, and after it the oldest error again.
              await eventually(async () =>
                assert.deepEqual([await news.count(), await errors.count()], [1, 2])
              );
              await page.clock.runFor(30_000);
              await eventually(async () =>
                assert.deepEqual([await news.count(), await errors.count()], [0, 3])
              );
            }));

          await t.step("messages can be read late, with what support needs", () =>
            withPage(program, look, async (page) => {
              await openWatched(page, "/admin/users");
              await page.getByRole("button", { name: "Actions for maria" }).click();
              await page.getByRole("menuitem", { name: "Disable" }).click();
              await page.locator("#toasts .toast").waitFor();
              const session = await program.signedIn("admin");
              const { users } = await json(session.get("/api/admin/users"));
              const maria = users.find(({ username }: { username: string }) =>
                username === "maria"
              );
              await page.route(`**/api/admin/users/${maria.id}`, (route) =>
                route.fulfill({
                  status: 403,
                  headers: { "x-request-id": "request-7" },
                  json: { error: { code: "forbidden", message: "No." } },
                }));
              await page.getByRole("button", { name: "Actions for maria" }).click();
              await page.getByRole("menuitem", { name: "Enable" }).click();
              const error = page.locator("#alerts .toast");
              await error.getByText("Request request-7").waitFor();
              await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
              await error.getByRole("button", { name: "Copy details" }).click();
              await eventually(async () =>
                assert.match(String(await page.evaluate("navigator.clipboard.readText()")), /request-7/)
              );
              await error.getByRole("button", { name: "Dismiss" }).click();
              await error.waitFor({ state: "detached" });
              const bell = page.getByRole("button", { name: "Notifications" });
              await bell.getByText("3", { exact: true }).waitFor();
              await bell.click();
              const list = page.getByRole("dialog", { name: "Notifications" });
              await list.getByText("Request request-7").waitFor();
              assert.equal(await list.getByRole("listitem").count(), 3);
              await page.keyboard.press("Escape");
              await list.waitFor({ state: "detached" });
              assert.equal(await bell.textContent(), "");
            }));

          await t.step("looks", () =>
            checkLooks(program, {
              name: "signed-out",
              path: "/me",
              user: "admin",
              prepare: async (page) => {
                await page.waitForSelector("html[data-watched]");
                await page.evaluate("dispatchEvent(new Event('session-lost'))");
                await page.getByRole("button", { name: "Sign in again" }).click();
                await page.getByRole("dialog").waitFor();
              },
            }));
        }),
    );
  },
);
