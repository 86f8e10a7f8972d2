import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { type Client, json } from "../support/http_client.ts";
import { landOn, openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";

const bucket = "/api/backends/main/buckets/photos";
const pages = "/b/main/photos/settings";
const users = { admin: "admin", guest: "readonly" } as const;

/** Waits until the setting was read, so that what is typed does not come before it. */
async function openSection(page: Page, section: string): Promise<void> {
  await openPage(page, `${pages}/${section}`);
  await page.locator(".setting-bar, .setting .facts").first().waitFor();
}

/** Saves what was changed, and waits until it is. */
async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Review and save…" }).click();
  const dialog = page.getByRole("dialog", { name: "Review the change" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
}

/** What is no number stays in its field, which says so, and nothing can be saved. */
async function assertMistyped(page: Page, field: Locator, typed: string, message: string): Promise<void> {
  await page.locator(".field-error", { hasText: message }).waitFor();
  await page.getByRole("button", { name: "Review and save…" }).click();
  await field.and(page.locator('[aria-invalid="true"]:focus')).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.equal(await field.inputValue(), typed);
}

const jsonText = (page: Page) => page.locator(".json-text");

/** Makes a bucket and waits until it is known what the backend has. */
async function prepare(admin: Client, wanted: Record<string, boolean>): Promise<void> {
  await json(admin.post("/api/backends/main/buckets", { json: { name: "photos" } }), 201);
  await eventually(async () => {
    await json(admin.get("/api/backends/main/health"));
    const { capabilities } = await json(admin.get("/api/backends/main"));
    for (const [name, has] of Object.entries(wanted)) assert.equal(capabilities[name], has);
  });
}

upstreamTest(["minio"], "settings: policy, lifecycle, versioning and quota", async (upstream, t) => {
  if (skipBrowser()) return;
  await withProgram({ backends: [{ id: "main", name: "Main", upstream }], users }, async (program) => {
    const admin = await program.signedIn();
    await prepare(admin, { policy: true, versioning: true, lifecycle: true });
    await withSharedBrowser((browser) =>
      withPage(program, { session: admin, browser, expectedErrors: [/status of 412/] }, async (page) => {
        const dialog = page.getByRole("dialog");

        await t.step(
          "a template makes a policy, which is explained and saved by the bucket's name",
          async () => {
            await openPage(page, "/b/main/photos?settings=policy");
            await landOn(page, `**${pages}/policy`);
            await page.getByText("Private: there is no policy.").waitFor();
            await page.getByLabel("Template", { exact: true }).selectOption("public-prefix");
            assert.ok(await page.getByRole("button", { name: "Add to the policy" }).isDisabled());
            await page.getByLabel("Prefix").fill("open/");
            await page.getByRole("button", { name: "Add to the policy" }).click();
            await page.getByText("photos becomes public once this is saved.").waitFor();
            const card = page.getByRole("region", { name: "PublicReadPrefix" });
            await card.getByText("objects under open/").waitFor();
            assert.match(await jsonText(page).inputValue(), /arn:aws:s3:::photos\/open\/\*/);

            await page.getByRole("button", { name: "Review and save…" }).click();
            await dialog.getByText("lines added").waitFor();
            assert.ok(await dialog.getByRole("button", { name: "Save" }).isDisabled());
            await dialog.getByLabel("Type photos to save it").fill("photos");
            await dialog.getByText("Show command").click();
            await dialog.getByText("aws s3api put-bucket-policy --bucket photos").waitFor();
            await dialog.getByRole("button", { name: "Save" }).click();
            await page.getByText("Public: 1 statement").waitFor();
            await page.getByText("photos is public.").waitFor();
            await page.getByRole("button", { name: "Validate" }).and(page.locator(":focus")).waitFor();
            const { policy } = await json(admin.get(`${bucket}/policy`));
            assert.equal(JSON.parse(policy).Statement[0].Sid, "PublicReadPrefix");
          },
        );

        await t.step("wrong JSON is located, and what a server would refuse is found before it", async () => {
          const good = await jsonText(page).inputValue();
          await jsonText(page).fill(good.replace('"Effect": "Allow",', '"Effect": "Allow"'));
          await page.getByRole("button", { name: "Line 7, column 7" }).waitFor();
          await page.getByText("The form shows what the JSON last said.").waitFor();
          await jsonText(page).fill(good.replace("photos/open", "other/open"));
          await page.getByText("is not this bucket or in it").waitFor();
          await page.getByRole("button", { name: "Review and save…" }).click();
          await page.getByText("1 problem found.").waitFor();
          assert.equal(await dialog.count(), 0);
          await page.getByRole("button", { name: "Revert" }).click();
          await eventually(async () => assert.equal(await jsonText(page).inputValue(), good));
        });

        await t.step(
          "unsaved changes outlive the page, and the earlier version can be brought back",
          async () => {
            await page.getByRole("button", { name: "Remove PublicReadPrefix" }).click();
            await page.getByText("No policy", { exact: true }).waitFor();
            await openSection(page, "policy");
            await page.getByText("Your unsaved changes of an earlier visit are back.").waitFor();
            await save(page);
            await page.getByText("Private: there is no policy.").waitFor();
            assert.equal((await json(admin.get(`${bucket}/policy`))).policy, "");
            await page.locator(".setting-earlier").getByRole("button", { name: "Bring it back" }).click();
            await page.getByRole("region", { name: "PublicReadPrefix" }).waitFor();
            await page.getByRole("button", { name: "Revert" }).click();
          },
        );

        await t.step(
          "lifecycle rules are said in words, kept in step with their JSON, and counted",
          async () => {
            await json(
              admin.post(`${bucket}/object?key=logs/a.txt`, {
                body: "x",
                headers: { "content-type": "text/plain" },
              }),
              201,
            );
            await openSection(page, "lifecycle");
            await page.getByText("Nothing is deleted or moved by itself.").waitFor();
            await page.getByRole("button", { name: "Add rule" }).click();
            await page.getByLabel("Prefix").fill("logs/");
            await page.getByText("After 30 days objects under logs/ are deleted.").waitFor();
            await page.getByRole("button", { name: "Count", exact: true }).click();
            await page.getByText("Would expire 0 objects today (0 B).").waitFor();
            await page.getByLabel("Only with the tags").fill("team=red\nteam");
            await page.getByText("The tag “team” stands twice.").first().waitFor();
            await page.getByLabel("Only with the tags").fill("team=red");
            const size = page.getByLabel("Only larger than", { exact: true });
            await size.fill("50 MB");
            await assertMistyped(page, size, "50 MB", "Enter a number from 0 on, such as 10 or 1.5");
            await page.getByText("larger than ?) are deleted.").waitFor();
            assert.equal(await page.getByRole("button", { name: "Count", exact: true }).count(), 0);
            await size.fill("1,5");
            await page.getByText("objects under logs/ (tag team=red, larger than 1.50 MiB) are deleted.")
              .waitFor();
            await page.getByRole("button", { name: "Count", exact: true }).click();
            await page.getByText("Would expire 0 objects today (0 B).").waitFor();
            const days = page.getByLabel("Delete objects after");
            await days.fill("a week");
            await assertMistyped(page, days, "a week", "A whole number of days, 1 or more");
            await days.fill("");
            await page.getByText("The rule does nothing").first().waitFor();
            const written = JSON.parse(await jsonText(page).inputValue());
            written.rules[0].expiration_days = 7;
            await jsonText(page).fill(JSON.stringify(written));
            await eventually(async () =>
              assert.equal(await page.getByLabel("Delete objects after").inputValue(), "7")
            );
            await save(page);
            await page.locator(".setting-state", { hasText: "After 7 days" }).waitFor();
            const { rules } = await json(admin.get(`${bucket}/lifecycle`));
            const { id: _, ...rule } = rules[0];
            assert.deepEqual(rule, {
              prefix: "logs/",
              tags: [{ key: "team", value: "red" }],
              larger_than_bytes: 1.5 * 2 ** 20,
              enabled: true,
              expiration_days: 7,
            });
          },
        );

        await t.step("somebody else's change is noticed, and neither is lost", async () => {
          await page.getByLabel("Delete objects after").fill("9");
          await json(admin.put(`${bucket}/lifecycle`, {
            json: { rules: [{ id: "theirs", prefix: "tmp/", enabled: true, expiration_days: 1 }] },
          }));
          await page.getByRole("button", { name: "Review and save…" }).click();
          await dialog.getByRole("button", { name: "Save" }).click();
          await dialog.getByText("Somebody else has changed this in the meantime.").waitFor();
          await dialog.getByRole("button", { name: "Keep editing" }).click();
          await page.locator(".setting-state", { hasText: "tmp/" }).waitFor();
          assert.match(await jsonText(page).inputValue(), /"expiration_days": 9/);
          await page.getByRole("button", { name: "Revert" }).click();
          await eventually(async () => assert.match(await jsonText(page).inputValue(), /theirs/));
        });

        await t.step("versioning is switched on and suspended, with a warning", async () => {
          await openSection(page, "versioning");
          await page.getByText("Versioning was never on").waitFor();
          await page.getByLabel("Keep versions").check();
          await save(page);
          await page.getByText("Versioning is on:").waitFor();
          await page.getByLabel("Suspend").check();
          await page.getByRole("button", { name: "Review and save…" }).click();
          await dialog.getByText("cannot be brought back").waitFor();
          await dialog.getByRole("button", { name: "Save" }).click();
          await page.getByText("Versioning is suspended:").waitFor();
          assert.equal((await json(admin.get(`${bucket}/versioning`))).status, "suspended");
        });

        await t.step("a quota is set with its units, checked and removed", async () => {
          await openSection(page, "quota");
          await page.getByText("There is no limit.").waitFor();
          const hard = page.getByLabel("Hard cap", { exact: true });
          await hard.fill("10 GB");
          await assertMistyped(page, hard, "10 GB", "Enter a number from 0 on, such as 10 or 1.5");
          await page.getByRole("button", { name: "Revert" }).click();
          await eventually(async () => assert.equal(await hard.inputValue(), ""));
          await hard.fill("1,5");
          await page.getByLabel("Soft cap", { exact: true }).fill("2");
          await page.getByText("The soft cap cannot be above the hard cap.").first().waitFor();
          await page.getByLabel("Unit of Soft cap").selectOption("MiB");
          await save(page);
          await page.getByText("Warned above 2.00 MiB, uploads are refused above 1.50 GiB.").waitFor();
          assert.equal((await json(admin.get(`${bucket}/quota`))).hard_bytes, 1.5 * 2 ** 30);
          await page.getByRole("button", { name: "Recount now" }).click();
          await page.getByText("The bucket is counted.").waitFor();
          await page.getByRole("button", { name: "Remove quota" }).click();
          await save(page);
          await page.getByText("There is no limit.").waitFor();
          assert.equal((await json(admin.get(`${bucket}/quota`))).configured, false);
        });

        await t.step("the size is tracked on demand", async () => {
          await openSection(page, "general");
          await page.getByLabel("Track the size of this bucket").check();
          await page.getByText("The size is tracked from now on.").waitFor();
          assert.equal((await json(admin.get(`${bucket}/size-tracking`))).enabled, true);
        });
      })
    );
  });
});

upstreamTest(["minio"], "settings: what is missing and what is not allowed is said", async (upstream, t) => {
  if (skipBrowser()) return;
  await withProgram({ backends: [{ id: "main", name: "Main", upstream }], users }, async (program) => {
    const admin = await program.signedIn();
    // MinIO has no CORS of buckets; it shows when they are set.
    await prepare(admin, { policy: true });
    await admin.put(`${bucket}/cors`, {
      json: { rules: [{ allowed_origins: ["*"], allowed_methods: ["GET"] }] },
    });
    await withSharedBrowser(async (browser) => {
      await t.step(
        "a backend without CORS: listed, disabled, and why",
        () =>
          withPage(program, { session: admin, browser }, async (page) => {
            await openPage(page, `${pages}/cors`);
            await page.getByText("Main does not support this.").waitFor();
            await page.getByRole("link", { name: "CORS not supported" }).waitFor();
            assert.equal(await page.getByRole("button", { name: "Review and save…" }).count(), 0);
            assert.equal(await jsonText(page).count(), 0);
          }),
      );

      await t.step(
        "CORS of the S3 endpoint: presets, a test, and rules that are checked",
        () =>
          withPage(program, { session: admin, browser }, async (page) => {
            await openSection(page, "proxy-cors");
            await page.getByRole("button", { name: "Web app" }).click();
            const origins = page.getByLabel("Allowed origins, one a line");
            await origins.fill("https://app.example.com/path");
            await page.locator(".field-error", { hasText: "has a path, which no origin has" }).waitFor();
            await origins.fill("https://app.example.com\nhttps://*.example.org");
            const test = page.getByRole("region", { name: "Test an origin" });
            await test.getByLabel("Origin").fill("https://www.example.org");
            await test.getByLabel("Method").selectOption("PUT");
            await test.getByText("Allowed", { exact: true }).waitFor();
            await test.getByText("The browser asks first (preflight).").waitFor();
            await test.getByLabel("Origin").fill("https://evil.example");
            await test.getByText("No rule has this origin.").waitFor();
            const age = page.getByLabel("Browsers may remember the answer for");
            await age.fill("1 h");
            await assertMistyped(page, age, "1 h", "A whole number of seconds");
            await age.fill("3600");
            await save(page);
            await page.getByText("1 rule, for https://app.example.com, https://*.example.org").waitFor();
            const { rules } = await json(admin.get(`${bucket}/proxy-cors`));
            assert.deepEqual(rules[0].allowed_origins, ["https://app.example.com", "https://*.example.org"]);
          }),
      );

      await t.step(
        "a reader sees everything, and may change nothing",
        () =>
          withPage(program, { user: "guest", browser }, async (page) => {
            await openPage(page, `${pages}/proxy-cors`);
            await page.getByText("your account is read-only").waitFor();
            await page.getByText("1 rule, for https://app.example.com").waitFor();
            assert.ok(await page.getByLabel("Allowed origins, one a line").isDisabled());
            assert.ok(await jsonText(page).getAttribute("readonly") !== null);
            assert.equal(await page.getByRole("button", { name: "Review and save…" }).count(), 0);
            await openPage(page, `${pages}/general`);
            assert.ok(await page.getByLabel("Track the size of this bucket").isDisabled());
            assert.equal(await page.getByRole("button", { name: "Delete bucket…" }).count(), 0);
          }),
      );
    });
  });
});
