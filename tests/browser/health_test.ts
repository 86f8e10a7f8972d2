import assert from "node:assert/strict";
import { skipBrowser, withPage } from "../support/browser.ts";
import { checkLooks, openPage } from "../support/looks.ts";
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
  await withProgram({ backends }, async (program) => {
    await t.step(
      "a backend can be checked now, and its probes are listed",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/admin/health");
          const card = page.locator(".health-card", { hasText: "Main storage" });
          const before = await card.locator(".cell-ok").count();
          await card.getByRole("button", { name: "Check now: Main storage" }).click();
          await page.getByText("Main storage answered.").waitFor();
          await eventually(async () => assert.ok(await card.locator(".cell-ok").count() > before));
          await card.locator("summary").click();
          await card.getByRole("cell", { name: "Passed" }).first().waitFor();
        }),
    );

    await t.step(
      "one that does not answer says why",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/admin/health");
          const card = page.locator(".health-card", { hasText: "Gone storage" });
          await card.getByRole("button", { name: "Check now: Gone storage" }).click();
          await page.getByText("Gone storage did not answer.").waitFor();
          await card.getByText("Unreachable").waitFor();
          assert.notEqual(await card.locator(".health-error .break").innerText(), "");
        }),
    );

    await t.step(
      "looks",
      () => checkLooks(program, { name: "health", path: "/admin/health", user: "admin" }),
    );
  });
});
