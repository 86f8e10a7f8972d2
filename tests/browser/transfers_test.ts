import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Browser, Locator, Page } from "playwright-core";
import { type JobStage, withJobStage } from "../jobs/job_stage.ts";
import { bucketName } from "../support/bucket.ts";
import { accessibilityFaults, skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { ended, holdRequests, isCopy, startJob } from "../support/jobs.ts";
import { checkLooks, openPage, setHidden } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { skipUpstream } from "../support/upstreams.ts";
import { chooseFiles, type ChosenFile, writeLargeFile } from "./uploading.ts";

const ignore = skipBrowser() || skipUpstream("minio");

const bucketPage = `/b/main/${bucketName}`;

type Step = (stage: JobStage & { readonly browser: Browser }) => Promise<void>;

Deno.test({
  name: "transfers: the page follows jobs, and the tray uploads into a real storage",
  ignore,
  fn: (test) =>
    withJobStage((stage) =>
      withSharedBrowser(async (browser) => {
        for (const [name, step] of Object.entries(steps)) {
          await test.step(name, () => step({ ...stage, browser }));
        }
      })
    ),
});

const steps: Record<string, Step> = {
  "nothing was transferred yet": ({ program, browser }) =>
    withPage(program, { user: "rita", browser }, async (page) => {
      await openPage(page, "/transfers");
      await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
      assert.match(await page.title(), /^Transfers · /);
      assert.equal(await page.getByRole("link", { name: "Everyone’s" }).count(), 0);
    }),

  "a job under way is followed, stopped and retried": async ({ program, proxy, bucket, fill, browser }) => {
    await fill("a/", 40);
    const alice = await program.signedIn("alice");
    const held = holdRequests(proxy, isCopy, 11);
    await startJob(alice, `${bucket}/objects/copy-prefix`, { src_prefix: "a/", dst_prefix: "b/" });
    await held.reached;
    await withPage(program, { session: alice, browser }, async (page) => {
      await openPage(page, "/transfers");
      const row = page.locator(".transfers-list .transfer").first();
      await row.getByRole("progressbar").waitFor();
      await row.getByRole("button", { name: /^Stop: / }).click();
      await row.getByRole("button", { name: /^Break off: / }).waitFor();
      held.release();
      await row.getByText("Stopped").waitFor();
      proxy.clear();
      await row.getByRole("button", { name: /^Retry: / }).click();
      await row.getByText(/40 objects/).waitFor();
      await page.locator(".transfers-list .transfer-done").waitFor();
    });
  },

  "a job without a stream is not asked for while nobody looks": async (
    { program, proxy, bucket, fill, browser },
  ) => {
    await fill("a/", 40);
    const alice = await program.signedIn("alice");
    const held = holdRequests(proxy, isCopy, 11);
    const { id } = await startJob(alice, `${bucket}/objects/copy-prefix`, {
      src_prefix: "a/",
      dst_prefix: "h/",
    });
    await held.reached;
    await withPage(program, { session: alice, browser, expectedErrors: [/status of 404/] }, async (page) => {
      await page.clock.install();
      await page.route(`**/api/jobs/${id}/events`, (route) => route.fulfill({ status: 404 }));
      let asked = 0;
      page.on("request", (sent) => asked += Number(new URL(sent.url()).pathname === `/api/jobs/${id}`));
      await openPage(page, "/transfers");
      await eventually(() => assert.ok(asked > 1));
      await setHidden(page, true);
      const before = asked;
      await page.clock.runFor(60_000);
      assert.equal(asked, before);
      await setHidden(page, false);
      await eventually(() => assert.ok(asked > before));
      held.release();
      await page.locator(".transfers-list .transfer-done").first().waitFor();
      proxy.clear();
    });
  },

  "failures are listed, found by the address, and retried": async ({ program, proxy, bucket, browser }) => {
    const alice = await program.signedIn("alice");
    const denied = proxy.rule({
      matches: (request) => isCopy(request) && request.key === "c/0003",
      fault: { kind: "status", status: 403, code: "AccessDenied" },
    });
    const { id } = await startJob(alice, `${bucket}/objects/copy-prefix`, {
      src_prefix: "a/",
      dst_prefix: "c/",
    });
    assert.equal((await ended(alice, id)).failed, 1);
    await withPage(program, { user: "admin", browser }, async (page) => {
      await openPage(page, "/transfers?scope=all");
      assert.equal(await page.locator(".transfers-list .transfer").count(), 3);
      await page.getByText(/by alice/).first().waitFor();
      await page.getByRole("link", { name: "With failures" }).click();
      await page.waitForURL("**/transfers?scope=all&state=trouble");
      await eventually(async () => assert.equal(await page.locator(".transfers-list .transfer").count(), 1));
      await page.getByText("1 failure", { exact: true }).click();
      await page.locator(".transfer-failures").getByText("a/0003").waitFor();
      await page.getByRole("link", { name: "Done", exact: true }).click();
      await page.waitForURL("**/transfers?scope=all&state=done");
      denied.remove();
      await page.goBack();
      await page.getByRole("button", { name: /^Retry: / }).click();
      await page.getByRole("heading", { name: "No job matches" }).waitFor();
    });
    const alone = await alice.get("/transfers?scope=all");
    await alone.body?.cancel();
    assert.equal(alone.status, 403);
  },

  "the page looks right with jobs in every state": async ({ program, proxy, bucket }) => {
    const alice = await program.signedIn("alice");
    const rule = proxy.rule({
      matches: (request) => isCopy(request) && /[37]$/.test(request.key),
      fault: { kind: "status", status: 403, code: "AccessDenied" },
    });
    const { id } = await startJob(alice, `${bucket}/objects/copy-prefix`, {
      src_prefix: "a/",
      dst_prefix: "d/",
    });
    await ended(alice, id);
    rule.remove();
    const held = holdRequests(proxy, isCopy, 11);
    await startJob(alice, `${bucket}/objects/copy-prefix`, { src_prefix: "a/", dst_prefix: "e/" });
    await held.reached;
    try {
      await checkLooks(program, { name: "transfers", path: "/transfers?scope=all", user: "admin" });
    } finally {
      held.release();
      proxy.clear();
    }
  },

  "uploads in parts, with the quota in sight": async ({ program, bucket, client, browser }) => {
    const directory = await Deno.makeTempDir({ prefix: "transfers-" });
    try {
      const file = await writeLargeFile(directory, "big.bin", 20);
      await withPage(program, { user: "alice", browser, expectedErrors: [/status of 507/] }, async (page) => {
        page.on("filechooser", () => {});
        await openPage(page, `${bucketPage}?p=up/`);
        await chooseFiles(page, [file]);
        await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
        const stored = await json(client.get(`${bucket}/object/info?key=up/big.bin`));
        assert.equal(stored.size, 20 * 2 ** 20);
        await json(client.put(`${bucket}/quota`, { json: { soft_bytes: 0, hard_bytes: 24 * 2 ** 20 } }));
        await json(client.post(`${bucket}/quota/recompute`));
        // Folded by itself after a while, it opens again for what is new.
        await page.getByRole("button", { name: "Unfold transfers" }).waitFor();
        await chooseFiles(page, [file]);
        const sheet = page.getByRole("dialog", { name: "Upload 1 file?" });
        await sheet.getByText(/quota is 16\.\d MiB too small/).waitFor();
        await sheet.getByText("1 file", { exact: true }).waitFor();
        await sheet.getByLabel("Skip them").check();
        await sheet.getByRole("button", { name: "Upload 1 file" }).click();
        await page.getByText("Skipped: the name is taken").waitFor();
        await chooseFiles(page, [{
          name: "middle.bin",
          mimeType: "application/octet-stream",
          buffer: Buffer.alloc(6 * 2 ** 20),
        }]);
        await page.locator(".transfer-failed").getByText(/quota/).waitFor();
        await page.getByRole("button", { name: "Copy error report" }).waitFor();
        await client.delete(`${bucket}/quota`);
        await page.getByRole("button", { name: "Retry failed" }).click();
        await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
      });
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  },

  "uploads with options are stored as they say, and a class that is not there is told at the file": async (
    { program, bucket, client, browser },
  ) => {
    const directory = await Deno.makeTempDir({ prefix: "options-" });
    try {
      const file = await writeLargeFile(directory, "large.bin", 20);
      await withPage(program, { user: "alice", browser, expectedErrors: [/status of 400/] }, async (page) => {
        page.on("filechooser", () => {});
        await openPage(page, `${bucketPage}?p=options/`);
        const sheet = await openOptions(page, [file, await writeLargeFile(directory, "small.bin", 1)]);
        await sheet.getByLabel("Storage class").selectOption("REDUCED_REDUNDANCY");
        await sheet.getByLabel("Content type", { exact: true }).selectOption("One for all…");
        await sheet.getByLabel("Content type of all files").fill("text/x-test");
        await sheet.getByLabel("Tags").fill("project=x1\nbad&key=y");
        await sheet.getByText("“bad&key=y”: tags consist of").waitFor();
        await sheet.getByLabel("Tags").fill("project=x1\nteam=a 1+2");
        assert.deepEqual(await accessibilityFaults(page), []);
        await sheet.getByRole("button", { name: "Upload 2 files" }).click();
        await page.getByRole("heading", { name: "2 files uploaded" }).waitFor();
        for (const name of ["large.bin", "small.bin"]) {
          const { storage_class, content_type } = await json(
            client.get(`${bucket}/object/info?key=options/${name}`),
          );
          assert.deepEqual([storage_class, content_type], ["REDUCED_REDUNDANCY", "text/x-test"], name);
          const { tags } = await json(client.get(`${bucket}/object/tags?key=options/${name}`));
          assert.deepEqual(tags, { project: "x1", team: "a 1+2" }, name);
        }
        const again = await openOptions(page, [text("other.txt")]);
        await again.getByLabel("Storage class").selectOption("Another one…");
        await again.getByLabel("Name of the storage class").fill("NONE_SUCH");
        await again.getByRole("button", { name: "Upload 1 file" }).click();
        await page.locator(".transfer-failed").getByText(
          /does not have this storage class|no such storage class/,
        )
          .waitFor();
      });
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  },

  "the tray shows what it is told, on every page": async ({ program, browser }) => {
    await withPage(program, { user: "alice", browser }, async (page) => {
      page.on("filechooser", () => {});
      await openPage(page, bucketPage);
      await page.keyboard.press("t");
      await page.getByText("Nothing is being transferred.").waitFor();
      await page.keyboard.press("t");
      await page.getByText("Nothing is being transferred.").waitFor({ state: "detached" });
      await chooseFiles(page, [text("one.txt")]);
      await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
      await page.getByRole("link", { name: "Shares" }).first().click();
      await page.waitForURL("**/shares");
      await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
      await page.getByRole("link", { name: "Transfers" }).first().click();
      await page.waitForURL("**/transfers");
      await page.locator(".transfers-section").getByText("one.txt").waitFor();
      assert.equal(await page.locator(".tray").count(), 0, "the page shows it already");
    });
  },
};

/** Chooses files in the way that always asks how they are stored. */
async function openOptions(page: Page, files: readonly ChosenFile[]): Promise<Locator> {
  await page.getByRole("button", { name: "More ways to upload" }).click();
  await chooseFiles(page, files, page.getByRole("menuitem", { name: "Upload with options…" }));
  const sheet = page.getByRole("dialog", { name: /^Upload \d+ files?\?$/ });
  await sheet.getByLabel("Storage class").waitFor();
  return sheet;
}

function text(name: string) {
  return { name, mimeType: "text/plain", buffer: Buffer.from("x") };
}
