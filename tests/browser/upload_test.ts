import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { accessibilityFaults, skipBrowser } from "../support/browser.ts";
import { landOn } from "../support/looks.ts";
import { eventually, until } from "../support/poll.ts";
import { testPassword } from "../support/program.ts";
import { type Browsing, browsing, open, untilAttended } from "./browsing.ts";
import { chooseFiles, drop, endSessions, limitUpload } from "./uploading.ts";

const ignore = skipBrowser();

const text = (name: string, content: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});

async function contentOf({ program }: Browsing, key: string): Promise<string> {
  const path = `/api/backends/local/buckets/files/object?key=${encodeURIComponent(key)}`;
  return await (await (await program.signedIn()).get(path)).text();
}

Deno.test({
  name: "upload: by the button, several files, shown at once",
  ignore,
  fn: () =>
    browsing({ samples: { "docs/x": {} } }, (bench) =>
      bench.withPage({}, async (page) => {
        await open(page, `${bench.bucketPage}?p=docs/`);
        await chooseFiles(page, [
          text("one.txt", "first"),
          text("zwei ü#?.txt", "second"),
          text("empty.txt", ""),
        ]);
        await page.getByRole("heading", { name: "3 files uploaded" }).waitFor();
        await page.getByRole("link", { name: "zwei ü#?.txt" }).waitFor();
        assert.deepEqual(await bench.keys(), [
          "docs/empty.txt",
          "docs/one.txt",
          "docs/x",
          "docs/zwei ü#?.txt",
        ]);
        assert.equal(await contentOf(bench, "docs/zwei ü#?.txt"), "second");
        await eventually(async () =>
          assert.equal(await page.locator(".object-class", { hasText: "Standard" }).count(), 4)
        );
        await page.getByRole("button", { name: "Unfold transfers" }).waitFor();
      })),
});

Deno.test({
  name: "upload: dropped files and folders, into the open folder or the one they are dropped on",
  ignore,
  async fn() {
    const directory = await Deno.makeTempDir({ prefix: "dropped-" });
    try {
      await Deno.mkdir(join(directory, "album", "deep"), { recursive: true });
      await Deno.writeTextFile(join(directory, "album", "a.txt"), "a");
      for (let index = 0; index < 120; index++) {
        await Deno.writeTextFile(join(directory, "album", "deep", `${index}.txt`), String(index));
      }
      await Deno.writeTextFile(join(directory, "single.txt"), "single");
      await Deno.mkdir(join(directory, "hollow", "empty"), { recursive: true });
      await browsing({ samples: { "docs/x": {} } }, (bench) =>
        bench.withPage({}, async (page) => {
          await open(page, bench.bucketPage);
          await drop(page, ".browser-status", [join(directory, "album"), join(directory, "single.txt")]);
          await page.getByRole("dialog", { name: "Upload 122 files?" })
            .getByRole("button", { name: "Upload 122 files" }).click();
          // With the focus in it, it does not fold away by itself.
          await page.locator(".tray-body").focus();
          await page.getByRole("heading", { name: "122 files uploaded" }).waitFor({ timeout: 120_000 });
          await page.getByRole("link", { name: "album" }).waitFor();
          const paths = await page.locator(".transfer-path").allTextContents();
          assert.notEqual(paths.length, 0);
          assert.ok(paths.every((path) => path === "single.txt" || path.startsWith("album/")), paths.join());
          const dropped = [join(directory, "single.txt"), join(directory, "hollow")];
          await drop(page, '[data-folder="docs/"]', dropped);
          await page.getByRole("heading", { name: "2 files uploaded", exact: true }).waitFor();
          const keys = await bench.keys();
          assert.equal(keys.length, 125);
          const expected = ["album/a.txt", "album/deep/119.txt", "single.txt", "docs/single.txt"];
          for (const key of [...expected, "docs/hollow/empty/"]) assert.ok(keys.includes(key), key);
        }));
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  },
});

/** Drags a file over the page from now on, which is told of every few milliseconds; `leave` is what Safari tells of besides. */
const dragAbout = `{
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["x"], "dragged.txt"));
  const tell = (type, clientX, clientY) =>
    document.querySelector(".browser-status").dispatchEvent(
      new DragEvent(type, { dataTransfer, clientX, clientY, bubbles: true, cancelable: true }),
    );
  const drawn = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage("");
    });
  const going = setInterval(() => tell("dragover", 100, 100), 20);
  globalThis.drag = {
    async leave(clientX, clientY) {
      const hint = document.querySelector(".drop-zone");
      tell("dragleave", clientX, clientY);
      await drawn();
      return hint.isConnected;
    },
    end: () => clearInterval(going),
  };
}`;

Deno.test({
  name: "upload: where a drag would go is shown until it has left the page, or nothing more is heard of it",
  ignore,
  fn: () =>
    browsing({ samples: { "docs/x": {} } }, (bench) =>
      bench.withPage({}, async (page) => {
        const hint = page.locator(".drop-zone");
        await open(page, bench.bucketPage);
        await page.evaluate(dragAbout);
        await hint.getByText("files").waitFor();
        assert.equal(await page.evaluate("drag.leave(100, 100)"), true, "it went from one part to another");
        assert.equal(await page.evaluate("drag.end(), drag.leave(0, 100)"), false);
        await page.evaluate(dragAbout);
        await hint.waitFor();
        await page.evaluate("drag.end(), drag.leave(100, 100)");
        await hint.waitFor({ state: "detached" });
      })),
});

Deno.test({
  name: "upload: no folder is asked for where the browser cannot choose one",
  ignore,
  fn: () =>
    browsing({}, (bench) =>
      bench.withPage({}, async (page) => {
        const entries = page.getByRole("menuitem");
        const look = async () => {
          await open(page, bench.bucketPage);
          await page.getByRole("button", { name: "More ways to upload" }).click();
          await entries.getByText("Paste").first().waitFor();
        };
        await look();
        await entries.getByText("Upload a folder").waitFor();
        await page.addInitScript("delete HTMLInputElement.prototype.webkitdirectory");
        await look();
        await eventually(async () => assert.equal(await entries.getByText("Upload a folder").count(), 0));
      })),
});

Deno.test({
  name: "upload: pictures and files that are pasted, by the keyboard and by the menu",
  ignore,
  fn: () =>
    browsing({ samples: { "docs/x": {} } }, (bench) =>
      bench.withPage({}, async (page) => {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        await open(page, `${bench.bucketPage}?p=docs/`);
        await page.evaluate(`(async () => {
          const canvas = new OffscreenCanvas(8, 8);
          canvas.getContext("2d").fillRect(0, 0, 8, 8);
          const picture = await canvas.convertToBlob({ type: "image/png" });
          await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
        })()`);
        const stored = async (pattern: RegExp) => (await bench.keys()).some((key) => pattern.test(key));
        await untilAttended(page);
        await page.keyboard.press("Control+v");
        await until(() => stored(/^docs\/screenshot [^/]+\.png$/), { what: "the picture by the keyboard" });
        await page.getByRole("button", { name: "More ways to upload" }).click();
        await page.getByRole("menuitem", { name: /paste/i }).click();
        await until(() => stored(/^docs\/Pasted [^/]+\.png$/i), { what: "the picture by the menu" });
        // Into a field, what is pasted is typed: nobody takes the event.
        const paste = (selector: string) =>
          page.evaluate(`{
            const clipboardData = new DataTransfer();
            clipboardData.items.add(new File(["pasted"], "notes.txt", { type: "text/plain" }));
            const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
            document.querySelector("${selector}").dispatchEvent(event);
          }`);
        assert.equal(await paste("#filter"), true);
        assert.equal(await paste("main"), false);
        await until(() => stored(/^docs\/notes\.txt$/), { what: "the file" });
        assert.equal(await contentOf(bench, "docs/notes.txt"), "pasted");
        assert.equal((await bench.keys()).length, 4);
      })),
});

Deno.test({
  name: "upload: goes on while other pages are visited, and is done on one of them",
  ignore,
  fn: () =>
    browsing({}, (bench) =>
      bench.withPage({}, async (page) => {
        await open(page, bench.bucketPage);
        await page.evaluate("globalThis.sameDocument = true");
        const limit = await limitUpload(page, 200_000);
        const buffer = Buffer.alloc(6 * 1024 * 1024, "x");
        await chooseFiles(page, [{ name: "big.bin", mimeType: "application/octet-stream", buffer }]);
        await page.locator(".tray-rate").getByText(/KiB\/s · \d+ s left/).waitFor();
        for (const [name, path] of [["Shares", "/shares"], ["Overview", "/"]]) {
          await page.locator("#rail").getByRole("link", { name, exact: true }).click();
          await landOn(page, ({ pathname }) => pathname === path);
          await page.getByText(/Uploading 0 of 1/).waitFor();
        }
        assert.deepEqual(await bench.keys(), []);
        await limit.detach();
        await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
        assert.ok(await page.evaluate("globalThis.sameDocument"));
        assert.equal(await contentOf(bench, "big.bin"), buffer.toString());
      })),
});

Deno.test({
  name: "upload: shows progress, speed and time left, and can be cancelled",
  ignore,
  fn: () =>
    browsing({}, (bench) =>
      bench.withPage({}, async (page) => {
        await open(page, bench.bucketPage);
        const limit = await limitUpload(page, 200_000);
        await chooseFiles(page, [{
          name: "big.bin",
          mimeType: "application/octet-stream",
          buffer: Buffer.alloc(6 * 1024 * 1024),
        }]);
        await page.getByText(/Uploading 0 of 1/).waitFor();
        await page.locator(".tray-rate").getByText(/KiB\/s · \d+ s left/).waitFor();
        await page.getByText(/[\d.]+ [KM]iB of 6.00 MiB/).waitFor();
        await until(async () => /^\([1-9]\d*%\) files/.test(await page.title()), { what: "the title" });
        await page.getByRole("button", { name: "Cancel big.bin" }).click();
        await page.getByText("Cancelled").waitFor();
        await limit.detach();
        assert.deepEqual(await bench.keys(), []);
        await eventually(async () => assert.match(await page.title(), /^files/));
        await page.getByRole("button", { name: "Upload big.bin again" }).click();
        await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
        assert.deepEqual(await bench.keys(), ["big.bin"]);
      })),
});

Deno.test({
  name: "upload: a taken name is asked about: replace, keep both, skip, for all",
  ignore,
  fn: () =>
    browsing({
      samples: { "a.txt": { body: "old a" }, "b.txt": { body: "old b" }, "c.txt": { body: "old c" } },
    }, (bench) =>
      bench.withPage({ expectedErrors: [/status of 409/] }, async (page) => {
        await page.emulateMedia({ reducedMotion: "reduce" });
        await open(page, bench.bucketPage);
        const dialog = page.getByRole("dialog", { name: "This name is taken" });
        await chooseFiles(page, [text("a.txt", "new a!")]);
        await dialog.getByText(/^5 B, .+/).waitFor();
        await dialog.getByText(/^6 B, .+/).waitFor();
        assert.deepEqual(await accessibilityFaults(page), []);
        await dialog.getByRole("button", { name: "Skip" }).click();
        await page.getByText("Skipped: the name is taken").waitFor();
        assert.equal(await page.locator(".tray progress").count(), 0, "nothing was done");
        assert.deepEqual(await accessibilityFaults(page), []);
        await chooseFiles(page, [text("a.txt", "new a")]);
        await dialog.getByRole("button", { name: "Replace" }).click();
        await until(async () => await contentOf(bench, "a.txt") === "new a", { what: "the new content" });
        const several = [text("a.txt", "a"), text("b.txt", "b"), text("c.txt", "c")];
        const sheet = page.getByRole("dialog", { name: "Upload 3 files?" });
        await chooseFiles(page, several);
        await sheet.getByLabel("Skip them").check();
        await sheet.getByRole("button", { name: "Upload 3 files" }).click();
        await until(async () => await page.getByText("Skipped: the name is taken").count() >= 3, {
          what: "the files that are skipped",
        });
        await chooseFiles(page, several);
        await sheet.getByLabel("Skip them").and(page.locator(":checked")).waitFor();
        await sheet.getByText("Show command").click();
        await sheet.getByText(/^aws s3 cp \.\/.+ s3:\/\/files\/./).waitFor();
        await sheet.getByLabel("Ask about each").check();
        await sheet.getByRole("button", { name: "Upload 3 files" }).click();
        await dialog.getByLabel("Apply to all 3").check();
        await dialog.getByRole("button", { name: "Keep both" }).click();
        await page.getByRole("heading", { name: "3 files uploaded" }).waitFor();
        assert.equal(await contentOf(bench, "b.txt"), "old b");
        assert.equal(await contentOf(bench, "b (1).txt"), "b");
        assert.deepEqual(await bench.keys(), [
          "a (1).txt",
          "a.txt",
          "b (1).txt",
          "b.txt",
          "c (1).txt",
          "c.txt",
        ]);
      })),
});

Deno.test({
  name: "upload: goes on after the session has ended and the user has signed in again",
  ignore,
  fn: () =>
    browsing(
      { samples: { "docs/x": {} } },
      (bench) =>
        bench.withPage({ expectedErrors: [/status of 401/] }, async (page) => {
          await open(page, bench.bucketPage);
          await endSessions(bench.program);
          await chooseFiles(page, [text("a.txt", "kept")]);
          await page.getByText("Paused: your session has ended.").waitFor();
          await page.getByRole("button", { name: "Not now" }).click();
          // Any other request asks too, and the uploads go on with it.
          await page.getByRole("link", { name: "docs" }).click();
          await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(testPassword);
          await page.getByRole("button", { name: "Sign in" }).last().click();
          await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
          assert.equal(await contentOf(bench, "a.txt"), "kept");
        }),
    ),
});

Deno.test({
  name: "upload: a lost connection is retried, and what the storage refuses says why",
  ignore,
  fn: () =>
    browsing({}, (bench) =>
      bench.withPage({ expectedErrors: [/ERR_|status of 400/] }, async (page) => {
        await open(page, bench.bucketPage);
        let broken = true;
        await page.route(/\/object\?key=/, (route) =>
          broken ? route.abort("connectionreset") : route.fallback());
        await chooseFiles(page, [text("a.txt", "arrived")]);
        await page.getByText(/Trying again/).waitFor();
        broken = false;
        await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
        assert.equal(await contentOf(bench, "a.txt"), "arrived");
        await open(page, `${bench.bucketPage}?p=${"long".repeat(255)}/`);
        await chooseFiles(page, [text("a.txt", "refused")]);
        await page.getByRole("heading", { name: "1 of 1 upload failed" }).waitFor();
        await page.locator(".transfer-failed").getByText(/1024 bytes|1,024 bytes|too long/).waitFor();
      })),
});

Deno.test({
  name: "upload: the title tells the time left, and what is paused is not lost without a question",
  ignore,
  fn: () =>
    browsing({}, (bench) =>
      bench.withPage({}, async (page) => {
        await open(page, bench.bucketPage);
        await limitUpload(page, 32 * 1024);
        const files = ["slow.bin", "other.bin"].map((name) => ({
          name,
          mimeType: "application/octet-stream",
          buffer: Buffer.alloc(6 * 2 ** 20),
        }));
        await chooseFiles(page, files);
        await eventually(async () => assert.match(await page.title(), /^\(\d+%, \d+ min\) files · /));
        const focused = (name: string) =>
          page.getByRole("button", { name }).and(page.locator(":focus")).waitFor();
        for (const what of ["all", "slow.bin"]) {
          await page.getByRole("button", { name: `Pause ${what}` }).focus();
          await page.keyboard.press("Enter");
          await focused(`Resume ${what}`);
          await page.keyboard.press("Enter");
          await focused(`Pause ${what}`);
        }
        await page.keyboard.press("Enter");
        await focused("Resume slow.bin");
        await page.getByRole("button", { name: "Resume all" }).focus();
        await page.keyboard.press("Enter");
        await focused("Pause all");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Resume slow.bin" }).waitFor();
        await eventually(async () => assert.match(await page.title(), /^files · /));
        const asked: string[] = [];
        page.once("dialog", async (question) => {
          asked.push(question.type());
          await question.accept();
        });
        await page.reload();
        assert.deepEqual(asked, ["beforeunload"]);
      })),
});
