import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { withPage } from "../support/browser.ts";
import { landOn } from "../support/looks.ts";
import type { PathProxy } from "../support/path_proxy.ts";
import { eventually, until } from "../support/poll.ts";
import { testPassword } from "../support/program.ts";
import { readArchive, texts } from "../zip/readers.ts";
import { open, untilNames } from "./browsing.ts";
import { choose, untilCopied } from "./sharing.ts";
import { chooseFiles } from "./uploading.ts";

/** Where the program is on the proxies' host. */
export const basePath = "/tools/storage";

/** A walk through the dashboard: behind which proxy. */
export interface Walk {
  readonly proxy: PathProxy;
  /** What the links of shares begin with: the configured address, whichever the proxy. */
  readonly publicUrl: string;
  /** The folder that this walk changes, and the page of it. */
  readonly folder: string;
  readonly place: string;
  /** The whole address of a path. */
  at(path: string): string;
}

/** Runs `body` with a page; afterwards nothing outside of the path was asked for, and no cookie goes there. */
export function visiting(
  { proxy }: Pick<Walk, "proxy">,
  expectedErrors: readonly RegExp[],
  body: (page: Page) => Promise<unknown>,
): Promise<void> {
  const anonymous = { url: proxy.url, signedIn: () => Promise.reject(new Error("nobody is signed in yet")) };
  return withPage(anonymous, { expectedErrors }, async (page) => {
    const outside: string[] = [];
    const { origin } = new URL(proxy.url);
    page.context().on("request", (request) => {
      const url = request.url();
      if (url.startsWith(`${origin}/`) && !`${url}/`.startsWith(`${proxy.url}/`)) outside.push(url);
    });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    await body(page);
    assert.deepEqual(outside, []);
    assert.deepEqual(proxy.refused, []);
    const cookies = (await page.context().cookies()).filter(({ name }) => /^(?:service|ui)_/.test(name));
    assert.notEqual(cookies.length, 0);
    assert.deepEqual(cookies.filter(({ path }) => path !== basePath && !path.startsWith(`${basePath}/`)), []);
  });
}

/** Fills in the form of the sign-in page. */
export async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel("User name").fill("admin");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function contentOf(page: Page, click: () => Promise<unknown>): Promise<Uint8Array> {
  const started = page.waitForEvent("download");
  await click();
  return await Deno.readFile(await (await started).path());
}

/** Works with the bucket `files` from the sign-in to the sign-out, and sees that each step ends where it is to. */
export function work(walk: Walk): Promise<void> {
  const { proxy, at, place } = walk;
  return visiting(walk, [/status of (?:401|404)/], async (page) => {
    await page.goto(at(place));
    await landOn(page, at(`/login?next=${encodeURIComponent(place)}`));
    await signIn(page, "wrong");
    await page.getByText("User name or password is wrong.").waitFor();
    await signIn(page, testPassword);
    await landOn(page, at(place));
    await untilNames(page, ["old", "a.txt", "b.txt"]);
    await page.evaluate("globalThis.sameDocument = true");

    await goAround(page, walk);
    await changeObjects(page, walk);
    await jump(page, walk);
    assert.equal(await page.evaluate("globalThis.sameDocument"), true, "pages were swapped, none was loaded");
    await share(page, walk);

    await page.goto(at("/nothing/here"));
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.getByRole("link", { name: "Go to the overview" }).click();
    await landOn(page, at("/"));
    await page.goto(proxy.url);
    await landOn(page, (url) => [at(""), at("/")].includes(url.href));
    await page.getByRole("button", { name: "Account: admin" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await landOn(page, at("/login"));
    const names = (await page.context().cookies()).map(({ name }) => name);
    assert.ok(!names.includes("service_session"), names.join());
  });
}

/** Folders, pages of the rail, back and forward. */
async function goAround(page: Page, { at, folder, place }: Walk): Promise<void> {
  await page.locator(".path-bar, .crumbs").getByRole("link", { name: "files" }).last().click();
  await page.waitForURL(at("/b/local/files"));
  await untilNames(page, ["one", "two", "picture.png", "report.pdf"]);
  await page.getByRole("link", { name: folder, exact: true }).click();
  await page.waitForURL(at(place));
  await page.locator("#rail").getByRole("link", { name: "Overview" }).click();
  await landOn(page, at("/"));
  assert.deepEqual(await page.locator(".rail [aria-current]").allTextContents(), ["Overview"]);
  await page.locator("main").getByRole("link", { name: "Local" }).first().click();
  await landOn(page, at("/b/local"));
  await page.locator("main").getByRole("link", { name: "files" }).first().click();
  await landOn(page, at("/b/local/files"));
  await page.goBack();
  await landOn(page, at("/b/local"));
  await page.goBack();
  await page.goBack();
  await landOn(page, at(place));
  await untilNames(page, ["old", "a.txt", "b.txt"]);
}

/** What one does with objects: upload, look, download, copy a link, delete. */
async function changeObjects(page: Page, { at, folder, place }: Walk): Promise<void> {
  const uploaded = "new.txt";
  await chooseFiles(page, [{ name: uploaded, mimeType: "text/plain", buffer: Buffer.from("sent") }]);
  await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
  await page.getByRole("link", { name: uploaded }).first().waitFor();
  await choose(page, "a.txt", "Copy link");
  await untilCopied(page, at(`${place}&o=${folder}/a.txt`));
  const content = await contentOf(page, () => choose(page, uploaded, "Download"));
  assert.equal(new TextDecoder().decode(content), "sent");
  await page.getByRole("checkbox", { name: "Select a.txt" }).click();
  await page.getByRole("checkbox", { name: "Select b.txt" }).click();
  const zip = await contentOf(
    page,
    () => page.locator(".selection-bar, main").getByRole("button", { name: "Download" }).first().click(),
  );
  assert.deepEqual(Object.keys(texts(await readArchive(zip))).sort(), ["a.txt", "b.txt"]);

  await page.getByRole("link", { name: "a.txt", exact: true }).click();
  await page.waitForURL(at(`${place}&o=${folder}/a.txt`));
  await page.locator(".details-body").getByText("alpha").waitFor();
  await page.goBack();
  await page.locator(".path-bar, .crumbs").getByRole("link", { name: "files" }).last().click();
  await page.getByRole("link", { name: "picture.png", exact: true }).click();
  await until(() => page.evaluate("document.querySelector('.preview-image img')?.naturalWidth === 2"), {
    what: "the picture",
  });
  const pdf = page.waitForResponse((response) => response.url().includes("report.pdf"));
  await page.getByRole("link", { name: "report.pdf", exact: true }).click();
  assert.ok((await pdf).ok());
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: folder, exact: true }).click();
  await page.waitForURL(at(place));
  await page.getByRole("checkbox", { name: "Select old" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByLabel("Type old to go on").fill("old");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 1 object" }).click();
  await page.getByText("1 object deleted").first().waitFor();
}

/** By the palette, by a pasted address, and what is set for this browser. */
async function jump(page: Page, { at, place }: Walk): Promise<void> {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or go to anything" });
  await palette.getByRole("combobox").and(page.locator(":focus")).waitFor();
  await palette.getByRole("option", { name: "Audit log" }).waitFor();
  await page.keyboard.type("audit");
  await eventually(async () =>
    assert.match(await palette.locator("[aria-selected=true]").textContent() ?? "", /Audit log/)
  );
  await page.keyboard.press("Enter");
  await landOn(page, at("/admin/audit"));
  for (const [pasted, address] of [["/shares", at("/shares")], [at(place), at(place)]] as const) {
    await page.getByRole("button", { name: "Go to a path" }).click();
    await page.getByRole("textbox", { name: "Path: bucket/key" }).fill(pasted);
    await page.keyboard.press("Enter");
    await landOn(page, address);
  }
  // Together: what is pressed too late begins anew.
  await Promise.all(["g", "m"].map((key) => page.keyboard.press(key)));
  await landOn(page, at("/me"));
  await page.getByText("Dark", { exact: true }).click();
  await until(async () => (await page.context().cookies()).some(({ name }) => name === "ui_theme"), {
    what: "the cookie of the theme",
  });
}

/** A link with a password, made here and opened by a stranger. */
async function share(page: Page, walk: Walk): Promise<void> {
  const { at, place } = walk;
  await open(page, at(place));
  await choose(page, "b.txt", "Share…");
  const dialog = page.getByRole("dialog", { name: "Share this object" });
  await dialog.getByRole("textbox", { name: "Password" }).fill("open sesame");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const result = page.getByRole("dialog", { name: "The link is ready" });
  const link = await result.getByRole("textbox", { name: "Link" }).inputValue();
  assert.ok(link.startsWith(`${walk.publicUrl}/s/`), link);
  await result.getByText("Show command").click();
  const command = await result.locator("details pre").innerText();
  assert.ok(command.includes(at("/api/shares")), command);
  await result.getByRole("button", { name: "Done" }).click();

  const address = at(link.slice(walk.publicUrl.length));
  const folderAddress = await shareFolder(page, walk, {});
  const requestAddress = await shareFolder(page, walk, { kind: "upload" });
  await visiting(walk, [], async (stranger) => {
    await open(stranger, address);
    await stranger.getByLabel("Password").fill("wrong");
    await stranger.keyboard.press("Enter");
    await stranger.getByText("This password is wrong.").waitFor();
    await stranger.getByLabel("Password").fill("open sesame");
    await stranger.keyboard.press("Enter");
    await landOn(stranger, address);
    await stranger.getByRole("button", { name: "Show" }).click();
    await stranger.locator("#preview").getByText("beta").waitFor();
    const content = await contentOf(stranger, () => stranger.getByRole("link", { name: "Download" }).click());
    assert.equal(new TextDecoder().decode(content), "beta");
    const range = await stranger.request.get(`${address}/raw`, { headers: { range: "bytes=1-2" } });
    assert.deepEqual([range.status(), await range.text()], [206, "et"]);
    assert.equal(
      (await (await stranger.request.get(`${address}/info`)).json()).raw_url,
      new URL(`${address}/raw`).pathname,
    );

    await open(stranger, folderAddress);
    const all = await contentOf(
      stranger,
      () => stranger.getByRole("link", { name: "Download all (zip)" }).click(),
    );
    assert.deepEqual(Object.keys(texts(await readArchive(all))).sort(), ["a.txt", "b.txt", "new.txt"]);
    await open(stranger, requestAddress);
    const sent = { name: "sent.txt", mimeType: "text/plain", buffer: Buffer.from("sent") };
    await stranger.getByLabel("Choose files").setInputFiles(sent);
    await stranger.getByText("Everything has been sent.").waitFor();
  });
}

/** Shares the walk's folder by the API, as a program does. Returns the link as it is behind this proxy. */
async function shareFolder(
  page: Page,
  { at, folder, publicUrl }: Walk,
  fields: Record<string, unknown>,
): Promise<string> {
  const cookies = await page.context().cookies();
  const csrf = cookies.find(({ name }) => name === "service_csrf")?.value ?? "";
  const answer = await page.request.post(at("/api/shares"), {
    data: { backend_id: "local", bucket: "files", key: `${folder}/`, ...fields },
    headers: { "x-csrf-token": csrf },
  });
  const { url } = await answer.json();
  return at(url.slice(publicUrl.length));
}
