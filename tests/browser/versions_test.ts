import assert from "node:assert/strict";
import { CreateBucketCommand, PutBucketVersioningCommand } from "@aws-sdk/client-s3";
import type { Page } from "playwright-core";
import { accessibilityFaults, skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { type Client, json, status } from "../support/http_client.ts";
import { checkLooks } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { type Program, withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, type Upstream, withUpstream } from "../support/upstreams.ts";
import { open } from "./browsing.ts";

const bucket = "/api/backends/local/buckets/files";
const bucketPage = "/b/local/files";

Deno.test({
  name: "versions: looked at, compared, restored and deleted; a folder as it was",
  ignore: skipBrowser() || skipUpstream("minio"),
  fn: (context) =>
    withUpstream("minio", async (upstream) => {
      await makeVersionedBucket(upstream);
      const backends = [{ id: "local", name: "Local", upstream, entry: { presign: true } }];
      await withProgram({ backends }, async (program) => {
        const admin = await program.signedIn();
        const upload = (key: string, body: string) =>
          json(
            admin.post(`${bucket}/object?key=${key}`, { body, headers: { "content-type": "text/plain" } }),
            201,
          );
        await upload("a.txt", "one\ntwo\nthree\n");
        await upload("a.txt", "one\n2\nthree\n");
        await upload("logs/gone.txt", "lost");
        await upload("logs/kept.txt", "kept");
        const before = new Date().toISOString();
        assert.ok(await status(admin.delete(`${bucket}/object?key=logs/gone.txt`)) < 300);
        await upload("logs/kept.txt", "kept, but changed");
        await withSharedBrowser(async (browser) => {
          const run = (name: string, body: (page: Page) => Promise<void>) =>
            context.step(name, async () => {
              await withPage(program, { browser, user: "admin", expectedErrors: [/status of 404/] }, body);
            });
          await run("timeline", (page) => timeline(page, admin));
          await run("all versions", (page) => allVersions(page, upload, admin));
          await run("presigned link", presigned);
          await run("time travel", (page) => timeTravel(page, admin, before));
          await run("the past is read-only", (page) => readOnly(page, admin));
        });
        await withPage(program, { user: "admin", javaScriptEnabled: false }, withoutScript);
        await looks(program, before);
      });
    }),
});

async function makeVersionedBucket(upstream: Upstream): Promise<void> {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket: "files" }));
  const VersioningConfiguration = { Status: "Enabled" } as const;
  await s3.send(new PutBucketVersioningCommand({ Bucket: "files", VersioningConfiguration }));
}

async function allVersions(
  page: Page,
  upload: (key: string, body: string) => Promise<unknown>,
  admin: Client,
): Promise<void> {
  for (const body of ["1", "22", "333"]) await upload("often.txt", body);
  await upload("often.txt.bak", "stays");
  assert.ok(await status(admin.delete(`${bucket}/object?key=often.txt`)) < 300);
  await open(page, `${bucketPage}?o=often.txt&tab=versions`);
  await page.getByRole("button", { name: "Delete all versions" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete all versions of this object?" });
  await dialog.getByText("4 versions, 6 B.").waitFor();
  await dialog.getByLabel("Type often.txt to go on").fill("often.txt");
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByRole("button", { name: "Delete 4 versions" }).click();
  await page.getByText("4 versions deleted").waitFor();
  const left = async (key: string) =>
    (await json(admin.get(`${bucket}/object/versions?key=${key}`))).versions.length;
  assert.deepEqual([await left("often.txt"), await left("often.txt.bak")], [0, 1]);
  await status(admin.delete(`${bucket}/object?key=often.txt.bak`));
}

async function timeline(page: Page, admin: Client): Promise<void> {
  const content = async () => await (await admin.get(`${bucket}/object?key=a.txt`)).text();
  const versions = async (): Promise<{ is_delete_marker: boolean }[]> =>
    (await json(admin.get(`${bucket}/object/versions?key=a.txt`))).versions;
  await open(page, `${bucketPage}?o=a.txt&tab=versions`);
  const panel = page.locator(".details-body");
  const items = panel.locator(".timeline-item");
  const choose = async (index: number, name: string) => {
    await items.nth(index).getByRole("button", { name: /^Actions/ }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await panel.getByText("2 versions").waitFor();
  await items.first().getByText("Latest").waitFor();

  await choose(0, "Compare with the one before");
  const dialog = page.getByRole("dialog", { name: "Changes in a.txt" });
  await dialog.getByText("1 line added, 1 removed").waitFor();
  await dialog.locator(".diff-removed").getByText("two").waitFor();
  await dialog.getByRole("button", { name: "Side by side" }).click();
  await dialog.locator("td.diff-added").getByText("2", { exact: false }).first().waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press("Escape");

  await items.nth(1).locator(".link-button").click();
  await page.waitForURL(/[?&]v=/);
  await panel.getByText("This is not the latest version.").waitFor();
  await panel.getByText("two").waitFor();
  await panel.getByRole("button", { name: "Show the latest" }).click();
  await page.waitForURL(({ search }) => !search.includes("v="));

  await page.getByRole("tab", { name: "Versions" }).click();
  await choose(1, "Restore");
  await panel.getByText("3 versions").waitFor();
  assert.equal(await content(), "one\ntwo\nthree\n");

  await choose(2, "Delete this version…");
  const question = page.getByRole("dialog", { name: "Delete this version?" });
  await question.getByText("cannot be undone").waitFor();
  await question.getByRole("button", { name: "Delete this version…" }).click();
  await panel.getByText("2 versions").waitFor();

  assert.ok(await status(admin.delete(`${bucket}/object?key=a.txt`)) < 300);
  await open(page, `${bucketPage}?o=a.txt&tab=versions`);
  await items.first().locator("s").getByText("Deleted").waitFor();
  await choose(0, "Remove delete marker…");
  await page.getByRole("dialog").getByRole("button", { name: "Remove delete marker…" }).click();
  await eventually(async () =>
    assert.equal((await versions()).some(({ is_delete_marker }) => is_delete_marker), false)
  );
  assert.equal(await content(), "one\ntwo\nthree\n");
}

async function presigned(page: Page): Promise<void> {
  await open(page, `${bucketPage}?o=a.txt&tab=access`);
  const panel = page.locator(".details-body");
  await panel.getByText("It cannot be revoked").waitFor();
  await panel.getByLabel("Valid for").selectOption({ label: "7 days" });
  await panel.getByRole("button", { name: "Make link" }).click();
  const url = panel.getByRole("textbox", { name: "Presigned link" });
  await eventually(async () => assert.match(await url.inputValue(), /X-Amz-Expires=604800/));
  await panel.getByText("Only this computer or network reaches 127.0.0.1").waitFor();
  const answer = await fetch(await url.inputValue());
  assert.equal(await answer.text(), "one\ntwo\nthree\n");
}

async function timeTravel(page: Page, admin: Client, before: string): Promise<void> {
  const content = async (key: string) => await (await admin.get(`${bucket}/object?key=${key}`)).text();
  const past = page.getByRole("region", { name: "Objects", exact: true });
  await open(page, `${bucketPage}?p=logs/&view=versions`);
  await page.getByText("1 deleted object.").waitFor();
  await past.getByRole("button", { name: "gone.txt" }).waitFor();
  await open(page, `${bucketPage}?p=logs/&at=${encodeURIComponent(before)}`);
  await past.getByRole("row", { name: /kept\.txt.*changed/ }).waitFor();
  await past.getByRole("row", { name: /gone\.txt.*deleted/ }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await past.getByRole("checkbox", { name: "Select logs/gone.txt" }).check();
  await page.getByRole("button", { name: "Restore 1 selected" }).click();
  await past.getByRole("row", { name: /gone\.txt.*unchanged/ }).waitFor();
  assert.equal(await content("logs/gone.txt"), "lost");
  await page.getByRole("button", { name: "Restore all 1 shown" }).click();
  await eventually(async () => assert.equal(await content("logs/kept.txt"), "kept"));
  await page.getByRole("button", { name: "Back to now" }).click();
  await page.waitForURL(({ search }) => search === "?p=logs/");
  await page.getByRole("link", { name: "gone.txt" }).waitFor();
}

/** Nothing is done with the rows that the past takes the place of, nor is anything put among them. */
async function readOnly(page: Page, admin: Client): Promise<void> {
  const keys = async () =>
    (await json(admin.get(`${bucket}/objects?prefix=logs/`))).objects.map(({ key }: { key: string }) => key);
  const there = await keys();
  await open(page, `${bucketPage}?p=logs/`);
  const done: string[] = [];
  page.on("request", (request) => {
    const script = /\/(delete|folder_dialog|copy_dialog|share_dialog|downloads|pick|walk)\.js/
      .exec(request.url());
    if (script) done.push(script[1]);
  });
  page.on("filechooser", () => done.push("filechooser"));
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const untouched = async () => {
    for (const key of ["Delete", "Control+a", "F2", "m", "c", "s", "d", "n", "u", "Shift+U", "j", "Delete"]) {
      await page.keyboard.press(key);
    }
    const taken = await page.evaluate(dropFile);
    // What these would load, they would have asked for before this is there.
    await page.keyboard.press("?");
    await sheet.waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    assert.ok(taken, "the browser would leave the page for a file that is dropped on it");
    assert.deepEqual(done, []);
    assert.equal(await page.getByText(/items? selected/).count(), 0);
    assert.equal(await page.getByRole("button", { name: "New folder" }).count(), 0);
    assert.deepEqual(await keys(), there);
  };
  await page.getByRole("checkbox", { name: "Select kept.txt" }).click();
  await page.getByText("1 item selected").waitFor();
  await page.getByRole("button", { name: "Clear selection" }).click();
  await page.getByRole("button", { name: "View options" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Show deleted objects" }).click();
  await page.getByText("0 deleted objects.").waitFor();
  await untouched();
  await page.getByLabel("View as of").fill(await page.evaluate(localMoment, Date.now()));
  const kept = page.getByRole("button", { name: "kept.txt" });
  await kept.waitFor();
  await page.getByRole("region", { name: "Objects", exact: true }).focus();
  await untouched();
  await kept.click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByRole("button", { name: "Show the latest" }).click();
  await details.getByRole("link", { name: "Download" }).waitFor();
  assert.equal(await details.getByRole("button", { name: /^(Delete|Next)/ }).count(), 0);
}

/** Drops a file on the page. Whether the page has taken it. */
const dropFile = `(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["x"], "dropped.txt"));
  const events = ["dragover", "drop"].map((type) =>
    new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
  );
  return events.every((event) => !document.querySelector(".past-banner").dispatchEvent(event));
})()`;

/** A moment as the field for it has it, in the zone of the browser. */
function localMoment(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

async function withoutScript(page: Page): Promise<void> {
  await page.goto(`${bucketPage}?wait=1&o=a.txt`);
  await page.getByRole("link", { name: "Versions" }).click();
  const versions = page.locator(".plain-versions");
  await versions.getByRole("link", { name: "Download" }).first().waitFor();
  const download = page.waitForEvent("download");
  await versions.getByRole("link", { name: "Download" }).first().click();
  assert.equal(await Deno.readTextFile(await (await download).path()), "one\ntwo\nthree\n");
  await page.goto(`${bucketPage}?wait=1&p=logs/`);
  await page.getByRole("link", { name: "Show deleted objects" }).click();
  await versions.getByText(/deleted objects?$/).waitFor();
}

async function looks(program: Program, at: string): Promise<void> {
  await checkLooks(program, {
    name: "versions-as-of",
    path: `${bucketPage}?p=logs/&at=${encodeURIComponent(at)}`,
    user: "admin",
    prepare: (page) => page.locator(".past-list tbody tr").first().waitFor(),
  });
}
