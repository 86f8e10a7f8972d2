import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { checkLooks, landOn, openPage } from "../support/looks.ts";
import { eventually, until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { browsing, names, open } from "./browsing.ts";

const ignore = skipBrowser();

/** Marks the document, so that a page that was swapped in is told from one that was loaded. */
const mark = (page: Page) => page.evaluate("globalThis.sameDocument = true");
const isSame = async (page: Page) => await page.evaluate("globalThis.sameDocument === true") as boolean;

async function follow(page: Page, name: string, url: string): Promise<void> {
  await page.locator("#rail").getByRole("link", { name, exact: true }).click();
  await landOn(page, url);
}

/** Answers a page's requests from now on with what `answer` says. */
async function answering(page: Page, path: string, answer: () => Promise<unknown> | string): Promise<void> {
  await page.route(path, async (route) => {
    if (await answer() === "abort") await route.abort();
    else await route.continue();
  });
}

Deno.test({ name: "pages are swapped without a reload", ignore }, async (t) => {
  const users = { admin: "admin", reader: "readonly" } as const;
  await withProgram({ users }, (program) =>
    withSharedBrowser(async (browser) => {
      await t.step(
        "with title, place in the rail, focus and news; back and forward bring the scroll back",
        () =>
          withPage(
            program,
            { browser, user: "admin", viewport: { width: 1280, height: 360 } },
            async (page) => {
              await openPage(page, "/me");
              await mark(page);
              const main = page.locator("main");
              await main.evaluate((element) => (element as unknown as { scrollTop: number }).scrollTop = 240);
              await follow(page, "Users", "**/admin/users");
              await page.getByRole("heading", { name: "Users", level: 1 }).waitFor();
              assert.equal(await page.title(), "Users · Storage dashboard");
              assert.equal(await page.locator("#crumbs").textContent(), "Users");
              assert.deepEqual(await page.locator(".rail [aria-current]").allTextContents(), ["Users"]);
              await page.locator("main:focus").waitFor();
              await page.locator("#announcement").getByText("Users · Storage dashboard").waitFor();
              assert.equal(await main.evaluate("document.querySelector('main').scrollTop"), 0);
              // What the first page listened to is gone, what this one does is there.
              await page.getByLabel("Search users").fill("read");
              await page.getByText("1 user", { exact: true }).waitFor();
              await page.goBack();
              await landOn(page, "**/me");
              await eventually(async () =>
                assert.equal(await main.evaluate("document.querySelector('main').scrollTop"), 240)
              );
              await page.goForward();
              await landOn(page, ({ pathname }) => pathname === "/admin/users");
              await page.getByRole("heading", { name: "Users", level: 1 }).waitFor();
              assert.ok(await isSame(page));
            },
          ),
      );

      await t.step("but for modified clicks, other documents, and pages outside of the frame", () =>
        withPage(program, { browser, user: "admin" }, async (page) => {
          await openPage(page, "/");
          const opened = page.context().waitForEvent("page");
          await page.locator("#rail").getByRole("link", { name: "Users" }).click({ modifiers: ["Control"] });
          await (await opened).waitForURL("**/admin/users");
          assert.equal(new URL(page.url()).pathname, "/");
          // The skip link leads to a part of the page.
          await mark(page);
          await page.locator(".skip-link").focus();
          await page.keyboard.press("Enter");
          await page.locator("main:focus").waitFor();
          await page.goBack();
          await page.waitForURL(({ hash }) =>
            hash === ""
          );
          assert.ok(await isSame(page));
        }));

      await t.step("refusals and unknown addresses keep the frame", () =>
        withPage(program, { browser, user: "reader", expectedErrors: [/status of 40[34]/] }, async (page) => {
          await openPage(page, "/me");
          await mark(page);
          await page.evaluate(
            `document.querySelector("main").append(Object.assign(document.createElement("a"),
            { href: "/admin/users", textContent: "forbidden" }))`,
          );
          await page.getByRole("link", { name: "forbidden" }).click();
          await page.getByRole("heading", { name: "You may not see this page" }).waitFor();
          assert.equal(await page.title(), "You may not see this page · Storage dashboard");
          await page.getByRole("link", { name: "Go to the overview" }).click();
          await landOn(page, ({ pathname }) =>
            pathname === "/");
          assert.ok(await isSame(page));
          // An address of ours whose path alone would be another host's, which is not asked and not gone to.
          await page.evaluate(
            `document.querySelector("main").append(Object.assign(document.createElement("a"),
            { href: location.origin + "//evil.example/b/one", textContent: "two slashes" }))`,
          );
          await page.getByRole("link", { name: "two slashes" }).click();
          await page.getByRole("heading", { name: "Page not found" }).waitFor();
          assert.equal(page.url(), `${program.url}//evil.example/b/one`);
          await page.getByRole("button", { name: "Go to a path" }).click();
          await page.getByRole("textbox", { name: /^Path: / }).fill("//evil.example/b/one");
          await page.keyboard.press("Enter");
          await page.locator("#path-edit-error").getByText(/./).waitFor();
          assert.equal(new URL(page.url()).origin, program.url);
        }));

      await t.step(
        "a slow page is hinted at and gives way to the next one; one that fails can be tried again",
        () =>
          withPage(program, { browser, user: "admin", expectedErrors: [/ERR_FAILED/] }, async (page) => {
            await openPage(page, "/me");
            await mark(page);
            const held = Promise.withResolvers<void>();
            await answering(page, "**/admin/audit", () =>
              held.promise);
            await page.locator("#rail").getByRole("link", { name: "Audit log" }).click();
            await page.waitForSelector("html[data-visiting] main[aria-busy]");
            await follow(page, "Users", "**/admin/users");
            held.resolve();
            await page.waitForSelector("html:not([data-visiting])");
            let fails = true;
            await answering(page, "**/admin/health", () =>
              fails ? "abort" : "answer");
            await page.locator("#rail").getByRole("link", { name: "Health" }).click();
            const toast = page.locator("#alerts .toast");
            await toast.getByText("The page could not be loaded").waitFor();
            assert.equal(new URL(page.url()).pathname, "/admin/users");
            fails = false;
            await toast.getByRole("button", { name: "Try again" }).click();
            await landOn(page, "**/admin/health");
            fails = true;
            await follow(page, "Users", "**/admin/users");
            await page.goBack();
            await page.getByRole("heading", { name: "The server did not answer" }).waitFor();
            fails = false;
            await page.getByRole("link", { name: "Try again" }).click();
            await page.getByRole("heading", { name: "Health", exact: true }).waitFor();
            assert.ok(await isSame(page));
          }),
      );

      await t.step(
        "another build or another language loads the document, unless an upload would be lost",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await openPage(page, "/me");
            await mark(page);
            await page.route("**/admin/users", async (route) => {
              if (route.request().headers()["x-page-data"] === undefined) return await route.continue();
              const response = await route.fetch();
              await route.fulfill({ response, json: { ...await response.json(), build: "another" } });
            });
            await page.evaluate(
              "addEventListener('beforeunload', globalThis.stay = (event) => event.preventDefault())",
            );
            await follow(page, "Users", "**/admin/users");
            assert.ok(await isSame(page));
            await page.evaluate("removeEventListener('beforeunload', globalThis.stay)");
            await follow(page, "Your account", "**/me");
            await follow(page, "Users", "**/admin/users");
            await until(async () => !await isSame(page), { what: "another document" });
            await mark(page);
            await page.context().addCookies([{ name: "ui_language", value: "de", url: program.url }]);
            await page.locator("#rail").getByRole("link", { name: "Your account" }).click();
            await page.getByRole("button", { name: "Zwischen hell und dunkel wechseln" }).waitFor();
            assert.ok(!await isSame(page));
          }),
      );

      await t.step("pages as data are for our own script alone", async () => {
        const session = await program.signedIn("admin");
        const ask = (headers: Record<string, string>) => session.get("/admin/users", { headers });
        const data = await ask({ "x-page-data": "1", "sec-fetch-site": "same-origin" });
        assert.equal(data.headers.get("cache-control"), "no-store");
        assert.equal(data.headers.get("vary"), "x-page-data, accept-encoding");
        assert.equal(data.headers.get("cross-origin-resource-policy"), "same-origin");
        assert.equal(data.headers.get("access-control-allow-origin"), null);
        const { island, me, title } = await data.json();
        assert.deepEqual([island, me.username, title], ["users", "admin", "Users · Storage dashboard"]);
        for (const site of ["cross-site", "same-site", "none"]) {
          const document = await ask({ "x-page-data": "1", "sec-fetch-site": site });
          assert.match(document.headers.get("content-type") ?? "", /^text\/html/);
          await document.body?.cancel();
        }
        const stranger = program.client();
        const answer = await stranger.get("/admin/users", {
          headers: { "x-page-data": "1" },
        });
        assert.equal(answer.status, 303);
        await answer.body?.cancel();
        const login = await stranger.get("/login", { headers: { "x-page-data": "1" } });
        const { island: none, props, backends } = await login.json();
        assert.deepEqual([none, props, backends], [null, {}, []]);
      });
    }));
});

Deno.test({
  name: "the object browser keeps its own history between other pages",
  ignore,
  fn: () =>
    browsing(
      { samples: { "docs/a.txt": {}, "readme.md": {} } },
      ({ withPage, bucketPage }) =>
        withPage({}, async (page) => {
          const listed = (expected: string) =>
            until(async () => (await names(page)).join() === expected, { what: expected });
          await open(page, "/b/local");
          await mark(page);
          await page.getByRole("link", { name: "files" }).first().click();
          await landOn(page, `**${bucketPage}`);
          await listed("docs,readme.md");
          await page.getByRole("link", { name: "docs" }).click();
          await listed("a.txt");
          await page.goBack();
          await listed("docs,readme.md");
          await page.goForward();
          await listed("a.txt");
          await follow(page, "Shares", "**/shares");
          await page.goBack();
          await listed("a.txt");
          assert.equal(await page.title(), "docs · files · Local · Storage dashboard");
          assert.deepEqual(await page.locator(".rail [aria-current]").allTextContents(), ["Local"]);
          await page.goBack();
          await listed("docs,readme.md");
          await page.goBack();
          await landOn(page, "**/b/local");
          assert.ok(await isSame(page));
        }),
    ),
});

Deno.test(
  { name: "the frame: a path leads to its bucket, keys to pages", ignore },
  () =>
    browsing({ samples: { "docs/a.txt": {} } }, async ({ program, withPage }) => {
      await withPage({ expectedErrors: [/status of 404/] }, async (page) => {
        const type = async (path: string) => {
          await Promise.all(["g", "p"].map((key) => page.keyboard.press(key)));
          await page.getByLabel("Path: bucket/key").and(page.locator(":focus")).waitFor();
          await page.keyboard.type(path);
          await page.keyboard.press("Enter");
        };
        await open(page, "/me");
        await type("s3://nowhere/x");
        await landOn(page, "**/b/local/nowhere?o=x");
        await open(page, "/me");
        await type("arn:aws:s3:::files/docs/a.txt");
        await landOn(page, "**/b/local/files?p=docs/&o=docs/a.txt");
        await page.locator(".details").getByText("a.txt").first().waitFor();
        await Promise.all(["g", "o"].map((key) => page.keyboard.press(key)));
        await landOn(page, ({ pathname }) => pathname === "/");
        await type(`${program.url}/shares?scope=all`);
        await landOn(page, "**/shares?scope=all");
        await page.keyboard.press("t");
        await page.locator("#tray").getByRole("region").or(page.locator("#tray > *")).first().waitFor();
      });
      await checkLooks(program, {
        name: "path-field",
        path: "/me",
        user: "admin",
        prepare: async (page) => {
          await Promise.all(["g", "p"].map((key) => page.keyboard.press(key)));
          await page.getByLabel("Path: bucket/key").waitFor();
        },
      });
    }),
);
