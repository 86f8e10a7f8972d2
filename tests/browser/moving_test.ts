import assert from "node:assert/strict";
import { HeadObjectCommand, PutObjectCommand, type PutObjectCommandInput } from "@aws-sdk/client-s3";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { keysIn, numbered, seed } from "../prefixes/seeding.ts";
import { accessibilityFaults, skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { status } from "../support/http_client.ts";
import { eventually } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, withUpstream } from "../support/upstreams.ts";
import { readArchive, texts } from "../zip/readers.ts";
import { browsing, open, untilNames } from "./browsing.ts";

const ignore = skipBrowser() || skipUpstream("minio");

/** Stored in the bucket `files` before the pages are opened. */
const samples = [
  "docs/a.txt",
  "docs/b #1?.txt",
  "docs/deep/c.txt",
  "docs/50%25 ü 日本.txt ",
  "target/a.txt",
  "readme.md",
  "small.txt",
];

/** Keeps a screenshot where `SCREENSHOT_DIRECTORY` is set, once nothing is wrong for assistive technology. */
async function look(page: Page, name: string): Promise<void> {
  assert.deepEqual(await accessibilityFaults(page), [], name);
  const directory = Deno.env.get("SCREENSHOT_DIRECTORY");
  if (directory) await page.screenshot({ path: join(directory, `${name}.png`) });
}

const row = (page: Page, name: string) => page.locator(".object-body .object-row", { hasText: name });
const toast = (page: Page, text: string | RegExp) => page.locator(".toast", { hasText: text });

async function select(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await row(page, name).getByRole("checkbox").click();
}

Deno.test({
  name: "moving: rename, copy, move, drop, delete and zip, each taken back where it can be",
  ignore,
  fn: (context) =>
    withUpstream("minio", async (upstream) => {
      using s3 = s3Client(upstream);
      const backends = [{ id: "local", name: "Local", upstream }, { id: "other", name: "Other", upstream }];
      await withProgram({ backends }, (program) =>
        withSharedBrowser(async (browser) => {
          const admin = await program.signedIn("admin");
          for (const name of ["files", "spare"]) {
            assert.equal((await admin.post("/api/backends/local/buckets", { json: { name } })).status, 201);
          }
          const versioning = "/api/backends/local/buckets/files/versioning";
          assert.equal(await status(admin.put(versioning, { json: { enabled: true } })), 200);
          for (const key of samples) {
            await s3.send(
              new PutObjectCommand({
                ...{ Bucket: "files", Key: key, Body: key },
                ...{ Metadata: { origin: "test" }, Tagging: "colour=red" },
              }),
            );
          }
          const keys = (bucket = "files") => keysIn(s3, bucket);
          const untilKeys = (expected: readonly string[], bucket = "files") =>
            eventually(async () => assert.deepEqual((await keys(bucket)).sort(), [...expected].sort()));
          const without = (...gone: string[]) => samples.filter((key) => !gone.includes(key));
          const step = (name: string, path: string, run: (page: Page) => Promise<void>) =>
            context.step(name, () =>
              withPage(program, { user: "admin", session: admin, browser }, async (page) => {
                await page.emulateMedia({ reducedMotion: "reduce" });
                await open(page, `/b/local/files${path}`);
                await run(page);
              }));

          await step("a name is edited in its place", "", async (page) => {
            await row(page, "readme.md").locator(".object-size").click();
            await page.keyboard.press("F2");
            const field = page.getByLabel("New name of readme.md");
            await field.and(page.locator(":focus")).waitFor();
            assert.equal(await page.evaluate("getSelection().toString()"), "readme");
            await page.keyboard.type("small.txt");
            await page.keyboard.press("Delete");
            await page.keyboard.press("Delete");
            await page.keyboard.press("Delete");
            await page.keyboard.press("Enter");
            await page.getByText("“small.txt” is there already.").waitFor();
            await look(page, "rename-taken");
            await field.fill("read me #2?.md");
            await page.keyboard.press("Enter");
            await untilNames(page, ["docs", "target", "read me #2?.md", "small.txt"]);
            await untilKeys([...without("readme.md"), "read me #2?.md"]);
            await page.locator("#objects:focus").waitFor();
            await page.keyboard.press("Control+z");
            await untilNames(page, ["docs", "target", "readme.md", "small.txt"]);
            await toast(page, "“read me #2?.md” renamed to “readme.md”").waitFor();
            assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0);
            await untilKeys(samples);
          });

          await step(
            "a folder gets another name by a job, once it is said what that takes",
            "",
            async (page) => {
              await row(page, "docs").click({ position: { x: 400, y: 12 } });
              await page.keyboard.press("F2");
              await page.getByLabel("New name of docs").fill("papers");
              await page.keyboard.press("Enter");
              const dialog = page.getByRole("dialog", { name: "Rename folder “docs” to “papers”?" });
              await dialog.getByText("4 objects").first().waitFor();
              await look(page, "rename-folder");
              await dialog.getByRole("button", { name: "Rename 4 objects" }).click();
              await toast(page, "“docs” renamed to “papers”").waitFor();
              await untilNames(page, ["papers", "target", "readme.md", "small.txt"]);
              await toast(page, "renamed").getByRole("button", { name: "Undo" }).click();
              await untilKeys(samples);
              await untilNames(page, ["docs", "target", "readme.md", "small.txt"]);
            },
          );

          await step("a selection is moved by the dialog, and back", "?p=docs/", async (page) => {
            await page.getByRole("link", { name: "a.txt" }).waitFor();
            await page.keyboard.press("ArrowDown");
            await page.keyboard.press("Control+a");
            await page.getByText("4 items selected").waitFor();
            await page.keyboard.press("m");
            const dialog = page.getByRole("dialog", { name: "Move 4 items" });
            await dialog.getByText("Choose another folder, or another name.").waitFor();
            await dialog.getByRole("textbox", { name: "Folder" }).fill("");
            await dialog.getByRole("button", { name: "target" }).click();
            await dialog.getByText("1 object of the same name is there already.").waitFor();
            assert.match(
              await dialog.locator("li", { has: page.locator(".copy-taken") }).innerText(),
              /a\.txt/,
            );
            await look(page, "move-dialog");
            await dialog.getByRole("textbox", { name: "Folder" }).fill("new # folder");
            await dialog.getByText("is there already.").waitFor({ state: "detached" });
            await dialog.getByText("4 objects").waitFor();
            await dialog.getByRole("button", { name: "Move" }).click();
            await toast(page, "4 objects moved to new # folder/").waitFor();
            await page.getByText("This folder is empty").waitFor();
            await untilKeys([
              ...samples.filter((key) => !key.startsWith("docs/")),
              ...samples.filter((key) =>
                key.startsWith("docs/")
              ).map((key) => key.replace("docs/", "new # folder/")),
            ]);
            await toast(page, "moved").getByRole("button", { name: "Undo" }).click();
            await toast(page, "4 items moved back").waitFor();
            await untilKeys(samples);
          });

          await step("one object is copied to another backend under another name", "", async (page) => {
            await row(page, "small.txt").locator(".object-size").click();
            await page.keyboard.press("c");
            const dialog = page.getByRole("dialog", { name: "Copy 1 item" });
            await dialog.getByLabel("Backend").selectOption("other");
            await dialog.getByLabel("Bucket").selectOption("spare");
            await dialog.getByRole("textbox", { name: "Name" }).fill("tiny.txt");
            await dialog.getByText("This streams 9 B through this server.").waitFor();
            await dialog.getByText("Options", { exact: true }).click();
            await dialog.getByLabel("Keep metadata").uncheck();
            await dialog.getByLabel("Keep tags").uncheck();
            await dialog.getByLabel("Storage class").selectOption("REDUCED_REDUNDANCY");
            await look(page, "copy-dialog-backends");
            await dialog.getByRole("button", { name: "Copy", exact: true }).click();
            await toast(page, "1 object copied to other/spare/").waitFor();
            await untilKeys(["tiny.txt"], "spare");
            const tiny = await s3.send(new HeadObjectCommand({ Bucket: "spare", Key: "tiny.txt" }));
            assert.deepEqual([tiny.Metadata, tiny.TagCount, tiny.StorageClass], [
              {},
              undefined,
              "REDUCED_REDUNDANCY",
            ]);
            await untilKeys(samples);
          });

          await step("a row that is dropped on a folder moves there", "", async (page) => {
            await page.locator("#objects[data-drags]").waitFor();
            await row(page, "small.txt").dragTo(row(page, "target"));
            await toast(page, "1 object moved to target/").waitFor();
            await untilKeys([...without("small.txt"), "target/small.txt"]);
            await page.locator("#objects").focus();
            await page.keyboard.press("Control+z");
            await untilKeys(samples);
          });

          await step("an object is deleted at once and brought back, a folder by a job", "", async (page) => {
            await row(page, "small.txt").locator(".object-size").click();
            await page.keyboard.press("Delete");
            await toast(page, "1 object deleted").waitFor();
            await untilKeys(without("small.txt"));
            await toast(page, "1 object deleted").getByRole("button", { name: "Undo" }).click();
            await row(page, "small.txt").waitFor();
            await untilKeys(samples);
            await select(page, "docs", "readme.md");
            await page.keyboard.press("Delete");
            const dialog = page.getByRole("dialog", { name: "Delete 2 items?" });
            await dialog.getByText("5 objects, ").waitFor();
            await look(page, "delete-dialog");
            await dialog.getByLabel("Type files to go on").fill("files");
            await dialog.getByRole("button", { name: "Delete 5 objects" }).click();
            await toast(page, "5 objects deleted").waitFor();
            await untilKeys(samples.filter((key) =>
              !key.startsWith("docs/") && key !== "readme.md"
            ));
            await toast(page, "5 objects deleted").getByRole("button", { name: "Undo" }).click();
            await toast(page, "5 objects are back").waitFor();
            await untilKeys(samples);
            await row(page, "readme.md").waitFor();
          });

          await step("many objects are deleted by a job, and brought back", "", async (page) => {
            assert.equal(
              await status(admin.post("/api/backends/local/buckets", { json: { name: "crowd" } })),
              201,
            );
            const versioning = "/api/backends/local/buckets/crowd/versioning";
            assert.equal(await status(admin.put(versioning, { json: { enabled: true } })), 200);
            const crowd = numbered("a/", 120);
            await seed(s3, "crowd", [...crowd, "a/gone"]);
            assert.ok(
              await status(admin.delete("/api/backends/local/buckets/crowd/object?key=a/gone")) < 300,
            );
            await open(page, "/b/local/crowd?p=a/");
            await page.locator("#objects").focus();
            await page.keyboard.press("Control+a");
            await page.keyboard.press("Delete");
            const dialog = page.getByRole("dialog", { name: "Delete 120 items?" });
            await dialog.getByText("From a/00000 to a/00119.").waitFor();
            await dialog.getByLabel("Type crowd to go on").fill("crowd");
            await dialog.getByRole("button", { name: "Delete 120 objects" }).click();
            await toast(page, "120 objects deleted").getByRole("button", { name: "Undo" }).click();
            await toast(page, "120 objects are back").waitFor();
            await untilKeys(crowd, "crowd");
          });

          await step("versions that are locked stay, and are told of apart", "", async (page) => {
            const json = { name: "vault", object_lock: true };
            assert.equal(await status(admin.post("/api/backends/local/buckets", { json })), 201);
            const until = { ObjectLockRetainUntilDate: new Date(Date.now() + 3_600_000) };
            const locks: Record<string, Partial<PutObjectCommandInput>> = {
              "old/compliance.txt": { ObjectLockMode: "COMPLIANCE", ...until },
              "old/free.txt": {},
              "old/held.txt": { ObjectLockLegalHoldStatus: "ON" },
            };
            for (const [Key, lock] of Object.entries(locks)) {
              await s3.send(new PutObjectCommand({ Bucket: "vault", Key, Body: "x", ...lock }));
            }
            await open(page, "/b/local/vault");
            await select(page, "old");
            await page.keyboard.press("Delete");
            const dialog = page.getByRole("dialog");
            await dialog.getByRole("checkbox").check();
            await dialog.getByText("This bucket has object lock").waitFor();
            await dialog.getByLabel("Type old to go on").fill("old");
            await look(page, "delete-locked-dialog");
            await dialog.getByRole("button", { name: "Delete 3 versions" }).click();
            const told = /1 version is locked until .+\. 1 version is under a legal hold\./;
            await toast(page, told).waitFor();
            await toast(page, "1 version deleted").waitFor();
            await page.locator(".tray .transfer-locked", { hasText: told }).waitFor();
            await look(page, "delete-locked");
            await page.goto("/transfers");
            const job = page.locator(".transfer", { hasText: "vault/old/" });
            await job.getByText("2 failures").click();
            await job.locator(".transfer-locked", { hasText: "Nobody can delete" }).waitFor();
            await job.getByText("This version is under a legal hold.").waitFor();
            await look(page, "transfers-locked");
          });

          await step("a selection comes as one zip file", "", async (page) => {
            await select(page, "docs", "small.txt");
            await page.getByText("2 items selected").waitFor();
            await look(page, "selection");
            const download = page.waitForEvent("download");
            await page.getByRole("button", { name: "Download" }).click();
            const file = await download;
            await toast(page, "Downloading 5 objects as a zip file").waitFor();
            const archive = await readArchive(await Deno.readFile(await file.path()));
            assert.deepEqual(
              Object.keys(texts(archive)).sort(),
              samples.filter((key) => key.startsWith("docs/") || key === "small.txt").sort(),
            );
          });
        }));
    }),
});

Deno.test({
  name: "moving: a folder that comes after very many objects is found by typing, and is not called new",
  ignore: skipBrowser(),
  fn: () =>
    browsing(
      { manyKeys: 2150, samples: { "zeta/a.txt": {} } },
      ({ withPage }) =>
        withPage({}, async (page) => {
          await open(page, "/b/local/files");
          await row(page, "key-000000.txt").locator(".object-size").click();
          await page.keyboard.press("m");
          const dialog = page.getByRole("dialog", { name: "Move 1 item" });
          await dialog.getByText("There may be more folders here.").waitFor();
          assert.equal(await dialog.getByText("No folders here").count(), 0);
          const folder = dialog.getByRole("textbox", { name: "Folder" });
          await folder.fill("ze");
          await dialog.getByRole("button", { name: "zeta" }).waitFor();
          assert.equal(await dialog.getByText("This folder is new").count(), 0);
          await folder.fill("zz");
          await dialog.getByText("This folder is new").waitFor();
          await folder.fill("key-0");
          await dialog.getByText("There may be more folders here.").waitFor();
          assert.equal(await dialog.getByText("This folder is new").count(), 0);
          await folder.fill("zet");
          await dialog.getByRole("button", { name: "zeta" }).click();
          await dialog.getByRole("button", { name: "Move" }).click();
          await toast(page, "1 object moved to zeta/").waitFor();
        }),
    ),
});
