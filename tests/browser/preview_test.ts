import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser } from "../support/browser.ts";
import { eventually, until } from "../support/poll.ts";
import { type Browsing, browsing, open, type Sample } from "./browsing.ts";

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

const samples: Record<string, Sample> = {
  "picture.png": { body: png, type: "image/png" },
  "drawing.svg": { body: svg, type: "image/svg+xml" },
  "page.html": { body: html, type: "text/html" },
  "report.pdf": { body: pdf(), type: "application/pdf" },
  "table.csv": { body: 'name,city\n"Curie, Marie",Paris\n', type: "text/csv" },
  "data.json": { body: '{"big":12345678901234567890,"list":[1]}', type: "application/json" },
  "notes.md": {
    body: "# Title\n\n<script>alert(1)</script>",
    type: "text/markdown",
    metadata: { author: "Ada" },
  },
  "text.txt": { body: "Grüße, 世界", type: "text/plain" },
  "long.log": { body: "0123456789abcde\n".repeat(80_000), type: "text/plain" },
  "raw.bin": { body: new Uint8Array([0, 1, 2, 0x41, 0x42, 0xff]), type: "application/octet-stream" },
  "sound.wav": { body: wav(), type: "audio/wav" },
  "empty.txt": { body: "", type: "text/plain" },
};

async function show({ bucketPage }: Browsing, page: Page, key: string): Promise<void> {
  await open(page, `${bucketPage}?o=${encodeURIComponent(key)}`);
}

Deno.test({
  name: "preview: each kind is shown as what it is",
  ignore,
  fn: () =>
    browsing({ samples }, (bench) =>
      bench.withPage({}, async (page) => {
        const panel = page.locator(".details-body");
        const text = panel.locator(".preview-text");
        await show(bench, page, "picture.png");
        await until(() => page.evaluate("document.querySelector('.preview-image img')?.naturalWidth === 2"), {
          what: "the picture",
        });
        await show(bench, page, "table.csv");
        await panel.getByRole("cell", { name: "Curie, Marie" }).waitFor();
        await show(bench, page, "data.json");
        await panel.getByText('"big": 12345678901234567890,').waitFor();
        await show(bench, page, "notes.md");
        await panel.getByText("<script>alert(1)</script>").waitFor();
        await panel.getByText("Ada", { exact: true }).waitFor();
        await show(bench, page, "text.txt");
        await panel.getByText("Grüße, 世界").waitFor();
        await show(bench, page, "long.log");
        await panel.getByText("The first 1.00 MiB of 1.22 MiB. Download it to see the rest.").waitFor();
        await eventually(async () => assert.equal((await text.textContent())?.length, 1024 * 1024));
        await show(bench, page, "raw.bin");
        await panel.getByText("00 01 02 41 42 ff").waitFor();
        await show(bench, page, "empty.txt");
        await panel.getByText("The object is empty.").waitFor();
        await show(bench, page, "sound.wav");
        await panel.getByRole("button", { name: /^Play/ }).click();
        await until(() => page.evaluate("document.querySelector('audio')?.duration > 0.09"), {
          what: "the sound",
        });
      })),
});

Deno.test({
  name: "preview: a PDF is shown by the browser's own viewer",
  ignore,
  fn: () =>
    browsing({ samples }, (bench) =>
      bench.withPage({}, async (page) => {
        await show(bench, page, "report.pdf");
        await page.locator("iframe.preview-pdf").waitFor();
        await until(() => page.frames().some((frame) => frame.url().startsWith("chrome-extension:")), {
          what: "the viewer",
        });
      })),
});

Deno.test({
  name: "preview: a stored HTML or SVG file never runs as part of the dashboard",
  ignore,
  fn: () =>
    browsing(
      { samples },
      (bench) =>
        bench.withPage(
          { expectedErrors: [/sandboxed|[Cc]ontent [Ss]ecurity [Pp]olicy|inline|favicon/] },
          async (page) => {
            const requests: string[] = [];
            page.on(
              "request",
              (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`),
            );
            await show(bench, page, "page.html");
            await page.locator(".preview-text").getByText("<!doctype html>").waitFor();
            await show(bench, page, "drawing.svg");
            await until(
              () => page.evaluate("document.querySelector('.preview-image img')?.naturalWidth === 40"),
              {
                what: "the drawing",
              },
            );
            assert.match(await page.title(), /^files/);
            for (const key of ["page.html", "drawing.svg"]) {
              const response = await page.goto(
                `/api/backends/local/buckets/files/object?disposition=inline&key=${key}`,
              );
              assert.match(response?.headers()["content-security-policy"] ?? "", /^sandbox;/);
              assert.notEqual(await page.title(), "owned");
              assert.equal(await page.evaluate("self.origin"), "null", "an origin of its own");
            }
            assert.equal(requests.includes("POST /api/me"), false);
          },
        ),
    ),
});

Deno.test({
  name: "preview: next and previous step through the objects, and what is gone is said",
  ignore,
  fn: () =>
    browsing(
      { samples: { "a.txt": { body: "first" }, "b/x": {}, "c.txt": { body: "third" } } },
      (bench) =>
        bench.withPage({ expectedErrors: [/status of 404/] }, async (page) => {
          await show(bench, page, "a.txt");
          await page.locator(".details").getByText("first").waitFor();
          await page.getByRole("button", { name: "Next object" }).click();
          await page.locator(".details").getByText("third").waitFor();
          await page.waitForURL(/o=c\.txt$/);
          await page.keyboard.press("k");
          await page.locator(".details").getByText("first").waitFor();
          await show(bench, page, "missing.txt");
          await page.getByText("There is no such object").waitFor();
          await page.getByRole("button", { name: "Close details" }).click();
          await page.waitForURL(({ search }) => search === "");
        }),
    ),
});

/** One page with a word on it. */
function pdf(): string {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 4\n0000000000 65535 f \n${offsets.join("")}`;
  return `${text}${table}trailer << /Size 4 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`;
}

/** A tenth of a second of silence. */
function wav(): Uint8Array {
  const rate = 8000;
  const samples = rate / 10;
  const bytes = new Uint8Array(44 + samples).fill(128, 44);
  const view = new DataView(bytes.buffer);
  const write = (offset: number, text: string) => bytes.set(new TextEncoder().encode(text), offset);
  write(0, "RIFF");
  view.setUint32(4, 36 + samples, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  write(36, "data");
  view.setUint32(40, samples, true);
  return bytes;
}
