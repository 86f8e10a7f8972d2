import assert from "node:assert/strict";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { openPage, openWatched, setHidden } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";

upstreamTest(["embedded"], "the health page", async (upstream, t) => {
  if (skipBrowser()) return;
  const dead = { ...upstream, endpoint: "http://127.0.0.1:1" };
  const backends = [{ id: "main", name: "Main storage", upstream }, {
    id: "dead",
    name: "Gone storage",
    upstream: dead,
  }];
  await withProgram({ backends }, (program) =>
    withSharedBrowser(async (browser) => {
      await t.step(
        "a backend can be checked now, and its probes are listed",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await openPage(page, "/admin/health");
            const card = page.locator(".health-card", { hasText: "Main storage" });
            const before = await card.locator(".cell-ok").count();
            await card.getByRole("button", { name: "Check now: Main storage" }).click();
            await page.getByText("Main storage answered.").waitFor();
            await eventually(async () => assert.ok(await card.locator(".cell-ok").count() > before));
            const reader = card.getByRole("slider");
            await reader.focus();
            await page.keyboard.press("End");
            await card.locator(".chart-tip").getByText(/UTC: \d+ ms$/).waitFor();
            assert.equal(await card.getByRole("list", { name: "Features" }).getByRole("listitem").count(), 6);
            await card.locator("summary").click();
            await card.getByRole("cell", { name: "Passed" }).first().waitFor();
          }),
      );

      await t.step(
        "one that does not answer says why",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await openPage(page, "/admin/health");
            const card = page.locator(".health-card", { hasText: "Gone storage" });
            await card.getByRole("button", { name: "Check now: Gone storage" }).click();
            await page.getByText("Gone storage did not answer.").waitFor();
            await card.getByText("Unreachable").waitFor();
            const error = card.locator(".health-error");
            await error.getByText("The connection ended early.").waitFor();
            await error.getByText(/^The backend closed the connection/).waitFor();
            const { origin } = new URL(page.url());
            await page.context().addCookies([{ name: "ui_language", value: "de", url: origin }]);
            await page.goto("/");
            const row = page.locator(".backend-item", { hasText: "Gone storage" });
            await row.getByText("Die Verbindung endete vorzeitig.").waitFor();
            await row.locator("[lang=en]", { hasText: /^The backend closed the connection/ }).waitFor();
          }),
      );

      await t.step(
        "what is on its way when the page is hidden is aborted, and looking goes on when it is seen again",
        () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await page.clock.install();
            await page.route("**/api/admin/backends/health", () => {});
            const unanswered = page.waitForRequest("**/api/admin/backends/health");
            await openWatched(page, "/admin/health");
            await page.clock.runFor(60_000);
            await unanswered;
            const aborted = page.waitForEvent("requestfailed", (sent) =>
              /\/backends\/health$/.test(sent.url()));
            await setHidden(page, true);
            await aborted;
            await page.unroute("**/api/admin/backends/health");
            const answered = page.waitForResponse("**/api/admin/backends/health");
            await setHidden(page, false);
            assert.equal((await answered).status(), 200);
          }),
      );
    }));
});
