import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withSharedBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { checkLooks } from "../support/looks.ts";
import { until } from "../support/poll.ts";
import { type Browsing, browsing, open } from "./browsing.ts";

const ignore = skipBrowser();

const samples = {
  "a.txt": { body: "first", metadata: { author: "Ada <b>" } },
  "b/x": {},
  "c.txt": { body: "third" },
};

/** What this upstream answers for what it does not have: policies and versions, and an S3 endpoint that is off. */
const expectedErrors = [/status of 40[04]/];

Deno.test({
  name: "details: tabs, steps and facts of an object",
  ignore,
  fn: (context) =>
    browsing(
      { samples, users: { admin: "admin", maria: "user", rita: "readonly" } },
      (bench) =>
        withSharedBrowser(async (browser) => {
          await context.step("tabs", () => bench.withPage({ browser }, (page) => tabs(bench, page)));
          await context.step(
            "steps",
            () => bench.withPage({ browser, expectedErrors }, (page) => steps(bench, page)),
          );
          await context.step("width", () => bench.withPage({ browser }, (page) => width(bench, page)));
          await context.step(
            "access and activity",
            () =>
              bench.withPage({ browser, expectedErrors: [/status of 400/] }, (page) => access(bench, page)),
          );
          await context.step(
            "what happened to an object that was renamed and to one that is gone",
            () => bench.withPage({ browser, expectedErrors }, (page) => history(bench, page)),
          );
          await context.step(
            "for reading only",
            () => bench.withPage({ browser, user: "rita", expectedErrors }, (page) => readOnly(bench, page)),
          );
          await checkLooks(bench.program, {
            name: "details-info",
            path: `${bench.bucketPage}?o=a.txt&tab=info`,
            user: "admin",
            prepare: (page) => page.getByText("arn:aws:s3:::files/a.txt").waitFor(),
          });
          await checkLooks(bench.program, {
            name: "details-metadata",
            path: `${bench.bucketPage}?o=a.txt&tab=metadata`,
            user: "admin",
            prepare: (page) => page.getByLabel("Content-Type").waitFor(),
          });
        }),
    ),
});

async function tabs({ bucketPage }: Browsing, page: Page): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, `${bucketPage}?o=a.txt`);
  await page.locator(".details").getByText("first").waitFor();
  const tab = (name: string) => page.getByRole("tab", { name });
  await tab("Preview").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/o=a\.txt&tab=info$/);
  await tab("Info").and(page.locator(":focus")).waitFor();
  assert.equal(await tab("Info").getAttribute("aria-selected"), "true");
  await page.getByRole("button", { name: "Copy ARN" }).click();
  await until(
    async () => await page.evaluate("navigator.clipboard.readText()") === "arn:aws:s3:::files/a.txt",
    {
      what: "the ARN in the clipboard",
    },
  );
  await page.getByRole("button", { name: "Copy Class" }).click();
  await until(async () => await page.evaluate("navigator.clipboard.readText()") === "STANDARD", {
    what: "the class in the clipboard",
  });
  await tab("Info").focus();
  await page.keyboard.press("End");
  await page.waitForURL(/tab=activity$/);
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(({ search }) => !search.includes("tab="));
  await tab("Metadata").click();
  await page.waitForURL(/tab=metadata$/);
  assert.equal(await page.getByLabel("Name 1, value").inputValue(), "Ada <b>");
  await page.reload();
  await page.getByLabel("Name 1, value").waitFor();
}

async function steps({ bucketPage }: Browsing, page: Page): Promise<void> {
  await open(page, `${bucketPage}?o=a.txt`);
  await page.locator(".details").getByText("first").waitFor();
  await page.getByRole("link", { name: "c.txt" }).waitFor();
  await page.getByRole("button", { name: "Next object" }).click();
  await page.locator(".details").getByText("third").waitFor();
  await page.waitForURL(/o=c\.txt$/);
  await page.keyboard.press("k");
  await page.locator(".details").getByText("first").waitFor();
  await page.getByRole("tab", { name: "Info" }).click();
  await page.getByText("s3://files/a.txt").waitFor();
  await page.getByRole("button", { name: "Next object" }).click();
  await page.getByText("s3://files/c.txt").waitFor();
  await page.waitForURL(/o=c\.txt&tab=info$/);
  await open(page, `${bucketPage}?o=missing.txt`);
  await page.getByText("There is no such object").waitFor();
  await page.getByRole("button", { name: "Close details" }).click();
  await page.waitForURL(({ search }) => search === "");
}

async function width({ bucketPage }: Browsing, page: Page): Promise<void> {
  await open(page, `${bucketPage}?o=a.txt`);
  const edge = page.getByRole("separator", { name: "Width of the details" });
  const panel = page.locator(".details");
  const is = (expected: number) =>
    until(async () => Math.abs(((await panel.boundingBox())?.width ?? 0) - expected) < 2, {
      what: `details of ${expected} px`,
    });
  await is(400);
  await edge.focus();
  await page.keyboard.press("ArrowLeft");
  await is(424);
  assert.equal(await edge.getAttribute("aria-valuenow"), "424");
  const box = await edge.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 4, 400);
  await page.mouse.down();
  await page.mouse.move(box.x - 46, 400);
  await page.mouse.up();
  await is(474);
  await page.reload();
  await is(474);
  await edge.dblclick();
  await is(400);
}

async function access({ bucketPage, program }: Browsing, page: Page): Promise<void> {
  const admin = await program.signedIn();
  await json(
    admin.post("/api/shares", { json: { backend_id: "local", bucket: "files", key: "a.txt" } }),
    201,
  );
  await open(page, `${bucketPage}?o=a.txt&tab=access`);
  const panel = page.locator(".details-body");
  await panel.getByText("Nobody can read it without signing in or a link.").waitFor();
  await panel.getByText("Nobody through this service’s S3 endpoint: it is off.").waitFor();
  await panel.getByRole("region", { name: "Shares" }).getByText("Active").waitFor();
  await panel.getByText("This backend gives out no presigned links").waitFor();
  await page.getByRole("tab", { name: "Activity" }).click();
  await panel.getByText("Create share").waitFor();
  await panel.getByRole("link", { name: "Show in the audit log" }).waitFor();
}

async function history({ program, bucketPage }: Browsing, page: Page): Promise<void> {
  const admin = await program.signedIn();
  const bucket = "/api/backends/local/buckets/files";
  await json(admin.post(`${bucket}/object?key=draft.txt`, { body: "x" }), 201);
  const renaming = { src_key: "draft.txt", dst_key: "final.txt", move: true };
  await json(admin.post(`${bucket}/object/copy`, { json: renaming }));
  await json(admin.post(`${bucket}/object?key=gone.txt`, { body: "x" }), 201);
  await json(admin.post(`${bucket}/objects/delete`, { json: { keys: [{ key: "gone.txt" }] } }));
  await json(admin.post(`${bucket}/object?key=gone.txt`, { body: "again" }), 201);
  const rows = page.locator(".activity li");
  await open(page, `${bucketPage}?o=final.txt&tab=activity`);
  await rows.getByText("Copy from draft.txt").waitFor();
  assert.equal(await rows.count(), 1);
  await open(page, `${bucketPage}?o=gone.txt&tab=activity`);
  await rows.first().waitFor();
  assert.deepEqual(
    (await rows.locator("p:first-child").allInnerTexts()).map((text) => text.trim()),
    ["Upload", "Delete several", "Upload"],
  );
}

async function readOnly({ bucketPage }: Browsing, page: Page): Promise<void> {
  await open(page, `${bucketPage}?o=a.txt&tab=metadata`);
  const panel = page.locator(".details-body");
  await panel.getByText("Ada <b>").waitFor();
  assert.equal(await panel.getByRole("textbox").count(), 0);
  assert.equal(await page.getByRole("tab", { name: "Activity" }).count(), 0);
  await page.getByRole("tab", { name: "Tags" }).click();
  await panel.getByText("No tags.").waitFor();
  await page.getByRole("tab", { name: "Access" }).click();
  await panel.getByText("Everyone who can sign in to this dashboard.").waitFor();
  assert.equal(await panel.getByText("Presigned link").count(), 0);
}
