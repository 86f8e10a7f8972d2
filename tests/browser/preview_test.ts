import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { accessibilityFaults, skipBrowser, useWholeBrowser, withSharedBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { eventually, until } from "../support/poll.ts";
import { type Browsing, browsing, open, type Sample } from "./browsing.ts";
import { pdf, wav, withExif, zip } from "./preview_files.ts";

useWholeBrowser();

const ignore = skipBrowser();

/** A 2 × 1 PNG. */
const png = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR42mP4z8AAQv8BAA8DAf+kP2oXAAAAAElFTkSuQmCC"),
  (character) => character.charCodeAt(0),
);

/** Runs script in every way that a stored document can. */
const script = "top.document.title='owned';document.title='owned';fetch('/api/me',{method:'POST'})";
const html =
  `<!doctype html><title>fine</title><script>${script}</script><img src=x onerror="${script}"><p>stored page</p>`;
const svg =
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="${script}"><script>${script}</script>` +
  `<rect width="40" height="20" fill="teal"/></svg>`;

/** Markdown that tries to run something, and a link that may stay. */
const hostile = "[x](javascript:alert(1)) <img src=x onerror=alert(1)> [site](https://example.org/)";

const samples: Record<string, Sample> = {
  "picture.png": { body: png, type: "image/png" },
  "drawing.svg": { body: svg, type: "image/svg+xml" },
  "page.html": { body: html, type: "text/html" },
  "report.pdf": { body: pdf(), type: "application/pdf" },
  "table.csv": { body: 'name,city\n"Curie, Marie",Paris\n', type: "text/csv" },
  "wide.csv": {
    body: [0, 1].map((row) => Array.from({ length: 80 }, (_, column) => `${row}-${column}`).join(",")).join(
      "\n",
    ),
    type: "text/csv",
  },
  "unnamed": { body: "all:\n\techo Grüße 世界\n".repeat(1000), type: "application/octet-stream" },
  "data.json": { body: '{"big":12345678901234567890,"list":[1]}', type: "application/json" },
  "notes.md": {
    body: `# Title\n\n<script>alert(1)</script>\n\n${hostile}`,
    type: "text/markdown",
  },
  "text.txt": { body: "Grüße, 世界", type: "text/plain" },
  "long.log": { body: "0123456789abcde\n".repeat(80_000), type: "text/plain" },
  "raw.bin": { body: new Uint8Array([0, 1, 2, 0x41, 0x42, 0xff]), type: "application/octet-stream" },
  "sound.wav": { body: wav(0.1), type: "audio/wav" },
  "talk.wav": { body: wav(300), type: "audio/wav" },
  "empty.txt": { body: "", type: "text/plain" },
  "archive.zip": { body: zip(), type: "application/zip" },
  "lying.zip": { body: zip().subarray(0, 60), type: "application/zip" },
  "app.log.gz": {
    body: gzipSync("2026-11-21T10:00:00Z ERROR broken\n".repeat(1000)),
    type: "application/gzip",
  },
  "deep.json": { body: "[".repeat(50_000) + "]".repeat(50_000), type: "application/json" },
};

async function show({ bucketPage }: Browsing, page: Page, key: string): Promise<void> {
  await open(page, `${bucketPage}?o=${encodeURIComponent(key)}`);
}

Deno.test({
  name: "preview: each kind is shown as what it is, and nothing of it runs",
  ignore,
  fn: (context) =>
    browsing({ samples }, (bench) =>
      withSharedBrowser(async (browser) => {
        await context.step("each kind", () => bench.withPage({ browser }, (page) => eachKind(bench, page)));
        await context.step(
          "archives and formats",
          () => bench.withPage({ browser }, (page) => formats(bench, page)),
        );
        await context.step(
          "where streams cannot be iterated over",
          () => bench.withPage({ browser }, (page) => withoutIteration(bench, page)),
        );
        await context.step(
          "full screen",
          () => bench.withPage({ browser }, (page) => fullScreen(bench, page)),
        );
        await context.step("media", () => bench.withPage({ browser }, (page) => media(bench, page)));
        await context.step("photos", () => bench.withPage({ browser }, (page) => photo(bench, page)));
        const expectedErrors = [/sandboxed|[Cc]ontent [Ss]ecurity [Pp]olicy|inline|favicon/];
        await context.step(
          "stored HTML and SVG",
          () => bench.withPage({ browser, expectedErrors }, (page) => hostileFiles(bench, page)),
        );
      })),
});

async function eachKind(bench: Browsing, page: Page): Promise<void> {
  const panel = page.locator(".details-body");
  const text = panel.locator(".preview-text");
  await show(bench, page, "picture.png");
  await until(() => page.evaluate("document.querySelector('.preview-image img')?.naturalWidth === 2"), {
    what: "the picture",
  });
  await panel.getByText("2 × 1").waitFor();
  await panel.getByRole("button", { name: "100 %" }).click();
  await panel.locator('.preview-image[data-scale="full"]').waitFor();
  await show(bench, page, "table.csv");
  await panel.getByRole("cell", { name: "Curie, Marie" }).waitFor();
  await panel.getByRole("button", { name: "Text", exact: true }).click();
  await text.getByText('"Curie, Marie",Paris').waitFor();
  await show(bench, page, "wide.csv");
  await panel.getByRole("cell", { name: "1-59" }).waitFor();
  await panel.getByText("The first 60 of 80 columns").waitFor();
  await show(bench, page, "unnamed");
  await eventually(async () => {
    const shown = await text.textContent() ?? "";
    assert.equal(shown.match(/\techo Grüße 世界/g)?.length, 1000);
  });
  await show(bench, page, "data.json");
  await panel.getByText("12345678901234567890").waitFor();
  await panel.getByRole("button", { name: "list [ 1 element ]" }).click();
  await panel.locator(".code-number").getByText("1", { exact: true }).waitFor();
  await panel.getByRole("button", { name: "Text", exact: true }).click();
  await eventually(async () => assert.match(await text.textContent() ?? "", /"big": 12345678901234567890,/));
  await show(bench, page, "notes.md");
  await panel.getByRole("heading", { name: "Title" }).waitFor();
  await panel.getByText("<script>alert(1)</script>").waitFor();
  await panel.getByText("[x](javascript:alert(1)) <img src=x onerror=alert(1)>").waitFor();
  const links = panel.locator(".preview-document a");
  assert.deepEqual(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href"))), [
    "https://example.org/",
  ]);
  assert.match(await links.first().getAttribute("rel") ?? "", /noopener/);
  await show(bench, page, "text.txt");
  await panel.getByText("Grüße, 世界").waitFor();
  await show(bench, page, "long.log");
  await panel.getByText("The first 1.00 MiB of 1.22 MiB").waitFor();
  await eventually(async () => assert.equal((await text.textContent())?.length, 1024 * 1024));
  await panel.getByRole("button", { name: "Load next 1.00 MiB" }).click();
  await eventually(async () => assert.equal((await text.textContent())?.length, 16 * 80_000));
  await show(bench, page, "raw.bin");
  await panel.getByText("00 01 02 41 42 ff").waitFor();
  await show(bench, page, "empty.txt");
  await panel.getByText("The object is empty.").waitFor();
  await show(bench, page, "sound.wav");
  await panel.getByRole("button", { name: /^Play/ }).click();
  await until(() => page.evaluate("document.querySelector('audio')?.duration > 0.09"), { what: "the sound" });
  await show(bench, page, "report.pdf");
  await page.locator("iframe.preview-pdf").waitFor();
  await until(() => page.frames().some((frame) => frame.url().startsWith("chrome-extension:")), {
    what: "the viewer",
  });
}

/** What plays is read in pieces: the place that is gone to is asked for, not all that is before it. */
async function media(bench: Browsing, page: Page): Promise<void> {
  await show(bench, page, "talk.wav");
  await page.getByRole("button", { name: /^Play/ }).click();
  await until(() => page.evaluate("document.querySelector('audio')?.duration > 299"), { what: "the sound" });
  const ranges: string[] = [];
  page.on("request", (request) => {
    const { range } = request.headers();
    if (range !== undefined) ranges.push(range);
  });
  await page.evaluate("document.querySelector('audio').currentTime = 290");
  await until(() => page.evaluate("document.querySelector('audio').currentTime >= 290"), { what: "the end" });
  await until(() => page.evaluate("document.querySelector('audio').readyState >= 2"), {
    what: "its content",
  });
  const clip = await recordClip(page);
  const admin = await bench.program.signedIn();
  const headers = { "content-type": "video/webm" };
  await json(
    admin.post("/api/backends/local/buckets/files/object?key=clip.webm", { body: clip, headers }),
    201,
  );
  await show(bench, page, "clip.webm");
  await page.getByRole("button", { name: /^Play/ }).click();
  const isShown = "document.querySelector('video')?.videoWidth === 16";
  await until(() => page.evaluate(isShown), { what: "the video" });
  assert.equal(await page.evaluate("document.querySelector('video').playsInline"), true);
  const part = await page.evaluate<[number, string | null]>(
    `fetch(document.querySelector("video").currentSrc, {
    headers: { range: "bytes=0-3" },
  }).then((answer) => [answer.status, answer.headers.get("content-range")])`,
  );
  assert.deepEqual(part, [206, `bytes 0-3/${clip.length}`]);
}

/** Records a little video, 16 pixels wide, which the browser can therefore play. */
async function recordClip(page: Page): Promise<Uint8Array<ArrayBuffer>> {
  await page.goto("about:blank");
  const base64 = await page.evaluate<string>(`(async () => {
    const canvas = document.body.appendChild(document.createElement("canvas"));
    canvas.width = canvas.height = 16;
    const context = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm;codecs=vp8" });
    const pieces = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    const stopped = new Promise((resolve) => recorder.onstop = resolve);
    recorder.start(40);
    // A few more than the encoder has taken: of what it has not, nothing would come.
    for (let frame = 0, left = 12; left > 0; frame++) {
      context.fillRect(frame % 16, 0, 1, 16);
      context.fillStyle = frame % 2 === 0 ? "red" : "blue";
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (pieces.some(({ size }) => size > 0)) left--;
    }
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  })()`);
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

async function photo(bench: Browsing, page: Page): Promise<void> {
  await page.goto("about:blank");
  const drawn = await page.evaluate<string>(`(async () => {
    const canvas = new OffscreenCanvas(4, 3);
    canvas.getContext("2d").fillRect(0, 0, 4, 3);
    const picture = await canvas.convertToBlob({ type: "image/jpeg" });
    return btoa(String.fromCharCode(...new Uint8Array(await picture.arrayBuffer())));
  })()`);
  const jpeg = Uint8Array.from(atob(drawn), (character) => character.charCodeAt(0));
  const admin = await bench.program.signedIn();
  const body = withExif(jpeg);
  const headers = { "content-type": "image/jpeg" };
  await json(admin.post("/api/backends/local/buckets/files/object?key=photo.jpg", { body, headers }), 201);
  await show(bench, page, "photo.jpg");
  const panel = page.locator(".details-body");
  await panel.getByText("4 × 3").waitFor();
  assert.equal(await panel.getByText("Example One").count(), 0, "what the camera wrote is not shown unasked");
  await panel.getByRole("button", { name: "Photo details" }).click();
  await panel.getByText("Example One").waitFor();
  await panel.getByText("1/250 s · f/2.8 · ISO 400").waitFor();
  await panel.getByText("-33.85833, 151.21500").waitFor();
}

async function formats(bench: Browsing, page: Page): Promise<void> {
  const panel = page.locator(".details-body");
  await show(bench, page, "archive.zip");
  await panel.getByRole("cell", { name: "docs/<b>.txt" }).waitFor();
  await panel.getByText("1 entry, 5 B unpacked").waitFor();
  await show(bench, page, "lying.zip");
  await panel.getByText("50 4b 03 04").waitFor();
  await show(bench, page, "app.log.gz");
  await panel.locator(".code-error").getByText("ERROR").first().waitFor();
  await panel.getByText(/^Unpacked from gzip/).waitFor();
  await show(bench, page, "deep.json");
  await panel.locator(".tree-toggle").nth(1).click();
  await eventually(async () => assert.equal(await panel.locator(".tree-toggle").count(), 3));
}

/** As in Safari. */
async function withoutIteration(bench: Browsing, page: Page): Promise<void> {
  await page.addInitScript(`
    delete ReadableStream.prototype[Symbol.asyncIterator];
    delete ReadableStream.prototype.values;
  `);
  const panel = page.locator(".details-body");
  await show(bench, page, "text.txt");
  await panel.getByText("Grüße, 世界").waitFor();
  await show(bench, page, "long.log");
  await panel.getByRole("button", { name: "Load next 1.00 MiB" }).click();
  const text = panel.locator(".preview-text");
  await eventually(async () => assert.equal((await text.textContent())?.length, 16 * 80_000));
  await show(bench, page, "app.log.gz");
  await panel.getByText(/^Unpacked from gzip/).waitFor();
  await show(bench, page, "archive.zip");
  await panel.getByRole("cell", { name: "docs/<b>.txt" }).waitFor();
}

async function fullScreen(bench: Browsing, page: Page): Promise<void> {
  await open(page, bench.bucketPage);
  await page.getByRole("link", { name: "data.json" }).waitFor();
  await page.locator("#objects").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("p");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "app.log.gz" }).waitFor();
  const described: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/object/info")) described.push(searchParams.get("key"));
  });
  const ahead = page.waitForResponse((response) => response.url().includes("/object?key=data.json&"));
  await page.keyboard.press("j");
  await dialog.getByRole("heading", { name: "archive.zip" }).waitFor();
  await dialog.getByRole("cell", { name: "docs/<b>.txt" }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await ahead;
  await page.keyboard.press("ArrowRight");
  await dialog.getByRole("heading", { name: "data.json" }).waitFor();
  await dialog.getByText("12345678901234567890").waitFor();
  assert.deepEqual(described.filter((key) => key === "data.json").length, 1, "read once, ahead");
  await page.keyboard.press("k");
  await dialog.getByRole("heading", { name: "archive.zip" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.locator('#objects [data-key="archive.zip"], [data-active] a[href*="archive.zip"]').first()
    .waitFor();
}

async function hostileFiles(bench: Browsing, page: Page): Promise<void> {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await show(bench, page, "page.html");
  await page.locator(".preview-text").getByText("<!doctype html>").waitFor();
  await show(bench, page, "drawing.svg");
  await until(() => page.evaluate("document.querySelector('.preview-image img')?.naturalWidth === 40"), {
    what: "the drawing",
  });
  assert.match(await page.title(), /^files/);
  for (const key of ["page.html", "drawing.svg"]) {
    // It is saved, and the page that led there stays.
    const saved = page.waitForEvent("download");
    const led = page.goto(`/api/backends/local/buckets/files/object?disposition=inline&key=${key}`);
    await assert.rejects(led, /Download is starting|ERR_ABORTED/);
    assert.equal((await saved).suggestedFilename(), key);
    assert.match(await page.title(), /^files/);
  }
  assert.equal(requests.includes("POST /api/me"), false);
}
