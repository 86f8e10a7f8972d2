import assert from "node:assert/strict";
import { join } from "node:path";
import type { CDPSession, Locator, Page } from "playwright-core";
import { json } from "../support/http_client.ts";
import type { Program } from "../support/program.ts";
import { until } from "../support/poll.ts";

/** A file for a chooser: of the disk by its path, or made up. */
export type ChosenFile = string | {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Uint8Array;
};

/** Chooses files by a button, that for uploads unless told, as a person does. */
export async function chooseFiles(
  page: Page,
  files: readonly ChosenFile[],
  button: Locator = page.getByRole("button", { name: "Upload", exact: true }),
): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await button.click();
  // deno-lint-ignore no-explicit-any -- the library wants either paths or contents
  await (await chooser).setFiles(files as any);
}

/** Drops files and folders of the disk onto an element, as the operating system does. */
export async function drop(page: Page, selector: string, files: string[]): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  assert.ok(box);
  const session = await page.context().newCDPSession(page);
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, ...point, data });
  }
}

/** Limits what the page can send, in bytes per second, until the session is detached. */
export async function limitUpload(page: Page, bytesPerSecond: number): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", conditions);
  return session;
}

/** Ends every session that a user has. */
export async function endSessions(program: Program, username = "admin"): Promise<void> {
  const client = await program.signedIn(username);
  const { sessions } = await json(client.get("/api/me/sessions"));
  const ownLast = (sessions as { id: string; current: boolean }[])
    .sort((a, b) => Number(a.current) - Number(b.current));
  for (const { id } of ownLast) await (await client.delete(`/api/me/sessions/${id}`)).body?.cancel();
}

/** Writes a file whose every mebibyte differs. Returns its path. */
export async function writeLargeFile(
  directory: string,
  name: string,
  mebibytes: number,
  seed = 1,
): Promise<string> {
  const path = join(directory, name);
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const content = new Uint8Array(2 ** 20);
  for (let index = 0; index < mebibytes; index++) {
    content.fill((seed * 31 + index) % 256);
    for (let rest = content; rest.length > 0;) rest = rest.subarray(await file.write(rest));
  }
  return path;
}

/** The SHA-256 of a stored object, and of a file, in hexadecimal. */
export async function digestOf(content: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Waits until the server has at least so many parts of the one unfinished upload of a bucket. */
export async function untilParts(program: Program, bucketApi: string, count: number): Promise<void> {
  const client = await program.signedIn();
  await until(async () => {
    const { uploads } = await json(client.get(`${bucketApi}/multipart`));
    if (uploads.length === 0) return false;
    const { key, upload_id } = uploads[0];
    const query = `key=${encodeURIComponent(key)}&upload_id=${encodeURIComponent(upload_id)}`;
    const { parts } = await json(client.get(`${bucketApi}/multipart/parts?${query}`));
    return parts.length >= count;
  }, { what: `${count} parts`, timeoutMs: 60_000, intervalMs: 250 });
}

/**
 * Lets `begin` begin an upload of two parts and waits until the second is stored. The first is held back until it is let go.
 */
export async function halfUploaded(
  program: Program,
  page: Page,
  bucketApi: string,
  begin: () => Promise<void>,
): Promise<{ letGo(): Promise<void> }> {
  const path = /\/multipart\/parts\/1\?/;
  const held = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await held.promise;
    // The page may have given it up.
    await route.continue().catch(() => {});
  });
  await begin();
  await untilParts(program, bucketApi, 1);
  return {
    async letGo() {
      held.resolve();
      await page.unroute(path);
    },
  };
}
