import assert from "node:assert/strict";
import type { AuditEvent } from "../../src/audit/event.ts";
import { insertAuditEvent } from "../../src/store/audit_repository.ts";
import { Database } from "../../src/store/database.ts";
import { skipBrowser, withPage } from "../support/browser.ts";
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
  await withProgram({ users: { admin: "admin", maria: "user" } }, async (program) => {
    const admin = await program.signedIn();
    await program.signedIn("maria");
    await t.step("looks", async () => {
      await checkLooks(program, { name: "audit", path: "/admin/audit", user: "admin" });
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
        withPage(program, { user: "admin" }, async (page) => {
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
        withPage(program, { user: "admin" }, async (page) => {
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
        withPage(program, { user: "admin" }, async (page) => {
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
        withPage(program, { user: "admin", javaScriptEnabled: false }, async (page) => {
          await page.goto("/admin/audit");
          await page.getByLabel("User name or id").fill("maria");
          await page.getByRole("button", { name: "Filter" }).click();
          await page.getByText("1 of 1 row shown").waitFor();
        }),
    );

    await t.step("markup in names and programs is text, and a thousand keys expand", async () => {
      addHostileRow(program);
      await withPage(program, { user: "admin" }, async (page) => {
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
      await withPage(program, { user: "admin" }, async (page) => {
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
      await withPage(program, { user: "admin" }, async (page) => {
        await openPage(page, "/admin/audit?action=auth.login&status=error");
        const row = page.getByRole("row", { name: /Sign in/ });
        assert.match(await row.innerText(), /Sign in\s+auth\.login/);
        await row.getByText("wrong_password").waitFor();
      });
    });

    await t.step(
      "a row opens with the keyboard and shows everything that is recorded",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/admin/audit?action=user.unlock");
          const toggle = page.getByRole("button", { name: /^Details of Unlock user/ }).first();
          await toggle.focus();
          await page.keyboard.press("Enter");
          await eventually(async () => assert.equal(await toggle.getAttribute("aria-expanded"), "true"));
          await page.getByText('"code": "not_found"').waitFor();
          await page.getByRole("button", { name: "Copy request id" }).waitFor();
        }),
    );

    await t.step(
      "nothing that matches and a filter that is wrong are said plainly",
      () =>
        withPage(program, { user: "admin", expectedErrors: [/status of 400/] }, async (page) => {
          await openPage(page, "/admin/audit?user=nobody");
          await page.getByText("No row matches").waitFor();
          await page.goto("/admin/audit?from=yesterday");
          await page.getByText("“yesterday” is no time.").waitFor();
          assert.equal(await page.getByLabel(/^From/).inputValue(), "yesterday");
        }),
    );
  });
});
