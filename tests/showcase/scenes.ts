import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { chooseFiles, limitUpload } from "../browser/uploading.ts";
import { longName, type Stage } from "./stage.ts";

/** A page of the dashboard, in the state in which it is looked at. */
export interface Scene {
  /** Names its pictures. */
  readonly name: string;
  readonly path: string;
  /** `admin` unless told; `null` for nobody. */
  readonly user?: string | null;
  /** Brings the page into its state, and waits until it is there. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Whether requests go on in that state. */
  readonly isBusy?: boolean;
  /** Errors in the console that belong to the scene, such as that of an answer with status 404. */
  readonly expectedErrors?: readonly RegExp[];
}

const bucket = "/b/main/documents";

/** Opens a dialog on an object or a folder, `report.pdf` unless told, by its key. */
async function openByKey(page: Page, key: string, title: string, name = "report.pdf"): Promise<void> {
  await page.locator(".object-body .object-row", { hasText: name }).getByRole("checkbox").click();
  await page.locator("#objects").press(key);
  await page.getByRole("dialog", { name: title }).waitFor();
}

/** Sends a file by a link that asks for files, and one that is too large for it. */
async function sendFiles(page: Page): Promise<void> {
  const mimeType = "image/jpeg";
  await page.locator("input[type=file]").setInputFiles([
    { name: "pond with a rather long name in the evening.jpg", mimeType, buffer: Buffer.alloc(90_000) },
    { name: "panorama.jpg", mimeType, buffer: Buffer.alloc(5 << 20) },
    { name: "roses.jpg", mimeType, buffer: Buffer.alloc(400_000) },
  ]);
  await page.getByText("Some of it has not been sent.").waitFor();
}

/** Opens the sheet that says how files are to be stored; one of their names is taken. */
async function openPreflight(page: Page): Promise<void> {
  page.on("filechooser", () => {});
  await page.getByRole("button", { name: "More ways to upload" }).click();
  const files = ["report.pdf", "minutes.txt"].map((name) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.alloc(400_000),
  }));
  await chooseFiles(page, files, page.getByRole("menuitem", { name: "Upload with options…" }));
  const sheet = page.getByRole("dialog", { name: "Upload 2 files?" });
  await sheet.getByText("1 file", { exact: true }).waitFor();
}

let visits = 0;

/** Uploads over a slow line: two files are under way, one is paused. */
async function uploadSlowly(page: Page): Promise<void> {
  // What a page had begun to send may still arrive when it is closed, and a name that is taken is asked about.
  const scan = `scan-${++visits}.tiff`;
  page.on("filechooser", () => {});
  await limitUpload(page, 100_000);
  const names = [`film-${visits}.mp4`, `a-recording-with-a-rather-long-name-${visits}.wav`, scan];
  const mimeType = "application/octet-stream";
  await chooseFiles(page, names.map((name) => ({ name, mimeType, buffer: Buffer.alloc(6 << 20) })));
  await page.locator(".tray-rate").getByText(/left/).waitFor();
  if (await page.locator(".tray-body").count() === 0) {
    await page.getByRole("button", { name: "Unfold transfers" }).click();
  }
  await page.getByRole("button", { name: `Pause ${scan}` }).click();
  await page.locator(".transfer-paused").waitFor();
}

/** Every page, and what people see of it most. */
export function scenes({ shares }: Stage): Scene[] {
  return [
    { name: "sign-in", path: "/login", user: null },
    { name: "sign-in-locked", path: "/login?error=account_locked&retry_after=754", user: null },
    { name: "overview", path: "/" },
    { name: "buckets", path: "/b/main" },
    {
      name: "buckets-quota",
      path: "/b/main",
      prepare: async (page) => {
        await page.getByRole("button", { name: /over soft cap/ }).focus();
        await page.getByText("Soft cap:").filter({ visible: true }).first().waitFor();
      },
    },
    { name: "browser", path: `${bucket}?p=documents/` },
    { name: "browser-pictures", path: "/b/main/photos?p=2026/&view=grid" },
    { name: "browser-table", path: `${bucket}?p=documents/&list=table` },
    {
      name: "browser-details",
      path: `${bucket}?p=documents/&o=documents/notes.txt`,
      prepare: (page) => page.getByRole("complementary", { name: "Details" }).waitFor(),
    },
    {
      name: "browser-versions",
      path: `${bucket}?p=documents/&o=documents/notes.txt&tab=versions`,
      prepare: (page) => page.locator(".timeline-item").first().waitFor(),
    },
    {
      name: "browser-copy",
      path: `${bucket}?p=documents/`,
      prepare: (page) => openByKey(page, "c", "Copy 1 item"),
    },
    {
      name: "browser-copy-options",
      path: `${bucket}?p=documents/`,
      async prepare(page) {
        await openByKey(page, "c", "Copy 1 item");
        await page.getByText("Options", { exact: true }).click();
      },
    },
    {
      name: "browser-share",
      path: `${bucket}?p=documents/`,
      prepare: (page) => openByKey(page, "s", "Share this object"),
    },
    {
      name: "browser-request-files",
      path: `${bucket}?p=documents/`,
      prepare: async (page) => {
        await page.locator("#objects").press("r");
        await page.getByRole("dialog", { name: "Request files" }).waitFor();
      },
    },
    {
      name: "browser-share-long-name",
      path: `/b/main/backups?p=${longName}/`,
      prepare: (page) => openByKey(page, "s", "Share this object", longName),
    },
    {
      name: "browser-share-folder",
      path: "/b/main/backups",
      prepare: (page) => openByKey(page, "s", "Share this folder", longName),
    },
    {
      name: "browser-delete-folder",
      path: "/b/main/backups",
      async prepare(page) {
        await openByKey(page, "Delete", "Delete this folder and everything in it?", longName);
        await page.getByRole("dialog").getByRole("textbox").waitFor();
      },
    },
    {
      name: "browser-request-files-long-name",
      path: `/b/main/backups?p=${longName}/`,
      prepare: async (page) => {
        await page.locator("#objects").press("r");
        await page.getByRole("dialog", { name: "Request files" }).waitFor();
      },
    },
    { name: "upload-preflight", path: `${bucket}?p=documents/`, prepare: openPreflight },
    {
      name: "upload-tray",
      path: `${bucket}?p=documents/`,
      prepare: uploadSlowly,
      isBusy: true,
    },
    {
      name: "palette",
      path: "/",
      prepare: async (page) => {
        await page.keyboard.press("Control+k");
        const palette = page.getByRole("dialog", { name: "Search or go to anything" });
        await palette.getByRole("combobox").fill("doc");
        await palette.getByRole("option").first().waitFor();
      },
    },
    { name: "policy-in-words", path: "/b/main/website/settings/policy" },
    ...["general", "versioning", "cors", "lifecycle", "policy", "quota", "proxy-cors"].map((section) => ({
      name: `settings-${section}`,
      path: `${bucket}/settings/${section}`,
    })),
    { name: "insights", path: "/b/main/backups/insights" },
    { name: "settings-unsupported", path: "/b/archive/invoices-2024/settings/cors" },
    {
      name: "settings-review",
      path: `${bucket}/settings/lifecycle`,
      prepare: async (page) => {
        await page.getByRole("button", { name: "Add rule" }).click();
        await page.getByLabel("Prefix").first().fill("tmp/");
        await page.getByRole("button", { name: "Review and save…" }).click();
        await page.getByRole("dialog", { name: "Review the change" }).waitFor();
      },
    },
    { name: "search", path: "/search?q=doc" },
    { name: "transfers", path: "/transfers" },
    { name: "shares", path: "/shares" },
    {
      name: "shares-access",
      path: "/shares",
      prepare: async (page) => {
        await page.getByRole("button", { name: `Actions for ${longName}` }).click();
        await page.getByRole("menuitem", { name: "Access" }).click();
        await page.getByRole("dialog", { name: `Share of ${longName}: access` }).waitFor();
      },
    },
    { name: "shares-requests", path: "/shares?scope=all&kind=upload" },
    { name: "credentials", path: "/credentials" },
    { name: "account", path: "/me" },
    { name: "admin-activity", path: "/admin/usage" },
    { name: "admin-health", path: "/admin/health" },
    { name: "admin-backends", path: "/admin/backends" },
    {
      name: "admin-backend-test",
      path: "/admin/backends?add=MinIO",
      prepare: async (page) => {
        const dialog = page.getByRole("dialog", { name: "Add a backend" });
        await dialog.getByLabel("Endpoint").fill("http://127.0.0.1:1");
        await dialog.getByRole("button", { name: "Test" }).click();
        await dialog.getByText("The test failed.").waitFor();
      },
    },
    { name: "admin-users", path: "/admin/users" },
    { name: "admin-credentials", path: "/admin/credentials" },
    { name: "admin-audit", path: "/admin/audit" },
    { name: "share-file", path: `/s/${shares.file}`, user: null },
    { name: "share-folder", path: `/s/${shares.folder}`, user: null },
    {
      name: "share-folder-file",
      path: `/s/${shares.folder}`,
      user: null,
      prepare: async (page) => {
        await page.locator("[data-preview]").first().click();
        await page.locator("#preview > *").waitFor();
      },
    },
    { name: "share-locked", path: `/s/${shares.locked}?error=password_mismatch&left=8`, user: null },
    { name: "share-selection", path: `/s/${shares.selection}`, user: null },
    { name: "share-upload", path: `/s/${shares.upload}`, user: null },
    { name: "share-upload-sent", path: `/s/${shares.upload}`, user: null, prepare: sendFiles },
    { name: "share-gone", path: `/s/${shares.revoked}`, user: null, expectedErrors: [/410/] },
    { name: "not-found", path: "/nowhere", expectedErrors: [/404/] },
    { name: "not-found-signed-out", path: "/nowhere", user: null, expectedErrors: [/404/] },
    { name: "forbidden", path: "/admin/users", user: "rita", expectedErrors: [/403/] },
  ];
}
