import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { checkLooks, openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";

upstreamTest(["embedded"], "managing backends", async (upstream, t) => {
  if (skipBrowser()) return;
  await withProgram(
    { backends: [{ id: "fixed", name: "From the file", upstream }] },
    (program) =>
      withSharedBrowser(async (browser) => {
        await t.step(
          "a backend is tested, then added",
          () =>
            withPage(program, { browser, user: "admin", expectedErrors: [/status of 409/] }, async (page) => {
              await openPage(page, "/admin/backends");
              await page.getByRole("button", { name: "Add backend" }).first().click();
              const dialog = page.getByRole("dialog", { name: "Add a backend" });
              await dialog.getByLabel("Service", { exact: true }).selectOption("MinIO");
              await untilFilledIn(dialog, { Endpoint: "http://localhost:9000" });
              await dialog.getByLabel("Name", { exact: true }).fill("Second storage");
              await untilFilledIn(dialog, { ID: "second-storage" });
              await dialog.getByLabel("ID", { exact: true }).fill("fixed");
              await dialog.getByLabel("Endpoint").fill("http://127.0.0.1:1");
              await dialog.getByLabel("Access key").fill(upstream.accessKey);
              await dialog.getByLabel("Secret key", { exact: true }).fill(upstream.secretKey);
              await dialog.getByRole("button", { name: "Test" }).click();
              await dialog.getByText("The test failed.").waitFor();
              await dialog.getByText("Nothing listens there.").first().waitFor();
              await dialog.getByLabel("Endpoint").fill(upstream.endpoint);
              await dialog.getByLabel("Secret key", { exact: true }).fill("another");
              await dialog.getByText("Show command").click();
              const command = dialog.locator("code", { hasText: upstream.endpoint });
              assert.match(await command.innerText(), /"secret_key":"SECRET"/);
              await dialog.getByRole("button", { name: "Test" }).click();
              const sign = dialog.getByRole("listitem").filter({ hasText: "Sign" });
              await sign.getByText("SignatureDoesNotMatch").waitFor();
              await dialog.getByLabel("Secret key", { exact: true }).fill(upstream.secretKey);
              await dialog.getByRole("button", { name: "Test" }).click();
              await dialog.getByText("It works.").waitFor();
              await sign.getByText(": ok").waitFor({ state: "attached" });
              await dialog.getByRole("button", { name: "Add backend" }).click();
              await dialog.locator("[name=id][aria-invalid=true]").waitFor();
              await dialog.getByLabel("ID", { exact: true }).fill("second");
              await dialog.getByRole("button", { name: "Add backend" }).click();
              await page.getByText("Second storage is added.").waitFor();
              await untilInRail(page, ["From the file", "Second storage"]);
              const row = page.getByRole("row", { name: /Second storage/ });
              assert.doesNotMatch(await row.innerText(), /Config/);
              await row.getByText(/^Reachable (\d+ ms|\d\.\d s)$/).waitFor();
              await page.getByRole("row", { name: /From the file/ }).getByText("Config", { exact: true })
                .waitFor();
            }),
        );

        await t.step(
          "a service fills in what the user has not; a failed test needs no id, and is asked about",
          () =>
            withPage(program, { browser, user: "admin" }, async (page) => {
              await openPage(page, "/admin/backends?add=1");
              const dialog = page.getByRole("dialog", { name: "Add a backend" });
              const service = dialog.getByLabel("Service", { exact: true });
              await service.selectOption("Amazon S3");
              await service.selectOption("Cloudflare R2");
              await untilFilledIn(dialog, { Name: "Cloudflare R2", ID: "cloudflare-r2", Region: "auto" });
              await dialog.getByLabel("Name", { exact: true }).fill("Mine");
              await service.selectOption("Amazon S3");
              await untilFilledIn(dialog, { Name: "Mine", ID: "mine" });
              await dialog.getByLabel("Region", { exact: true }).fill("eu-north-1");
              await untilFilledIn(dialog, { Endpoint: "https://s3.eu-north-1.amazonaws.com" });
              await dialog.getByLabel("Endpoint").fill("http://127.0.0.1:1");
              await dialog.getByLabel("ID", { exact: true }).fill("");
              await dialog.getByRole("button", { name: "Test" }).click();
              await dialog.getByText("The test failed.").waitFor();
              await dialog.getByLabel("ID", { exact: true }).fill("mine");
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
              await row.getByText("Disabled", { exact: true }).waitFor();
              await untilInRail(page, ["From the file", "Second storage"]);
              await page.getByRole("button", { name: "Actions for Mine" }).click();
              await page.getByRole("menuitem", { name: "Enable" }).click();
              await row.getByText("Unreachable").waitFor();
              await untilInRail(page, ["From the file", "Second storage", "Mine"]);
              const link = page.locator("#rail-backends").getByRole("link", { name: "Mine" });
              await link.getByRole("img", { name: "Unreachable" }).waitFor();
            }),
        );

        await t.step(
          "it is changed, and keeps the secret that is not typed again",
          () =>
            withPage(program, { browser, user: "admin" }, async (page) => {
              const admin = await program.signedIn();
              await json(admin.post("/api/backends/second/buckets", { json: { name: "pinned" } }), 201);
              await json(
                admin.post("/api/me/pins", { json: { backend_id: "second", bucket: "pinned" } }),
                201,
              );
              await openPage(page, "/admin/backends");
              await page.getByRole("button", { name: "Actions for Second storage" }).click();
              await page.getByRole("menuitem", { name: "Edit…" }).click();
              const dialog = page.getByRole("dialog");
              await dialog.getByLabel("Name", { exact: true }).fill("Renamed storage");
              await dialog.getByLabel("Presigned links").check();
              await dialog.getByRole("button", { name: "Save changes" }).click();
              await page.getByText("Renamed storage is changed.").waitFor();
              await untilInRail(page, ["From the file", "Renamed storage", "Mine"]);
              await page.locator("#rail-pins").getByTitle(/Renamed storage/).waitFor();
              assert.equal((await json(admin.get("/api/backends/second"))).presign, true);
              await page.getByRole("button", { name: "Actions for Renamed storage" }).click();
              await page.getByRole("menuitem", { name: "Edit…" }).click();
              assert.ok(await dialog.getByLabel("Presigned links").isChecked());
              await dialog.getByRole("button", { name: "Cancel" }).click();
              assert.equal((await json(admin.get("/api/backends/second/health"))).healthy, true);
            }),
        );

        await t.step(
          "it is removed when its id is typed, after what goes with it was said; one from the file is only shown",
          () =>
            withPage(program, { browser, user: "admin", expectedErrors: [/status of 409/] }, async (page) => {
              const admin = await program.signedIn();
              const bucket = "/api/backends/second/buckets/shared-from";
              await json(admin.post("/api/backends/second/buckets", { json: { name: "shared-from" } }), 201);
              await json(admin.post(`${bucket}/object?key=a.txt`, { body: "x" }), 201);
              const target = { backend_id: "second", bucket: "shared-from", key: "a.txt" };
              const { id } = await json(admin.post("/api/shares", { json: target }), 201);
              await openPage(page, "/admin/backends");
              await page.getByRole("button", { name: "Actions for From the file" }).click();
              assert.ok(await page.getByRole("menuitem", { name: "Remove…" }).isDisabled());
              await page.getByRole("menuitem", { name: "View…" }).click();
              const shown = page.getByRole("dialog", { name: "From the file" });
              assert.ok(!await shown.getByLabel("Endpoint").isEditable());
              assert.ok(await shown.getByLabel("Presigned links").isDisabled());
              for (const variable of ["BACKEND_0_ACCESS_KEY", "BACKEND_0_SECRET_KEY"]) {
                await shown.getByText(variable).waitFor();
              }
              assert.equal(await shown.getByRole("button", { name: "Save changes" }).count(), 0);
              await shown.getByRole("button", { name: "Test" }).click();
              await shown.getByText("It works.").waitFor();
              await shown.getByRole("button", { name: "Close" }).last().click();
              await page.getByRole("button", { name: "Actions for Renamed storage" }).click();
              await page.getByRole("menuitem", { name: "Remove…" }).click();
              const remove = page.getByRole("button", { name: "Remove backend" });
              await page.getByRole("dialog").getByText("1 share", { exact: true }).waitFor();
              assert.ok(await remove.isDisabled());
              assert.equal((await json(admin.get(`/api/shares/${id}`))).state, "active");
              await page.keyboard.type("second");
              await remove.click();
              await page.getByText("Renamed storage is removed.").waitFor();
              await untilInRail(page, ["From the file", "Mine"]);
              assert.equal((await json(admin.get(`/api/shares/${id}`))).state, "revoked");
            }),
        );

        await t.step(
          "one that somebody else disables is gone from the rail with the next page",
          () =>
            withPage(program, { browser, user: "admin" }, async (page) => {
              await openPage(page, "/");
              await untilInRail(page, ["From the file", "Mine"]);
              const admin = await program.signedIn();
              await json(admin.patch("/api/admin/backends/mine", { json: { enabled: false } }));
              await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Health" })
                .click();
              await page.getByRole("heading", { name: "Health" }).first().waitFor();
              await untilInRail(page, ["From the file"]);
            }),
        );

        await t.step("looks", async () => {
          await checkLooks(program, {
            name: "backend-new",
            path: "/admin/backends?add=1",
            user: "admin",
            prepare: (page) => page.getByRole("dialog").waitFor(),
          });
        });
      }),
  );
});

/** Waits until the rail has links to these backends and to no others. */
function untilInRail(page: Page, names: readonly string[]): Promise<void> {
  return eventually(async () =>
    assert.deepEqual(
      (await page.locator("#rail-backends a").allInnerTexts()).map((name) => name.trim()),
      names,
    )
  );
}

/** Waits until these are the values of fields, by their labels. */
function untilFilledIn(dialog: Locator, expected: Readonly<Record<string, string>>): Promise<void> {
  return eventually(async () => {
    for (const [label, value] of Object.entries(expected)) {
      assert.equal(await dialog.getByLabel(label, { exact: true }).inputValue(), value, label);
    }
  });
}
