import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { skipBrowser, withPage } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { checkLooks, openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";

upstreamTest(["embedded"], "managing backends", async (upstream, t) => {
  if (skipBrowser()) return;
  await withProgram({ backends: [{ id: "fixed", name: "From the file", upstream }] }, async (program) => {
    await t.step(
      "a backend is tested, then added",
      () =>
        withPage(program, { user: "admin", expectedErrors: [/status of 409/] }, async (page) => {
          await openPage(page, "/admin/backends");
          await page.getByRole("button", { name: "Add backend" }).first().click();
          const dialog = page.getByRole("dialog", { name: "Add a backend" });
          await dialog.getByLabel("Service", { exact: true }).selectOption("MinIO");
          await untilFilledIn(dialog, { Endpoint: "http://localhost:9000" });
          await dialog.getByLabel("Name", { exact: true }).fill("Second storage");
          await untilFilledIn(dialog, { Id: "second-storage" });
          await dialog.getByLabel("Id", { exact: true }).fill("fixed");
          await dialog.getByLabel("Endpoint").fill("http://127.0.0.1:1");
          await dialog.getByLabel("Access key").fill(upstream.accessKey);
          await dialog.getByLabel("Secret key", { exact: true }).fill(upstream.secretKey);
          await dialog.getByRole("button", { name: "Test" }).click();
          await dialog.getByText("The test failed.").waitFor();
          await dialog.getByLabel("Endpoint").fill(upstream.endpoint);
          await dialog.getByRole("button", { name: "Test" }).click();
          await dialog.getByText("It works.").waitFor();
          await dialog.getByRole("button", { name: "Add backend" }).click();
          await dialog.locator("[name=id][aria-invalid=true]").waitFor();
          await dialog.getByLabel("Id", { exact: true }).fill("second");
          await dialog.getByRole("button", { name: "Add backend" }).click();
          await page.getByText("Second storage is added.").waitFor();
          const row = page.getByRole("row", { name: /Second storage/ });
          assert.doesNotMatch(await row.innerText(), /Config/);
          await row.getByText(/^Reachable \d+ ms$/).waitFor();
          await page.getByRole("row", { name: /From the file/ }).getByText("Config").waitFor();
        }),
    );

    await t.step(
      "a service fills in what the user has not; a failed test needs no id, and is asked about",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/admin/backends?add=1");
          const dialog = page.getByRole("dialog", { name: "Add a backend" });
          const service = dialog.getByLabel("Service", { exact: true });
          await service.selectOption("Amazon S3");
          await service.selectOption("Cloudflare R2");
          await untilFilledIn(dialog, { Name: "Cloudflare R2", Id: "cloudflare-r2", Region: "auto" });
          await dialog.getByLabel("Name", { exact: true }).fill("Mine");
          await service.selectOption("Amazon S3");
          await untilFilledIn(dialog, { Name: "Mine", Id: "mine" });
          await dialog.getByLabel("Region", { exact: true }).fill("eu-north-1");
          await untilFilledIn(dialog, { Endpoint: "https://s3.eu-north-1.amazonaws.com" });
          await dialog.getByLabel("Endpoint").fill("http://127.0.0.1:1");
          await dialog.getByLabel("Id", { exact: true }).fill("");
          await dialog.getByRole("button", { name: "Test" }).click();
          await dialog.getByText("The test failed.").waitFor();
          await dialog.getByLabel("Id", { exact: true }).fill("mine");
          await dialog.getByText("The test failed.").waitFor({ state: "detached" });
          await dialog.getByRole("button", { name: "Test" }).click();
          await dialog.getByText("The test failed.").waitFor();
          await dialog.getByRole("button", { name: "Add backend" }).click();
          const question = page.getByRole("dialog", { name: "Add it anyway?" });
          await question.getByRole("button", { name: "Cancel" }).click();
          await dialog.getByText("The test failed.").waitFor();
          await dialog.getByRole("button", { name: "Add backend" }).click();
          await question.getByRole("button", { name: "Add anyway" }).click();
          const row = page.getByRole("row", { name: /Mine/ });
          await row.getByText("Unreachable").waitFor();
          await row.locator(".backend-reason").waitFor();
          await page.getByRole("button", { name: "Actions for Mine" }).click();
          await page.getByRole("menuitem", { name: "Disable" }).click();
          await row.getByText("Disabled").waitFor();
        }),
    );

    await t.step(
      "it is changed, and keeps the secret that is not typed again",
      () =>
        withPage(program, { user: "admin" }, async (page) => {
          await openPage(page, "/admin/backends");
          await page.getByRole("button", { name: "Actions for Second storage" }).click();
          await page.getByRole("menuitem", { name: "Edit…" }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByLabel("Name", { exact: true }).fill("Renamed storage");
          await dialog.getByRole("button", { name: "Save changes" }).click();
          await page.getByText("Renamed storage is changed.").waitFor();
          const admin = await program.signedIn();
          assert.equal((await json(admin.get("/api/backends/second/health"))).healthy, true);
        }),
    );

    await t.step(
      "it is removed when its id is typed, and asked about once more while a link leads to it; one from the file cannot be",
      () =>
        withPage(program, { user: "admin", expectedErrors: [/status of 409/] }, async (page) => {
          const admin = await program.signedIn();
          const bucket = "/api/backends/second/buckets/shared-from";
          await json(admin.post("/api/backends/second/buckets", { json: { name: "shared-from" } }), 201);
          await json(admin.post(`${bucket}/object?key=a.txt`, { body: "x" }), 201);
          const target = { backend_id: "second", bucket: "shared-from", key: "a.txt" };
          const { id } = await json(admin.post("/api/shares", { json: target }), 201);
          await openPage(page, "/admin/backends");
          await page.getByRole("button", { name: "Actions for From the file" }).click();
          assert.ok(await page.getByRole("menuitem", { name: "Remove…" }).isDisabled());
          await page.keyboard.press("Escape");
          await page.getByRole("button", { name: "Actions for Renamed storage" }).click();
          await page.getByRole("menuitem", { name: "Remove…" }).click();
          const remove = page.getByRole("button", { name: "Remove backend" });
          assert.ok(await remove.isDisabled());
          await page.keyboard.type("second");
          await remove.click();
          const question = page.getByRole("dialog", { name: "Renamed storage is still in use" });
          await question.getByText("1 share would go with it").waitFor();
          assert.equal((await json(admin.get(`/api/shares/${id}`))).state, "active");
          await question.getByRole("button", { name: "Remove anyway" }).click();
          await page.getByText("Renamed storage is removed.").waitFor();
          assert.equal((await json(admin.get(`/api/shares/${id}`))).state, "revoked");
        }),
    );

    await t.step("looks", async () => {
      await checkLooks(program, { name: "backends", path: "/admin/backends", user: "admin" });
      await checkLooks(program, {
        name: "backend-new",
        path: "/admin/backends?add=1",
        user: "admin",
        prepare: (page) => page.getByRole("dialog").waitFor(),
      });
    });
  });
});

/** Waits until these are the values of fields, by their labels. */
function untilFilledIn(dialog: Locator, expected: Readonly<Record<string, string>>): Promise<void> {
  return eventually(async () => {
    for (const [label, value] of Object.entries(expected)) {
      assert.equal(await dialog.getByLabel(label, { exact: true }).inputValue(), value, label);
    }
  });
}
