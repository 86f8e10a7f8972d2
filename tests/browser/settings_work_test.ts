import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { type Client, json, status } from "../support/http_client.ts";
import { landOn, openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { type Program, testPassword, withProgram } from "../support/program.ts";
import { upstreamTest, withUpstream } from "../support/upstreams.ts";

const bucket = "/api/backends/main/buckets/photos";
const pages = "/b/main/photos/settings";
const users = { admin: "admin", guest: "readonly" } as const;

/** A change of one section in its form, and how the API shows that it was saved. */
interface Change {
  readonly section: string;
  make(page: Page): Promise<unknown>;
  /** What the section's answer holds then. */
  readonly saved: RegExp;
}

const changes: readonly Change[] = [
  {
    section: "lifecycle",
    make: async (page) => {
      await page.getByRole("button", { name: "Add rule" }).click();
      await page.getByLabel("Prefix").fill("tmp/");
    },
    saved: /"prefix":"tmp\/"/,
  },
  {
    section: "policy",
    make: async (page) => {
      await page.getByLabel("Template", { exact: true }).selectOption("encrypted-only");
      await page.getByRole("button", { name: "Add to the policy" }).click();
    },
    saved: /DenyInsecureTransport/,
  },
  {
    section: "versioning",
    make: (page) => page.getByLabel("Keep versions").check(),
    saved: /"enabled":true/,
  },
  {
    section: "quota",
    make: (page) => page.getByLabel("Hard cap", { exact: true }).fill("7"),
    saved: new RegExp(`"hard_bytes":${7 * 2 ** 30}`),
  },
  {
    section: "proxy-cors",
    make: async (page) => {
      await page.getByRole("button", { name: "Fonts and images" }).click();
      await page.getByLabel(/^Allowed origins/).fill("https://kept.example.org");
    },
    saved: /kept\.example\.org/,
  },
];

const openSection = (page: Page, section: string) => openPage(page, `${pages}/${section}`);

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Review the change" });

async function review(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Review and save…" }).click();
  await dialogOf(page).getByRole("button", { name: "Save" }).click();
}

/** Ends the session of a page from elsewhere. */
async function endSession(program: Program, page: Page): Promise<void> {
  const cookies = await page.context().cookies();
  const csrf = cookies.find(({ name }) => name === "service_csrf")?.value ?? "";
  const headers = {
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
    "x-csrf-token": csrf,
  };
  assert.equal(await status(program.client().post("/auth/logout", { headers })), 204);
}

/** Changes a section, loads the page anew, loses the session, and saves what was typed all the same. */
async function keepThroughAll(
  program: Program,
  page: Page,
  admin: Client,
  { section, make, saved }: Change,
): Promise<void> {
  await openSection(page, section);
  await make(page);
  await page.getByText("Unsaved changes").first().waitFor();
  const asked: string[] = [];
  page.once("dialog", async (question) => {
    asked.push(question.type());
    await question.accept();
  });
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.deepEqual(asked, ["beforeunload"], section);
  await page.getByText("Your unsaved changes of an earlier visit are back.").waitFor();
  await endSession(program, page);
  await review(page);
  const signIn = page.getByRole("dialog", { name: "Your session has ended" });
  await signIn.getByLabel("Password", { exact: true }).fill(testPassword);
  await signIn.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText(/: saved\.$/).first().waitFor();
  assert.match(JSON.stringify(await json(admin.get(`${bucket}/${section}`))), saved);
}

upstreamTest(["minio"], "settings: what is typed is kept, what is refused is marked", async (upstream, t) => {
  if (skipBrowser()) return;
  const proxy = startFaultProxy(upstream);
  try {
    await withUpstream("embedded", async (embedded) => {
      const backends = [{ id: "main", name: "Main", upstream: { ...upstream, ...proxy } }, {
        id: "archive",
        name: "Archive",
        upstream: embedded,
      }];
      await withProgram({ backends, users }, async (program) => {
        const admin = await program.signedIn();
        await json(admin.post("/api/backends/main/buckets", { json: { name: "photos" } }), 201);
        await json(admin.post("/api/backends/archive/buckets", { json: { name: "photos" } }), 201);
        await withSharedBrowser(async (browser) => {
          const look = { browser, user: "admin", expectedErrors: [/status of 40[014]/] };

          await t.step(
            "a change outlives loading anew, which asks first, and the end of the session",
            async () => {
              for (const change of changes) {
                await withPage(program, look, (page) => keepThroughAll(program, page, admin, change));
              }
            },
          );

          await t.step(
            "what edits a section is loaded again where it could not be had",
            () =>
              withPage(program, { ...look, expectedErrors: [/ERR_FAILED/] }, async (page) => {
                const editing = /\/lifecycle_editing\.js$/;
                await page.route(editing, (route) => route.abort());
                await openSection(page, "lifecycle");
                await page.getByText("The server cannot be reached.").waitFor();
                await page.unroute(editing);
                await page.getByRole("button", { name: "Try again" }).click();
                await page.getByRole("button", { name: "Add rule" }).click();
                await page.getByText("Unsaved changes").first().waitFor();
              }),
          );

          await t.step(
            "a refusal of the backend is said at its field",
            () =>
              withPage(program, look, async (page) => {
                await openSection(page, "lifecycle");
                await page.getByLabel("Move objects after").first().fill("3");
                await page.getByLabel("to storage class").first().fill("NO_SUCH_CLASS");
                await review(page);
                await dialogOf(page).waitFor({ state: "detached" });
                const field = page.locator('input[aria-invalid="true"]');
                assert.equal(await field.inputValue(), "NO_SUCH_CLASS");
                await page.locator('input[aria-invalid="true"]:focus').waitFor();
                await page.getByRole("alert").getByText(/storage class/).waitFor();
                await field.fill("");
                await page.getByRole("alert").getByText(/storage class/).waitFor({
                  state: "detached",
                });
              }),
          );

          await t.step(
            "where no field shows it, at its line of the JSON",
            () =>
              withPage(program, { ...look, viewport: { width: 360, height: 740 } }, async (page) => {
                await openSection(page, "policy");
                await page.getByRole("button", { name: "JSON", exact: true }).click();
                const text = page.locator(".json-text");
                const policy = JSON.parse(await text.inputValue());
                policy.Statement[0].Principal = { Service: ["no.such.service"] };
                await text.fill(JSON.stringify(policy, null, 2));
                await page.getByRole("button", { name: "Form", exact: true }).click();
                await review(page);
                await dialogOf(page).waitFor({ state: "detached" });
                await page.locator(".json-faults", { hasText: "invalid Principal" }).waitFor();
                await eventually(async () => {
                  const before = await page.evaluate(
                    "document.activeElement.value?.slice(0, document.activeElement.selectionStart)",
                  );
                  assert.match(String(before), /"Principal": $/);
                });
              }),
          );

          await t.step(
            "a refusal of what is not wrong is said once, and at no line",
            () =>
              withPage(program, look, async (page) => {
                await openSection(page, "lifecycle");
                await page.getByRole("button", { name: "Abort uploads" }).click();
                await review(page);
                await dialogOf(page).waitFor({ state: "detached" });
                await page.getByRole("alert").getByText("may not take rules that only abort").waitFor();
                assert.equal(await page.getByText("may not take rules that only abort").count(), 1);
                assert.equal(await page.locator(".json-faults li, [aria-invalid=true]").count(), 0);
              }),
          );

          await t.step(
            "what the backend has not shows when it is saved, and from then on before",
            () =>
              withPage(program, look, async (page) => {
                await openSection(page, "cors");
                await page.getByRole("button", { name: "Fonts and images" }).click();
                await page.getByLabel(/^Allowed origins/).fill("https://kept.example.org");
                await review(page);
                await dialogOf(page).waitFor({ state: "detached" });
                const notice = page.getByRole("alert").filter({ hasText: "Main does not support this." });
                await notice.getByText("Main answered NotImplemented just now.").waitFor();
                await notice.getByRole("link", { name: "CORS of the S3 endpoint" }).waitFor();
                assert.equal(await page.getByText(/does not support/).count(), 1);
                assert.equal(await page.locator(".json-faults li, [aria-invalid=true]").count(), 0);
                assert.match(await page.locator(".json-text").inputValue(), /kept\.example\.org/);
                page.once("dialog", (question) => question.accept());
                await openSection(page, "cors");
                await page.getByText("It answered NotImplemented when it was last asked").waitFor();
                assert.equal(await page.locator(".json-text").count(), 0);
              }),
          );

          await t.step(
            "counting is stopped, by hand and by the server",
            () =>
              withPage(program, look, async (page) => {
                const held = Promise.withResolvers<void>();
                const listing = proxy.rule({
                  matches: ({ method, key, query }) =>
                    method === "GET" && key === "" && query.has("list-type"),
                  onRequest: () => held.promise,
                });
                await openSection(page, "quota");
                await page.getByRole("button", { name: "Recount now" }).click();
                await eventually(() => assert.equal(listing.applied, 1));
                await page.getByRole("button", { name: "Stop counting" }).click();
                await page.getByText("Counting was stopped").waitFor();

                await openSection(page, "lifecycle");
                await page.getByRole("button", { name: "Count", exact: true }).click();
                await page.getByText("0 objects looked at").waitFor();
                await page.getByRole("button", { name: "Stop", exact: true }).click();
                await page.getByText("Stopped after 0 objects").waitFor();
                listing.remove();
                held.resolve();

                await openSection(page, "quota");
                await page.getByRole("button", { name: "Recount now" }).click();
                await page.getByText("The bucket is counted.").waitFor();
              }),
          );

          await t.step(
            "without script the settings are there to be read",
            () =>
              withPage(program, { ...look, javaScriptEnabled: false }, async (page) => {
                // What the page did not have in time is left to its script: here, it waits.
                await page.goto(`${pages}/lifecycle?wait=1`);
                await page.getByText("Without JavaScript you can read the settings").waitFor();
                await page.locator(".setting-state", { hasText: "objects under tmp/ are deleted." })
                  .waitFor();
                assert.equal(await page.getByLabel("Prefix").inputValue(), "tmp/");
                assert.ok(await page.getByLabel("Prefix").isDisabled());
                assert.match(await page.locator(".json-text").inputValue(), /"prefix": "tmp\/"/);
                await page.goto(`${pages}/policy?wait=1`);
                await page.getByText("the connection is not encrypted").waitFor();
                await page.goto("/b/main/nothing/settings/quota?wait=1");
                await page.getByText("There is no such bucket").waitFor();
              }),
          );

          await t.step(
            "what a backend has not is said, with a way to what there is",
            () =>
              withPage(program, look, async (page) => {
                await openPage(page, "/b/archive/photos/settings/cors");
                await page.getByText("Archive does not support this.").waitFor();
                assert.equal(await page.locator(".setting-bar, .json-text").count(), 0);
                await page.getByRole("link", { name: "Health of the backends" }).waitFor();
                await page.locator(".notice").getByRole("link", { name: "CORS of the S3 endpoint" }).click();
                await landOn(page, "**/b/archive/photos/settings/proxy-cors");
                await page.getByText("No web page of another origin").waitFor();
              }),
          );

          await t.step("a bucket is deleted by its name", () =>
            withPage(program, look, async (page) => {
              await openSection(page, "general");
              await page.getByRole("button", { name: "Delete bucket…" }).click();
              const dialog = page.getByRole("dialog", { name: "Delete this bucket?" });
              const remove = dialog.getByRole("button", { name: "Delete bucket" });
              assert.ok(await remove.isDisabled());
              await dialog.getByRole("textbox").fill("photos");
              await remove.click();
              await landOn(page, "**/b/main");
              await page.getByText("Bucket photos deleted").waitFor();
              assert.deepEqual((await json(admin.get("/api/backends/main/buckets"))).buckets, []);
            }));
        });
      });
    });
  } finally {
    await proxy.stop();
  }
});
