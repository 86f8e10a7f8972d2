import assert from "node:assert/strict";
import { accessibilityFaults, skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { type Endpoint, withEndpoint } from "../support/endpoint.ts";
import { json, status } from "../support/http_client.ts";
import { checkLooks, landOn, openPage } from "../support/looks.ts";
import { until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";

const ignore = skipBrowser();

/** Requests of all kinds: answered, refused, of an attacker, and about a bucket that is counted. */
async function makeTraffic({ client, url }: Endpoint): Promise<void> {
  const bucket = "/api/backends/main/buckets/bucket";
  for (let count = 0; count < 5; count++) {
    const file = { body: "x".repeat(5000), headers: { "content-type": "text/plain" } };
    await json(client.post(`${bucket}/object?key=file-${count}`, file), 201);
    await status(fetch(`${url}/bucket/file-${count}`));
  }
  await status(fetch(`${url}/%3Cimg%20src=x%20onerror=alert(1)%3E/key`));
  await json(client.put(`${bucket}/quota`, { json: { soft_bytes: 0, hard_bytes: 1_000_000 } }));
  await json(client.post(`${bucket}/quota/recompute`));
  await until(async () => (await json(client.get("/api/admin/dashboard"))).failures.length >= 6, {
    what: "the refusals to be counted",
  });
}

Deno.test({
  name: "the activity page",
  ignore,
  fn: (t) =>
    withEndpoint("embedded", {}, (endpoint) =>
      withSharedBrowser(async (browser) => {
        const { program } = endpoint;
        await makeTraffic(endpoint);

        await t.step("shows figures, charts, storage, buckets and failures", () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await openPage(page, "/");
            await page.getByRole("navigation", { name: "Main", exact: true })
              .getByRole("link", { name: "Activity" }).click();
            await landOn(page, "**/admin/usage");
            const s3 = page.getByRole("region", { name: "S3 endpoint" });
            await s3.getByRole("img", { name: "6 requests, 6 refused, 0 failed" }).waitFor();
            assert.ok(await s3.locator(".chart-refused").count() >= 1);
            await page.getByRole("region", { name: "Storage by backend" }).getByText(
              "5 objects in 1 counted bucket",
            )
              .waitFor();
            for (const name of ["Largest buckets", "Busiest buckets"]) {
              await page.getByRole("region", { name }).getByRole("link", { name: "bucket" }).waitFor();
            }
            const reader = s3.getByRole("slider").first();
            await reader.focus();
            await page.keyboard.press("End");
            // A minute may have begun between them.
            let seen = 0;
            for (let minute = 0; minute < 10 && seen < 6; minute++) {
              if (minute > 0) await page.keyboard.press("ArrowLeft");
              const text = await reader.getAttribute("aria-valuetext") ?? "";
              const [, requests, refused] = /([\d,]+) requests?, ([\d,]+) refused/.exec(text) ?? [, "0", "0"];
              assert.equal(requests, refused);
              await s3.locator(".chart-tip").getByText(`${requests} request`).waitFor();
              seen += Number(requests);
            }
            assert.equal(seen, 6);
            await page.keyboard.press("Escape");
            await s3.locator(".chart-tip").waitFor({ state: "detached" });
            await s3.getByText("The figures as a table").click();
            await s3.getByRole("columnheader", { name: "Refused" }).waitFor();
            await until(async () =>
              await s3.locator("tbody tr").count() === 60, {
              what: "a row for each minute",
            });
          }));

        await t.step("a failure leads to its record in the audit log", () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await openPage(page, "/admin/usage");
            await page.locator(".usage-failures").getByRole("link", { name: /^Audit log/ }).first().click();
            await page.waitForURL(/\/admin\/audit\?from=/);
            await page.getByText("s3.proxy.getobject").first().waitFor();
          }));

        await t.step("looks again by itself while it is visible, in the background", () =>
          withPage(program, { browser, user: "admin" }, async (page) => {
            await page.clock.install();
            await openPage(page, "/admin/usage?window=day");
            let asked = 0;
            page.on("request", (sent) =>
              asked += Number(sent.url().includes("/api/admin/dashboard")));
            const request = page.waitForRequest(/\/api\/admin\/dashboard/);
            await page.clock.runFor(29_000);
            assert.equal(asked, 0, "no more than two requests a minute");
            await page.clock.runFor(2_000);
            const poll = await request;
            assert.equal(await poll.headerValue("x-background"), "1");
            assert.match(poll.url(), /window=day/);
            let later = 0;
            page.on("request", () =>
              later++);
            await page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })");
            await page.clock.runFor(120_000);
            assert.equal(later, 0, "a hidden page asks nothing");
          }));

        await t.step("the last day, without script", () =>
          withPage(program, { browser, user: "admin", javaScriptEnabled: false }, async (page) => {
            await page.goto("/admin/usage");
            await page.getByRole("link", { name: "Last 24 hours" }).click();
            await page.waitForURL(/window=day/);
            assert.equal(await page.locator("[aria-current=true]").innerText(), "Last 24 hours");
            assert.equal(await page.locator("#usage-s3 ~ * .chart-step").count(), 288);
          }));

        await t.step(
          "looks",
          () =>
            checkLooks(program, { name: "usage", path: "/admin/usage", user: "admin" }),
        );
      })),
});

Deno.test({
  name: "the activity page of a program without storage",
  ignore,
  fn: () =>
    withProgram({}, (program) =>
      withPage(program, { user: "admin" }, async (page) => {
        await openPage(page, "/admin/usage");
        await page.getByText("No backend is connected.").waitFor();
        assert.equal(await page.getByRole("region", { name: "S3 endpoint" }).count(), 0);
        assert.deepEqual(await accessibilityFaults(page), []);
      })),
});
