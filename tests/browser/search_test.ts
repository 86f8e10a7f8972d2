import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { checkLooks, landOn, openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { browsing } from "./browsing.ts";

upstreamTest(["embedded"], "searching over all backends", async (upstream, t) => {
  if (skipBrowser()) return;
  const dead = { ...upstream, endpoint: "http://127.0.0.1:1" };
  const backends = [
    { id: "main", name: "Main storage", upstream },
    { id: "dead", name: "Gone storage", upstream: dead },
  ];
  await withProgram({ backends }, async (program) => {
    const admin = await program.signedIn();
    const api = "/api/backends/main/buckets";
    for (const name of ["reports", "photos"]) await json(admin.post(api, { json: { name } }), 201);
    for (const key of ["report/a.txt", "report/b.txt", "old/my-report.txt", "x.txt"]) {
      const headers = { "content-type": "text/plain" };
      await json(
        admin.post(`${api}/reports/object?key=${encodeURIComponent(key)}`, { body: "x", headers }),
        201,
      );
    }
    await json(admin.post("/api/me/pins", { json: { backend_id: "main", bucket: "reports" } }), 201);
    await withSharedBrowser((browser) =>
      withPage(program, { session: admin, browser }, async (page) => {
        await t.step("what is typed is found, and a dead backend is said to be", async () => {
          await openPage(page, "/search");
          await page.locator("#search:focus").waitFor();
          await page.keyboard.type("report");
          await page.waitForURL(/\/search\?q=report$/);
          await page.getByRole("heading", { name: "1 bucket" }).waitFor();
          await untilResults(page, ["reports", "report/a.txt", "report/b.txt"]);
          assert.deepEqual(await page.locator("mark").first().innerText(), "report");
          await page.getByText("Gone storage was not searched to the end").waitFor();
        });

        await t.step("the arrow keys go through what was found", async () => {
          await page.locator("#search").focus();
          await page.keyboard.press("ArrowDown");
          await page.keyboard.press("ArrowDown");
          await page.locator("[data-result]:focus", { hasText: "report/a.txt" }).waitFor();
          await page.keyboard.press("ArrowUp");
          await page.keyboard.press("ArrowUp");
          await page.locator("#search:focus").waitFor();
          await page.keyboard.press("ArrowDown");
          await page.keyboard.press("ArrowDown");
          await page.keyboard.press("Enter");
          await page.waitForURL("**/b/main/reports?p=report/&o=report/a.txt");
          await page.goBack();
          await landOn(page, /\/search\?q=report$/);
          await untilResults(page, ["reports", "report/a.txt", "report/b.txt"]);
        });

        await t.step("in a folder, what follows its name is searched", async () => {
          await openPage(page, "/search?q=my&scope=main/reports/old/");
          await page.getByText("in this folder: complete.").waitFor();
          await untilResults(page, ["old/my-report.txt"]);
          await page.getByLabel("Search buckets and objects").fill("report");
          await page.getByText("Nothing found").waitFor();
          await page.getByRole("button", { name: "Go through every key" }).click();
          await untilResults(page, ["old/my-report.txt"]);
          await openPage(page, "/search?q=old&scope=main/reports/old/&scan=1");
          await page.getByText("Contains match: complete, 1 key scanned.").waitFor();
          await untilResults(page, []);
          await openPage(page, "/search?q=report&scope=main/reports/report/");
          await page.getByText("Nothing found").waitFor();
          await openPage(page, "/search?q=report");
        });

        await t.step("every key of a bucket can be gone through", async () => {
          await page.getByRole("list", { name: "Buckets to search through" }).getByRole("link").click();
          await landOn(page, /scope=main\/reports$/);
          await page.getByText("Keys by their beginning, in this bucket: complete.").waitFor();
          await page.getByRole("button", { name: "Go through every key" }).click();
          await page.getByText("Contains match: complete, 4 keys scanned.").waitFor();
          await page.waitForURL(/scan=1/);
          await untilResults(page, ["old/my-report.txt", "report/a.txt", "report/b.txt"]);
          await page.getByRole("link", { name: "Everything" }).click();
          await landOn(page, /\/search\?q=report$/);
          await page.goBack();
          await landOn(page, /scan=1/);
          await page.getByText("Contains match: complete, 4 keys scanned.").waitFor();
        });
      })
    );
    await checkLooks(program, {
      name: "search",
      path: "/search?q=report&scope=main/reports&scan=1",
      user: "admin",
      prepare: (page) => page.getByText("Contains match: complete").waitFor(),
    });
  });
});

Deno.test({
  name: "going through very many keys stops by itself, can be stopped, and goes on",
  ignore: skipBrowser(),
  fn: () =>
    browsing({ manyKeys: 60_000 }, ({ withPage }) =>
      withPage({}, async (page) => {
        const stopped = Promise.withResolvers<void>();
        let pages = 0;
        await page.route(/\/objects\?/, async (route) => {
          if (++pages > 5) await stopped.promise;
          // The page may have given it up.
          await route.continue().catch(() => {});
        });
        await openPage(page, "/search?q=y-0599&scope=local/files&scan=1");
        await page.getByRole("button", { name: "Stop" }).click();
        await page.getByText(/Scanned [\d,]+ keys so far/).waitFor();
        stopped.resolve();
        await page.unroute(/\/objects\?/);
        await page.getByRole("button", { name: "Keep going" }).click();
        await page.getByText(/Scanned [\d,]+ keys…/).waitFor();
        const reading = page.getByText(/Contains match: complete, 60,000 keys scanned|so far/);
        await reading.waitFor();
        if (await page.getByRole("button", { name: "Keep going" }).isVisible()) {
          await page.getByRole("button", { name: "Keep going" }).click();
        }
        await page.getByText("Contains match: complete, 60,000 keys scanned.").waitFor();
        await page.getByText("100 matches").waitFor();
        await page.getByLabel("Search buckets and objects").fill("key-0");
        await page.getByRole("button", { name: "Go through every key" }).click();
        await page.getByText("Only the first 1,000 matches are kept.").waitFor();
      })),
});

async function untilResults(page: Page, expected: readonly string[]): Promise<void> {
  await eventually(async () =>
    assert.deepEqual(
      await page.locator("[data-result] .result-name").allInnerTexts(),
      expected,
    )
  );
}
