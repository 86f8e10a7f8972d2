import assert from "node:assert/strict";
import type { AuditEvent } from "../../src/audit/event.ts";
import { insertAuditEvent } from "../../src/store/audit_repository.ts";
import { Database } from "../../src/store/database.ts";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { status } from "../support/http_client.ts";
import { checkLooks, landOn, openPage } from "../support/looks.ts";
import { eventually, until } from "../support/poll.ts";
import { type Program, withProgram } from "../support/program.ts";

const hostile = "<img src=x onerror=window.wasAttacked=1>";

function addRows(program: Program, events: Iterable<Partial<AuditEvent>>): void {
  const database = new Database(program.databasePath);
  const common = {
    userId: "",
    backend: "b",
    bucket: "",
    key: "",
    requestId: "r",
    ip: "192.0.2.1",
    detail: {},
  };
  database.transaction(() => {
    for (const event of events) {
      insertAuditEvent(database, {
        ...common,
        at: 0,
        action: "object.upload",
        userAgent: "test",
        status: "ok",
        ...event,
      });
    }
  });
  database.close();
}

function addHostileRow(program: Program): void {
  addRows(program, [{
    at: Date.now(),
    action: "object.bulk_delete",
    userId: hostile,
    bucket: "<b>bucket</b>",
    key: `=cmd|' /C calc'!A0, "quoted"`,
    userAgent: hostile,
    detail: { keys: [hostile, ...Array.from({ length: 999 }, (_, index) => `key-${index + 1}`)] },
  }]);
}

/** Many rows of a user, many of a bucket, and before them one of both. */
function addUnrelatedRows(program: Program): void {
  const both = { userId: "searched-user", bucket: "searched-bucket" };
  addRows(program, [
    both,
    ...Array.from(
      { length: 24_000 },
      (_, at) => at % 2 === 0 ? { at, userId: both.userId } : { at, bucket: both.bucket },
    ),
  ]);
}

Deno.test({ name: "the audit log", ignore: skipBrowser() }, async (t) => {
  const options = { users: { admin: "admin", maria: "user" } } as const;
  await withProgram(options, (program) =>
    withSharedBrowser(async (browser) => {
      const admin = await program.signedIn();
      await program.signedIn("maria");
      await t.step("looks", async () => {
        await checkLooks(program, {
          name: "audit-open",
          path: "/admin/audit?user=maria&status=ok",
          user: "admin",
          prepare: async (page) => {
            await page.getByRole("button", { name: /^Details of/ }).first().click();
            await page.locator(".detail-row").waitFor();
          },
        });
      });

      for (let row = 0; row < 130; row++) await status(admin.post(`/api/admin/users/missing-${row}/unlock`));

      await t.step(
        "rows come page by page, newest first",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await openPage(page, "/admin/audit");
            const rows = page.locator(".audit-table tbody tr:not(.detail-row)");
            assert.equal(await rows.count(), 100);
            assert.match(await rows.first().innerText(), /auth\.login/);
            await page.getByRole("button", { name: "Load more" }).click();
            await until(async () => await rows.count() > 130, { what: "the second page" });
            await page.getByRole("button", { name: "Load more" }).waitFor({ state: "detached" });
          }),
      );

      await t.step(
        "the filter is the address, and a chip takes it away",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await openPage(page, "/admin/audit");
            await page.getByLabel("User name or id").fill("maria");
            await page.getByLabel("Action", { exact: true }).selectOption("auth.*");
            await page.getByRole("button", { name: "Filter" }).click();
            await landOn(page, (url) => url.search === "?user=maria&action=auth.*");
            assert.equal(await page.getByLabel("Action", { exact: true }).inputValue(), "auth.*");
            await page.getByText("1 of 1 row shown").waitFor();
            const csv = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
            assert.equal(csv, "/api/admin/audit.csv?user=maria&action=auth.*");
            await page.getByRole("link", { name: "Remove the filter User" }).click();
            await page.waitForURL((url) => url.search === "?action=auth.*");
            await page.goBack();
            await page.waitForURL((url) => url.search.includes("user=maria"));
          }),
      );

      await t.step(
        "the last day of the filter belongs to it",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            const today = new Date().toISOString().slice(0, 10);
            await openPage(page, "/admin/audit?user=maria");
            await page.getByLabel("From, UTC").fill(today);
            await page.getByLabel("Until, UTC").fill(today);
            await page.getByRole("button", { name: "Filter" }).click();
            await landOn(page, (url) => url.searchParams.get("to") === today);
            await page.getByText("1 of 1 row shown").waitFor();
            const csv = await page.getByRole("link", { name: "CSV" }).getAttribute("href") ?? "";
            const to = new URL(csv, program.url).searchParams.get("to") ?? "";
            assert.equal(Date.parse(to) - Date.parse(today), 86_400_000);
            await page.getByRole("button", { name: "Last hour" }).click();
            await landOn(page, (url) => url.search.includes("from=") && !url.search.includes("to="));
            assert.match(await page.getByLabel("From, UTC").inputValue(), /T.*Z$/);
          }),
      );

      await t.step(
        "the filter works without script",
        () =>
          withPage(program, { browser, user: "admin", javaScriptEnabled: false }, async (page) => {
            await page.goto("/admin/audit");
            await page.getByLabel("User name or id").fill("maria");
            await page.getByRole("button", { name: "Filter" }).click();
            await page.getByText("1 of 1 row shown").waitFor();
          }),
      );

      await t.step("markup in names and programs is text, and a thousand keys expand", async () => {
        addHostileRow(program);
        await withPage(program, { browser, user: "admin" }, async (page) => {
          await openPage(page, "/admin/audit?action=object.bulk_delete");
          await page.getByText("<b>bucket</b>").waitFor();
          await page.getByRole("button", { name: /^Details of/ }).click();
          await page.getByText(hostile, { exact: true }).first().waitFor();
          await page.getByRole("button", { name: "Show all 1000" }).click();
          await page.getByText("key-999", { exact: true }).waitFor();
          assert.equal(await page.evaluate("window.wasAttacked"), undefined);
          assert.equal(await page.locator("main img").count(), 0);
        });
        const admin = await program.signedIn();
        const csv = await (await admin.get("/api/admin/audit.csv?action=object.bulk_delete")).text();
        assert.ok(csv.includes(`"'=cmd|' /C calc'!A0, ""quoted"""`), csv.slice(0, 500));
      });

      await t.step("filters without an index of their own are searched step by step", async () => {
        addUnrelatedRows(program);
        await withPage(program, { browser, user: "admin" }, async (page) => {
          await openPage(page, "/admin/audit?user=searched-user");
          for (const rows of [200, 300, 400, 500]) {
            await page.getByRole("button", { name: "Load more" }).click();
            await page.getByText(new RegExp(`^${rows} (of [\\d,]+ )?rows shown`)).waitFor();
          }
          // What is far from where one reads is not drawn.
          await until(async () => await page.locator(".audit-table tbody tr").count() < 700, {
            what: "few rows to be drawn",
          });
          await openPage(page, "/admin/audit?user=searched-user&bucket=searched-bucket");
          await page.getByText("No row matches so far").waitFor();
          await page.getByRole("button", { name: "Search further back" }).click();
          await page.getByText("1 row shown").waitFor();
        });
      });

      await t.step("a failed sign-in is told from the others", async () => {
        await status(
          program.client().post("/auth/login/local", { json: { username: "maria", password: "x" } }),
        );
        await withPage(program, { browser, user: "admin" }, async (page) => {
          await openPage(page, "/admin/audit?action=auth.login&status=error");
          const row = page.getByRole("row", { name: /Sign in/ });
          assert.match(await row.innerText(), /Sign in\s+auth\.login/);
          await row.getByText("wrong_password").waitFor();
        });
      });

      await t.step(
        "a row opens with the keyboard and shows everything that is recorded",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await openPage(page, "/admin/audit?action=user.unlock");
            const toggle = page.getByRole("button", { name: /^Details of Unlock user/ }).first();
            await toggle.focus();
            await page.keyboard.press("Enter");
            await eventually(async () => assert.equal(await toggle.getAttribute("aria-expanded"), "true"));
            await page.getByText('"code": "not_found"').waitFor();
            await page.getByRole("button", { name: "Copy request ID" }).waitFor();
          }),
      );

      await t.step(
        "nothing that matches and a filter that is wrong are said plainly",
        () =>
          withPage(program, { browser, user: "admin", expectedErrors: [/status of 400/] }, async (page) => {
            await openPage(page, "/admin/audit?user=nobody");
            await page.getByText("No row matches").waitFor();
            await page.goto("/admin/audit?from=yesterday");
            await page.getByText("“yesterday” is not a time.").waitFor();
            assert.equal(await page.getByLabel(/^From/).inputValue(), "yesterday");
          }),
      );

      await t.step(
        "rows over time are read by keyboard, and narrow the time; the number of rows is said",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await openPage(page, "/admin/audit?action=user.unlock");
            await page.getByRole("link", { name: "CSV 130 rows" }).waitFor();
            const chart = page.getByRole("region", { name: "Rows over time" });
            await chart.getByRole("img", { name: "0 ok, 130 refused or failed." }).waitFor();
            const reader = chart.getByRole("slider");
            await reader.focus();
            await page.keyboard.press("End");
            await page.keyboard.press("Shift+Home");
            await chart.locator(".chart-tip").waitFor();
            assert.match(await reader.getAttribute("aria-valuetext") ?? "", /: 0 ok, \d+ refused or failed$/);
            await page.keyboard.press("Enter");
            await landOn(page, (url) => url.searchParams.has("from") && url.searchParams.has("to"));
            await page.getByText("130 of 130 rows shown").or(page.getByText("100 of 130 rows shown"))
              .waitFor();
            await chart.getByText("The figures as a table").click();
            await chart.getByRole("columnheader", { name: "refused or failed" }).waitFor();
          }),
      );

      await t.step("dragging over the chart narrows the time", () =>
        withPage(program, { browser, user: "admin" }, async (page) => {
          await openPage(page, "/admin/audit");
          const reader = page.getByRole("slider");
          await reader.waitFor();
          const box = await reader.boundingBox();
          assert.ok(box !== null);
          await page.mouse.move(box.x + box.width * 0.6, box.y + 20);
          await page.mouse.down();
          await page.mouse.move(box.x + box.width * 0.9, box.y + 20, { steps: 3 });
          await page.mouse.up();
          await landOn(page, (url) =>
            url.searchParams.has("from") && url.searchParams.has("to"));
          await page.getByRole("link", { name: "Remove the filter From" }).waitFor();
        }));

      await t.step("new rows come in while live is on, in the background; times can be in UTC", () =>
        withPage(program, { browser, user: "admin" }, async (page) => {
          await openPage(page, "/admin/audit?action=backend.test");
          await page.getByText("No row matches").waitFor();
          await status(admin.post("/api/admin/backends/test", { json: {} }));
          const look = page.waitForRequest(/api\/admin\/audit\?/);
          await page.getByRole("switch", { name: "Live" }).check();
          assert.equal(await (await look).headerValue("x-background"), "1");
          const row = page.getByRole("row", { name: /Test backend/ });
          await row.waitFor();
          await page.getByText("New rows appear at the top.").waitFor();
          await page.locator(".audit-time-head", { hasText: "1 row" }).waitFor();
          await page.getByRole("button", { name: "UTC", exact: true }).click();
          const moment = await row.locator("time").getAttribute("datetime") ?? "";
          await eventually(async () =>
            assert.equal(await row.locator("time").innerText(), moment.slice(0, 19).replace("T", " "))
          );
          await page.reload();
          await page.getByRole("button", { name: "UTC", exact: true, pressed: true }).waitFor();
        }));

      await t.step("a part of a key and a result are looked for; a row lists what else its user did", () =>
        withPage(program, { browser, user: "admin" }, async (page) => {
          await openPage(page, "/admin/audit");
          await page.getByText("More filters").click();
          await page.getByLabel("Part of the key").fill("calc'!A0");
          await page.getByRole("button", { name: "Filter" }).click();
          await landOn(page, (url) =>
            url.searchParams.has("key_contains"));
          await page.getByText(/^1 row shown/).waitFor();
          await openPage(page, "/admin/audit?result=not_found&action=user.unlock");
          await page.getByRole("button", { name: /^Details of/ }).first().click();
          const related = page.locator(".audit-related li");
          await until(async () =>
            await related.count() === 10, { what: "what else the user did" });
        }));
    }));
});
