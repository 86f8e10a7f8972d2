import assert from "node:assert/strict";
import { skipBrowser, withPage } from "../support/browser.ts";
import { checkLooks, openPage } from "../support/looks.ts";
import { json } from "../support/http_client.ts";
import { eventually, until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";

const users = { admin: "admin", reader: "readonly" } as const;

upstreamTest(["embedded"], "overview", async (upstream, t) => {
  if (skipBrowser()) return;
  const dead = { ...upstream, endpoint: "http://127.0.0.1:1" };
  const backends = [{ id: "main", name: "Main storage", upstream }, {
    id: "dead",
    name: "Gone storage",
    upstream: dead,
  }];
  await withProgram({ users, backends }, async (program) => {
    const admin = await program.signedIn();
    await json(admin.post("/api/backends/main/buckets", { json: { name: "photos" } }), 201);
    await until(async () => {
      const { backends } = await json(admin.get("/api/admin/backends/health"));
      return backends.every(({ history }: { history: unknown[] }) => history.length > 0);
    }, { what: "each backend to be probed" });

    await t.step(
      "a backend that does not answer is said to, and holds up nothing else",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/");
          const main = page.locator(".backend-row", { hasText: "Main storage" });
          await main.getByText("Reachable").waitFor();
          await main.getByRole("img", { name: /probes? passed/ }).waitFor();
          await main.getByText("1 bucket", { exact: true }).waitFor();
          const gone = page.locator(".backend-row", { hasText: "Gone storage" });
          await gone.getByText("Unreachable").waitFor();
          await gone.locator(".cell-bad").first().waitFor();
          await page.getByText("1 unreachable").waitFor();
          await page.locator(".backend-error .break").waitFor();
          const reader = gone.getByRole("slider", { name: "Gone storage: read the probes one by one" });
          await reader.press("End");
          await gone.locator(".strip-tip", { hasText: /failed after \d+ ms: ./ }).waitFor();
          assert.match(await reader.getAttribute("aria-valuetext") ?? "", /UTC\s+failed after \d+ ms: ./);
          await reader.press("Home");
          await gone.locator(".strip-tip", { hasText: "No probe yet" }).waitFor();
          await reader.blur();
          await gone.locator(".strip-tip").waitFor({ state: "detached" });
        }),
    );

    await t.step(
      "the whole row leads to the backend, and each bucket is one click away",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/");
          await page.locator(".backend-row", { hasText: "Main storage" })
            .click({ position: { x: 400, y: 10 } });
          await page.waitForURL("**/b/main");
          await page.goBack();
          await page.getByRole("list", { name: "Buckets of Main storage" }).getByRole("link").click();
          await page.waitForURL("**/b/main/photos");
        }),
    );

    await t.step(
      "without script it is whole, and what needs script is not there",
      () =>
        withPage(program, { user: "reader", javaScriptEnabled: false }, async (page) => {
          // What the page did not have in time is left to its script: here, one asks again oneself.
          await eventually(async () => {
            await page.goto("/?wait=1");
            assert.equal(await page.getByRole("link", { name: "photos" }).count(), 1);
            assert.equal(await page.getByText("Counting…").count(), 0);
          });
          await page.getByText("JavaScript is off").waitFor();
          assert.equal(await page.getByRole("button", { name: /Switch between|Fold/ }).count(), 0);
          await page.getByRole("button", { name: "Account: reader" }).click();
          assert.equal(await page.getByRole("button", { name: "Sign out" }).count(), 0);
          await page.getByRole("link", { name: "Your account" }).last().click();
          await page.getByRole("heading", { name: "Your account" }).waitFor();
        }),
    );

    await t.step(
      "a reader sees states, but no probes and no administration",
      () =>
        withPage(program, { user: "reader" }, async (page) => {
          await openPage(page, "/");
          await page.locator(".backend-row", { hasText: "Main storage" }).getByText("Reachable").waitFor();
          await page.locator(".backend-row", { hasText: "Gone storage" }).getByText("Unreachable").waitFor();
          await page.getByText("Ask an administrator why.").waitFor();
          assert.equal(await page.locator(".strip").count(), 0);
          await page.locator(".topbar .badge", { hasText: "Read-only" }).waitFor();
          assert.equal(await page.locator("a[href^='/admin']").count(), 0);
        }),
    );

    await t.step(
      "pinned and recent buckets, what runs, and what is stored, are at hand",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          const pin = { backend_id: "main", bucket: "photos" };
          await json(admin.post("/api/me/pins", { json: pin }), 201);
          await json(admin.get("/api/backends/main/buckets/photos/objects"));
          const body = { soft_bytes: 1, hard_bytes: 0 };
          const headers = { "content-type": "text/plain" };
          const photos = "/api/backends/main/buckets/photos";
          await json(admin.post(`${photos}/object?key=a.txt`, { body: "x".repeat(2048), headers }), 201);
          await json(admin.put(`${photos}/quota`, { json: body }));
          await json(admin.post(`${photos}/quota/recompute`));
          await json(admin.post(`${photos}/objects/measure`, { json: { prefix: "" } }));
          await openPage(page, "/");
          const part = (name: string) =>
            page.locator(".overview-part", { has: page.getByRole("heading", { name, exact: true }) });
          const main = page.locator(".backend-item", { hasText: "Main storage" });
          await main.getByText(/^2.00 KiB$/).first().waitFor();
          await main.getByText("1 bucket is over its cap: photos").waitFor();
          await part("Storage by backend").locator("li", { hasText: "2.00 KiB" }).getByText("as of just now")
            .waitFor();
          await part("Recent transfers").getByText("Measure photos").waitFor();
          await part("Pinned places").getByRole("link", { name: /photos/ }).waitFor();
          await part("Recent buckets").getByText("The buckets that you open").waitFor();
          await page.getByRole("button", { name: "Unpin photos" }).press("Enter");
          await part("Recent buckets").getByRole("link", { name: /photos/ }).waitFor();
          assert.deepEqual((await json(admin.get("/api/me/pins"))).pins, []);
          await page.getByRole("button", { name: "Undo" }).click();
          await part("Pinned places").getByRole("link", { name: /photos/ }).click();
          await page.waitForURL("**/b/main/photos");
          assert.deepEqual((await json(admin.get("/api/me/recent-buckets"))).buckets, [pin]);
        }),
    );

    await t.step("only who manages backends sees where they are", async () => {
      const { host } = new URL(upstream.endpoint);
      await withPage(program, { user: "admin" }, async (page) => {
        await openPage(page, "/");
        await page.locator(".backend-row", { hasText: "Main storage" }).getByText(host).waitFor();
        await page.getByRole("button", { name: "Copy the endpoint of Main storage" }).waitFor();
      });
      const reader = await program.signedIn("reader");
      const page = await (await reader.get("/")).text();
      assert.equal(page.includes(host), false);
    });
  });
});

Deno.test({ name: "an overview without backends says what comes next", ignore: skipBrowser() }, async () => {
  await withProgram({ users }, async (program) => {
    await withPage(program, { user: "admin" }, async (page) => {
      await openPage(page, "/");
      await page.getByRole("link", { name: "Connect a backend" }).click();
      await page.getByRole("heading", { name: "Add a backend" }).waitFor();
      await openPage(page, "/");
      await page.getByRole("link", { name: "Garage" }).click();
      const form = page.getByRole("dialog", { name: "Add a backend" });
      await eventually(async () => {
        assert.equal(await form.getByLabel("Endpoint").inputValue(), "http://localhost:3900");
        assert.equal(await form.getByLabel("Region").inputValue(), "garage");
      });
    });
    await withPage(program, { user: "reader" }, async (page) => {
      await openPage(page, "/");
      await page.getByText("Ask an administrator").waitFor();
    });
    await checkLooks(program, { name: "overview-empty", path: "/", user: "admin" });
  });
});
