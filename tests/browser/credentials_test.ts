import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { accessibilityFaults, skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { json, status } from "../support/http_client.ts";
import { checkLooks, openPage } from "../support/looks.ts";
import { until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { type Browsing, browsing } from "./browsing.ts";
import { choose, untilCopied } from "./sharing.ts";

const ignore = skipBrowser();
const samples = { "docs/a.txt": { body: "alpha" }, "readme.md": {} };
const users = { admin: "admin", maria: "user", guest: "readonly" } as const;
const config = { s3_proxy: { enabled: true, listen: "127.0.0.1:0", per_key_rps: 50 } };
const own = "/api/me/s3-credentials";

/** Runs `run` with a page that a user has signed in to. */
type Visit = (user: string, run: (page: Page) => Promise<unknown>) => Promise<void>;

/** Runs `body` with the program, a bucket and the S3 endpoint, and pages in one browser. */
function withCredentials(body: (browsing: Browsing, visit: Visit) => Promise<void>): Promise<void> {
  return browsing(
    { samples, users, config },
    (stage) =>
      withSharedBrowser((browser) =>
        body(stage, (user, run) =>
          withPage(stage.program, { browser, user }, async (page) => {
            await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
            await run(page);
          }))
      ),
  );
}

function rowOf(page: Page, name: string) {
  return page.getByRole("row", { name });
}

Deno.test({
  name: "credentials",
  ignore,
  fn: (t) =>
    withCredentials(async ({ program }, visit) => {
      await t.step("one is made; its secret is shown once, copied, and works from the dialog", () =>
        visit("maria", async (page) => {
          await openPage(page, "/credentials");
          await page.getByText("No credential yet").waitFor();
          await page.keyboard.press("n");
          const form = page.getByRole("dialog", { name: "Create credential" });
          await form.getByLabel("Description").fill("nightly backup");
          await form.getByRole("button", { name: "Create credential" }).click();
          await form.getByText("Choose a bucket.").waitFor();
          await form.getByRole("checkbox", { name: "files" }).check();
          await form.getByLabel("Prefix").fill("docs/");
          await form.getByText("30 days").click();
          await form.getByRole("button", { name: "Create credential" }).click();
          const result = page.getByRole("dialog", { name: "Keep the secret key now" });
          const secret = await result.getByRole("textbox", { name: "Secret key" }).inputValue();
          assert.match(secret, /^[A-Za-z0-9]{40}$/);

          await page.keyboard.press("Escape");
          await result.getByText("You have not copied the secret key.").waitFor();
          const shown = result.locator("[data-snippet]");
          assert.ok(!(await shown.innerText()).includes(secret));
          await result.getByRole("tab", { name: "Env" }).press("ArrowRight");
          await result.locator('[data-snippet="aws"]').waitFor();
          await result.getByRole("button", { name: "Copy", exact: true }).click();
          const copied = () =>
            page.evaluate("navigator.clipboard.readText()") as Promise<string>;
          await until(async () => (await copied()).includes(`aws_secret_access_key ${secret} `), {
            what: "a snippet with the secret in it",
          });
          await result.getByRole("button", { name: "Show secret" }).click();
          await until(async () => (await shown.innerText()).includes(secret), { what: "the secret" });
          await result.getByRole("button", { name: "Copy secret key" }).click();
          await untilCopied(page, secret);
          const download = page.waitForEvent("download");
          await result.getByRole("button", { name: "Download .env" }).click();
          const file = await Deno.readTextFile(await (await download).path());
          assert.ok(file.includes(`\nAWS_SECRET_ACCESS_KEY=${secret}\n`), file);

          await result.getByRole("button", { name: "Test now" }).click();
          await result.getByText(/It works: files was listed in/).waitFor();
          const outcome = await result.locator(".trial-result .notice").boundingBox();
          const inSight = await result.locator(".dialog-body").boundingBox();
          assert.ok(outcome && inSight);
          assert.ok(outcome.y + outcome.height <= inSight.y + inSight.height, "what a test says is in sight");
          await result.getByRole("button", { name: "Done" }).click();
          await result.waitFor({ state: "detached" });
          await rowOf(page, "nightly backup").getByText("just now").waitFor();

          const maria = await program.signedIn("maria");
          const { credentials: [made] } = await json(maria.get(own));
          assert.deepEqual([made.buckets, made.prefix, made.read_only], [["files"], "docs/", false]);
          const left = Date.parse(made.expires_at) - Date.now();
          assert.ok(left > 29 * 86_400_000 && left <= 30 * 86_400_000, `${left} ms`);
        }));

      await t.step("it is filtered, edited, disabled, tested, rotated and deleted", () =>
        visit("maria", async (page) => {
          const maria = await program.signedIn("maria");
          const other = await json(
            maria.post(own, { json: { backend_id: "local", buckets: ["files"], description: "old laptop" } }),
            201,
          );
          await openPage(page, "/credentials");
          await page.keyboard.press("/");
          await page.getByLabel("Filter credentials").and(page.locator(":focus")).fill("laptop");
          await rowOf(page, "nightly backup").waitFor({ state: "detached" });
          await page.waitForURL("**/credentials?q=laptop");
          await page.reload();
          await rowOf(page, "nightly backup").waitFor({ state: "detached" });
          await choose(page, "old laptop", "Edit…");
          const form = page.getByRole("dialog", { name: "Edit credential" });
          await form.getByLabel("Description").fill("new laptop");
          await form.getByText("Read-only").click();
          await form.getByRole("button", { name: "Save" }).click();
          await rowOf(page, "new laptop").getByText("Read-only").waitFor();

          await choose(page, "new laptop", "Disable");
          await rowOf(page, "new laptop").getByText("Disabled").waitFor();
          await choose(page, "new laptop", "Connect…");
          const connect = page.getByRole("dialog", { name: "Connect with new laptop" });
          await connect.getByRole("button", { name: "Test now" }).click();
          await connect.getByText("The credential is disabled. Enable it first.").waitFor();
          await connect.getByRole("textbox", { name: "Secret key" }).fill(other.secret_key);
          await connect.getByRole("button", { name: "Show secret" }).click();
          await connect.getByText(other.secret_key).waitFor();
          await page.keyboard.press("Escape");
          await choose(page, "new laptop", "Enable");
          await rowOf(page, "new laptop").getByText("Active").waitFor();

          await choose(page, "new laptop", "Rotate secret…");
          await page.getByRole("button", { name: "Rotate secret", exact: true }).click();
          const result = page.getByRole("dialog", { name: "Keep the secret key now" });
          const secret = await result.getByRole("textbox", { name: "Secret key" }).inputValue();
          assert.notEqual(secret, other.secret_key);
          await page.keyboard.press("Escape");
          await result.getByRole("button", { name: "Close anyway" }).click();
          await result.waitFor({ state: "detached" });

          await choose(page, "new laptop", "Delete…");
          const ask = page.getByRole("dialog", { name: "Delete this credential?" });
          await ask.getByRole("button", { name: "Delete credential" }).click();
          await page.getByText("The credential is deleted.").waitFor();
          assert.equal(await status(maria.get(`${own}/${other.access_key}`)), 404);
          await page.getByLabel("Filter credentials").fill("");
          await choose(page, "nightly backup", "Delete…");
          // It was used, so that its key is to be typed.
          const button = ask.getByRole("button", { name: "Delete credential" });
          await button.and(page.locator(":disabled")).waitFor();
          await ask.getByRole("textbox").fill(await page.locator("dialog code.select-all").innerText());
          await button.and(page.locator(":enabled")).waitFor();
          await ask.getByRole("button", { name: "Cancel" }).click();
        }));

      await t.step("an administrator makes one for a user, and opens a bucket to everyone", () =>
        visit("admin", async (page) => {
          await openPage(page, "/admin/s3");
          await page.waitForURL("**/admin/credentials");
          await rowOf(page, "nightly backup").getByText("maria").waitFor();
          await page.getByRole("button", { name: "Create credential" }).click();
          const form = page.getByRole("dialog", { name: "Create credential" });
          await form.getByRole("checkbox", { name: "files" }).check();
          await form.getByLabel("Owner").fill("nobody-here");
          await form.getByRole("button", { name: "Create credential" }).click();
          await form.getByText("There is no user of this name.").waitFor();
          await form.getByLabel("Owner").fill("guest");
          await form.getByText("Read-only").click();
          await form.getByRole("button", { name: "Create credential" }).click();
          const result = page.getByRole("dialog", { name: "Keep the secret key now" });
          await result.getByRole("button", { name: "Copy secret key" }).click();
          await result.getByRole("button", { name: "Done" }).click();
          await rowOf(page, "guest").getByText("Read-only").waitFor();

          await page.getByRole("button", { name: "Open a bucket" }).click();
          const open = page.getByRole("dialog", { name: "Open a bucket" });
          await open.getByRole("radio", { name: "files" }).check();
          const rate = open.getByLabel("Requests a second from one address");
          await rate.fill("1,000");
          await open.getByRole("button", { name: "Save" }).click();
          await open.getByText(/^A number above 0, such as 500 or 1.5/).waitFor();
          await rate.fill("7");
          await open.getByRole("button", { name: "Save" }).click();
          const section = page.getByRole("region", { name: "Public buckets" });
          await section.getByText("7 requests a second").waitFor();
          await choose(page, "files", "Close to everyone");
          await section.getByText("Nobody", { exact: true }).waitFor();
          await choose(page, "files", "Remove…");
          await page.getByRole("button", { name: "Remove entry" }).click();
          await section.getByText("No bucket is open to everyone").waitFor();
        }));

      await t.step("whoever may only read is told so, and sees nobody else's", () =>
        visit("guest", async (page) => {
          await openPage(page, "/credentials");
          await rowOf(page, "Read-only").waitFor();
          await page.getByText("1 credential", { exact: true }).waitFor();
          await page.getByRole("button", { name: "Create credential" }).click();
          await page.getByText("Your account may only read.").waitFor();
          const maria = await json((await program.signedIn("maria")).get(own));
          const guest = await program.signedIn("guest");
          const path = `${own}/${maria.credentials[0].access_key}/test`;
          assert.equal(await status(guest.post(path, { json: {} })), 404);
        }));

      await t.step("looks", async () => {
        const admin = await program.signedIn();
        const json = { backend_id: "local", bucket: "files", mode: "ReadOnly" };
        assert.equal(await status(admin.post("/api/admin/s3-anonymous", { json })), 201);
        await checkLooks(program, { name: "credentials", path: "/admin/credentials", user: "admin" });
        await checkLooks(program, {
          name: "credentials-connect",
          path: "/credentials",
          user: "maria",
          prepare: async (page) => {
            await choose(page, "nightly backup", "Connect…");
            await page.getByRole("tab", { name: "rclone" }).click();
            await page.locator('[data-snippet="rclone"]').waitFor();
          },
        });
      });
    }),
});

Deno.test({
  name: "credentials: without the S3 endpoint the page says how it is switched on",
  ignore,
  fn: () =>
    withProgram({ users }, async (program) => {
      await withSharedBrowser(async (browser) => {
        await withPage(program, { browser, user: "maria" }, async (page) => {
          await openPage(page, "/credentials");
          await page.getByText("An administrator can switch it on.").waitFor();
        });
        await withPage(program, { browser, user: "admin" }, async (page) => {
          await openPage(page, "/admin/credentials");
          await page.getByText("enabled: true").waitFor();
          assert.deepEqual(await accessibilityFaults(page), []);
        });
      });
    }),
});
