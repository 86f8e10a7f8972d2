import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type Client, json, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import type { Program } from "../support/program.ts";
import { decodeQr, modulesOf } from "../support/qr_decoder.ts";

/** What the bucket holds. */
export const samples = {
  "docs/a.txt": { body: "alpha" },
  "docs/report with a rather long name for 2026.txt": {},
  "photo.png": {},
  "readme.md": { body: "# Hello" },
};

/** Who there is. */
export const users = { admin: "admin", maria: "user", guest: "readonly" } as const;

/** Shares an object of the bucket `files`. */
export function share(client: Client, key: string, fields: Record<string, unknown> = {}) {
  return json(
    client.post("/api/shares", { json: { backend_id: "local", bucket: "files", key, ...fields } }),
    201,
  );
}

/** The row of a share. */
export function rowOf(page: Page, name: string) {
  return page.getByRole("row", { name });
}

/** Chooses an action from the menu of a row, or of an object. */
export async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

const readClipboard = (page: Page) => page.evaluate("navigator.clipboard.readText()") as Promise<string>;

/** Waits until a text is in the clipboard, which the page must be allowed to read. */
export async function untilCopied(page: Page, text: string): Promise<void> {
  await until(async () => await readClipboard(page) === text, { what: "the text to be copied" });
}

/** The only share there is that is neither revoked nor anyone else's. */
export async function onlyShare(client: Client) {
  const { shares } = await json(client.get("/api/shares?state=active"));
  assert.equal(shares.length, 1);
  return shares[0];
}

/** What the QR code on the page says. */
export async function qrText(page: Page): Promise<string | null> {
  const image = page.getByRole("img", { name: "QR code of the link" });
  await image.waitFor();
  const [, , size] = (await image.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const path = await image.locator("path").getAttribute("d") ?? "";
  return decodeQr(modulesOf(path, size - 8));
}

/** Status of an attempt to unlock a share, as a stranger. */
export function unlocked(program: Program, code: string, password: string): Promise<number> {
  return status(program.client().post(`/s/${code}/unlock`, { json: { password } }));
}
