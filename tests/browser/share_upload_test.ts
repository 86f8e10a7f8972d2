import { Buffer } from "node:buffer";
import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import {
  accessibilityFaults,
  skipBrowser,
  withPage as withAnyPage,
  withSharedBrowser,
} from "../support/browser.ts";
import { json, status } from "../support/http_client.ts";
import { lookAround, openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { type Browsing, browsing, open } from "./browsing.ts";
import { choose, qrText, rowOf, samples, users } from "./sharing.ts";
import { drop } from "./uploading.ts";

/** Makes a link by which files are sent, as `maria`. */
async function askForFiles({ program }: Browsing, fields: Record<string, unknown> = {}): Promise<string> {
  const maria = await program.signedIn("maria");
  const body = { backend_id: "local", bucket: "files", kind: "upload", key: "inbox/", ...fields };
  return `/s/${(await json(maria.post("/api/shares", { json: body }), 201)).code}`;
}

const file = (name: string, content: string | Buffer = name) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});

const choice = (page: Page) => page.getByLabel("Choose files");
const fileRow = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });

Deno.test({
  name: "files are asked for in the object browser and sent by a link",
  ignore: skipBrowser(),
  fn: (t) =>
    withSharedBrowser(async (browser) => {
      const options = { samples, users, config: { ratelimit: { share_per_minute: 0 } } };
      await browsing(options, async (stage) => {
        const { program, keys, withPage } = stage;

        await t.step("who asks says for what, and gets a link", () =>
          withPage({ browser, user: "maria" }, async (page) => {
            await open(page, "/b/local/files");
            await choose(page, "docs", "Request files…");
            const dialog = page.getByRole("dialog", { name: "Request files" });
            await dialog.getByLabel("Title of the page").and(page.locator(":focus")).waitFor();
            assert.equal(
              await dialog.getByLabel("Title of the page").inputValue(),
              "maria asks you for files",
            );
            assert.deepEqual(await accessibilityFaults(page), []);
            await dialog.getByLabel("Message").fill("Both pages, please.");
            await dialog.getByLabel("Number of files").fill("none");
            const ofOne = dialog.getByRole("textbox", { name: "Size of each" });
            await dialog.getByLabel("Size in all", { exact: true }).fill("0");
            await ofOne.fill("1,000");
            await dialog.getByRole("button", { name: "Create link" }).click();
            await dialog.getByText("A whole number from 1 to 10,000.").waitFor();
            await dialog.getByText("Enter a number above 0, such as 500 or 1.5.").nth(1).waitFor();
            await ofOne.fill("");
            await dialog.getByLabel("Number of files").fill("2");
            await dialog.getByLabel("Size in all", { exact: true }).fill("1.5");
            await dialog.getByText("All files side by side").click();
            await dialog.getByRole("button", { name: "Create link" }).click();
            const result = page.getByRole("dialog", { name: "The link is ready" });
            await result.getByText("It takes 2 files, 1.50 GiB in all").waitFor();
            const { shares: [made] } = await json((await program.signedIn("maria")).get("/api/shares"));
            assert.equal(await qrText(page), made.url);
            assert.deepEqual(
              [made.kind, made.key, made.upload.message, made.upload.max_bytes, made.upload.keep_folders],
              ["upload", "docs/", "Both pages, please.", 1.5 * 2 ** 30, false],
            );
            await result.getByText("Show command").click();
            await result.getByText('"kind":"upload"').waitFor();
            await result.getByRole("button", { name: "Done" }).click();
            await page.locator("#objects").press("r");
            await dialog.getByText("Whoever has the link can send files").waitFor();
          }));

        await t.step(
          "files are chosen and sent, what is too large is not, and the maker sees it",
          async () => {
            const path = await askForFiles(stage, { title: "Photos, please", max_file_bytes: 1000 });
            await withAnyPage(program, { browser }, async (page) => {
              await openPage(page, path);
              assert.equal(await page.title(), "Photos, please");
              await choice(page).setInputFiles([
                file("a.txt"),
                file("b.txt"),
                file("big.txt", Buffer.alloc(1001)),
              ]);
              for (const name of ["a.txt", "b.txt"]) {
                await fileRow(page, name).getByText("Sent").waitFor();
              }
              await fileRow(page, "big.txt").getByText("Larger than this link takes.").waitFor();
              await page.getByText("Some of it has not been sent.").waitFor();
              assert.deepEqual(await accessibilityFaults(page), []);
              await fileRow(page, "big.txt").getByRole("button", { name: "Remove: big.txt" }).click();
              await page.getByText("Everything has been sent.").waitFor();
              await choice(page).setInputFiles([file("a.txt", "another")]);
              await page.locator('.share-file[data-state="done"]').nth(2).waitFor();
              await eventually(async () => {
                const stored = (await keys()).filter((key) =>
                  key.startsWith("inbox/")
                );
                assert.deepEqual(stored, ["inbox/a (1).txt", "inbox/a.txt", "inbox/b.txt"]);
              });
            });
            await withPage({ browser, user: "maria" }, async (page) => {
              await open(page, "/shares");
              await rowOf(page, "Photos, please").getByText("3 of 100 files, 17 B").waitFor();
              await choose(page, "Photos, please", "Access log…");
              const drawer = page.getByRole("dialog", { name: "Share of Photos, please: access" });
              await drawer.getByText("b.txt, 5 B").waitFor();
              await drawer.getByRole("button", { name: "Edit…" }).click();
              const edit = page.getByRole("dialog", { name: "Share of Photos, please" });
              await edit.getByLabel("Number of files").fill("3");
              await edit.getByText("Show command").click();
              await edit.getByText(/curl -sS -X PATCH .*"max_uploads":3,.*\/api\/shares\//s).waitFor();
              await edit.getByRole("button", { name: "Save" }).click();
              await rowOf(page, "Photos, please").getByText("Used up").waitFor();
            });
          },
        );

        await t.step("files are dropped on the page, and what breaks off is sent again", async () => {
          const path = await askForFiles(stage, { key: "dropped/" });
          await withAnyPage(program, { browser, expectedErrors: [/net::ERR|status of/] }, async (page) => {
            await openPage(page, path);
            let failures = 0;
            await page.route("**/files?*", (route) => failures++ === 0 ? route.abort() : route.continue());
            const data = await page.evaluateHandle(`(() => {
              const data = new DataTransfer();
              data.items.add(new File(["dropped"], "dropped.txt"));
              return data;
            })()`);
            await page.dispatchEvent("body", "dragover", { dataTransfer: data });
            await page.locator("form.over").waitFor();
            const left = (clientX: number) =>
              page.evaluate(`{
                const drag = (type) =>
                  new DragEvent(type, { clientX: ${clientX}, clientY: 9, bubbles: true, cancelable: true });
                document.body.dispatchEvent(drag("dragover"));
                document.body.dispatchEvent(drag("dragleave"));
                document.querySelector("form.over") === null;
              }`);
            assert.equal(await left(9), false, "it may have gone from one part to another");
            await page.locator("form:not(.over)").waitFor();
            assert.equal(await left(0), true);
            await page.dispatchEvent("body", "drop", { dataTransfer: data });
            await fileRow(page, "dropped.txt").getByText("Sent").waitFor();
            assert.ok(failures >= 2);
          });
          assert.ok((await keys()).includes("dropped/dropped.txt"));
        });

        await t.step("folders are chosen and dropped, and keep what is in them where it is", async () => {
          const path = await askForFiles(stage, { key: "trees/", max_uploads: 4, max_bytes: 100 });
          const directory = await Deno.makeTempDir();
          try {
            await Deno.mkdir(`${directory}/holiday/day 1/empty`, { recursive: true });
            await Deno.writeTextFile(`${directory}/holiday/day 1/a.txt`, "a");
            await Deno.writeTextFile(`${directory}/holiday/b.txt`, "b");
            await Deno.writeTextFile(`${directory}/holiday/.DS_Store`, "nobody wants it");
            await Deno.mkdir(`${directory}/wood/deep`, { recursive: true });
            await Deno.writeTextFile(`${directory}/wood/deep/c.txt`, "c");
            await Deno.writeTextFile(`${directory}/single.txt`, "d");
            await withAnyPage(program, { browser }, async (page) => {
              await openPage(page, path);
              const chosen = page.waitForEvent("filechooser");
              await page.getByRole("button", { name: "Choose a folder" }).click();
              await (await chosen).setFiles(`${directory}/holiday`);
              await fileRow(page, "holiday/day 1/a.txt").getByText("Sent").waitFor();
              await page.getByText("2 of 2 files sent").waitFor();
              await page.getByText("Everything has been sent.").waitFor();
              await drop(page, "body", [`${directory}/wood`, `${directory}/single.txt`]);
              await page.getByText("4 of 4 files sent").waitFor();
              await choice(page).setInputFiles([file("e.txt")]);
              await fileRow(page, "e.txt").getByText("More than this link takes.").waitFor();
              assert.deepEqual(await accessibilityFaults(page), []);
            });
          } finally {
            await Deno.remove(directory, { recursive: true });
          }
          assert.deepEqual((await keys()).filter((key) => key.startsWith("trees/")), [
            "trees/holiday/b.txt",
            "trees/holiday/day 1/a.txt",
            "trees/single.txt",
            "trees/wood/deep/c.txt",
          ]);
        });

        await t.step("no folder is asked for where the browser cannot choose one", async () => {
          const path = await askForFiles(stage);
          await withAnyPage(program, { browser }, async (page) => {
            await page.addInitScript("delete HTMLInputElement.prototype.webkitdirectory");
            await openPage(page, path);
            await choice(page).waitFor();
            assert.equal(await page.getByRole("button", { name: "Choose a folder" }).isVisible(), false);
          });
        });

        await t.step("a link that is revoked meanwhile says so, and can be tried no more", async () => {
          const path = await askForFiles(stage, { key: "late/" });
          await withAnyPage(program, { browser, expectedErrors: [/status of 410/] }, async (page) => {
            await openPage(page, path);
            const maria = await program.signedIn("maria");
            const { shares: [{ id }] } = await json(maria.get("/api/shares?limit=1"));
            assert.equal(await status(maria.delete(`/api/shares/${id}`)), 204);
            const held: Route[] = [];
            await page.route("**/files?*", (route) => void held.push(route));
            await choice(page).setInputFiles(["a", "b", "c", "d", "e"].map((name) => file(name)));
            await eventually(() => assert.equal(held.length, 3));
            await page.getByRole("button", { name: "Cancel: d" }).click();
            const late = page.getByRole("listitem").filter({ hasText: "The link is no longer in force." });
            const [last, ...first] = held;
            for (const route of first) await route.continue();
            await eventually(async () => assert.equal(await late.count(), 3));
            // One is still under way: what was cancelled does not count.
            assert.match(await page.title(), /^\(/);
            await last.continue();
            await eventually(async () => assert.equal(await late.count(), 4));
            assert.doesNotMatch(await page.title(), /^\(/);
            await page.reload();
            await page.getByRole("heading", { name: "This link is no longer in force" }).waitFor();
          });
        });

        await t.step("without script a form does it, after the password", async () => {
          const path = await askForFiles(stage, { key: "plain/", password: "x", max_uploads: 2 });
          await withAnyPage(
            program,
            { browser, javaScriptEnabled: false, expectedErrors: [/status of/] },
            async (page) => {
              await page.goto(path);
              await page.getByLabel("Password").fill("x");
              await page.getByRole("button", { name: "Go on" }).click();
              await choice(page).setInputFiles([file("one.txt")]);
              await page.getByRole("button", { name: "Send" }).click();
              await page.getByText("One file has arrived.").waitFor();
              await choice(page).setInputFiles([file("two.txt")]);
              await page.getByRole("button", { name: "Send" }).click();
              await page.getByRole("heading", { name: "One file has arrived." }).waitFor();
            },
          );
          assert.deepEqual((await keys()).filter((key) => key.startsWith("plain/")), [
            "plain/one.txt",
            "plain/two.txt",
          ]);
        });

        await t.step("looks, in German too", async () => {
          const path = await askForFiles(stage, {
            title: "Bitte um Fotos",
            max_file_bytes: 1000,
            key: "looks/",
          });
          await withAnyPage(program, { browser }, async (page) => {
            await page.emulateMedia({ reducedMotion: "reduce" });
            await page.context().setExtraHTTPHeaders({ "accept-language": "de" });
            await openPage(page, path);
            await page.locator("input[type=file]").setInputFiles([
              file("Gartentor mit einem ziemlich langen Namen am Abend.txt"),
              file("Rosen.txt"),
              file("Panorama.txt", Buffer.alloc(2000)),
            ]);
            await page.getByText("2 von 2 Dateien gesendet").waitFor();
            await page.locator(".share-file[data-state=refused]").waitFor();
            await lookAround(page, "share-upload");
          });
        });
      });
    }),
});
