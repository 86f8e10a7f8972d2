import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { type Client, json } from "../support/http_client.ts";
import { checkLooks, landOn, openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { browsing, open } from "./browsing.ts";

const ignore = skipBrowser();
const api = "/api/backends/main/buckets";

upstreamTest(["minio"], "the buckets of a backend", async (upstream, t) => {
  if (skipBrowser()) return;
  const backends = [{ id: "main", name: "Main", upstream }];
  await withProgram({ backends }, async (program) => {
    const admin = await program.signedIn();
    await json(admin.post(api, { json: { name: "files" } }), 201);
    await json(admin.post(api, { json: { name: "open" } }), 201);
    const everyone = {
      Effect: "Allow",
      Principal: "*",
      Action: "s3:GetObject",
      Resource: "arn:aws:s3:::open/*",
    };
    await json(
      admin.put(`${api}/open/policy`, { json: { policy: { Version: "2012-10-17", Statement: [everyone] } } }),
    );
    await eventually(async () => {
      await json(admin.get("/api/backends/main/health"));
      const { capabilities } = await json(admin.get("/api/backends/main"));
      assert.deepEqual([capabilities.policy, capabilities.versioning], [true, true]);
    });
    await withSharedBrowser((browser) =>
      withPage(program, { session: admin, browser }, async (page) => {
        const dialog = page.getByRole("dialog");

        await t.step("one is made with versions and a quota, after its name was checked", async () => {
          await openPage(page, "/b/main");
          await page.getByRole("button", { name: "Create bucket" }).first().click();
          // The dialog goes by the list as it comes.
          await page.locator("tr", { hasText: "files" }).first().waitFor();
          const name = dialog.getByLabel("Name");
          await name.fill("Bad_Name");
          await dialog.locator(".field-error", { hasText: "lowercase letters" }).waitFor();
          await dialog.getByText("A name consists of lowercase letters, digits, dots and hyphens.").waitFor();
          await name.fill("files");
          await dialog.getByText("There is a bucket of this name").waitFor();
          await name.fill("new-bucket");
          await eventually(async () => assert.equal(await dialog.locator(".rule-kept").count(), 3));
          await dialog.getByLabel("Allow locking versions").check();
          await dialog.getByRole("checkbox", { name: "Keep versions", checked: true, disabled: true })
            .waitFor();
          await dialog.getByLabel("Allow locking versions").uncheck();
          await dialog.getByLabel("Keep versions").check();
          await dialog.getByLabel("Soft cap", { exact: true }).fill("2");
          await dialog.getByLabel("Hard cap", { exact: true }).fill("1");
          await dialog.getByRole("button", { name: "Create bucket" }).click();
          await dialog.getByText("The soft cap cannot be above the hard cap.").waitFor();
          await dialog.getByLabel("Soft cap", { exact: true }).fill("0.5");
          await dialog.getByText("Show command").click();
          await dialog.getByText("put-bucket-versioning --bucket new-bucket").waitFor();
          await dialog.getByRole("button", { name: "Create bucket" }).click();
          await page.getByText("Bucket new-bucket created").waitFor();
          await row(page, "new-bucket").waitFor();
          assert.equal((await json(admin.get(`${api}/new-bucket/versioning`))).enabled, true);
          const { soft_bytes, hard_bytes } = await json(admin.get(`${api}/new-bucket/quota`));
          assert.deepEqual([soft_bytes, hard_bytes], [2 ** 29, 2 ** 30]);
        });

        await t.step("what they hold, their quota, and who may read them, is said", async () => {
          await store(admin, "new-bucket", "a.txt", 600_000);
          await json(
            admin.put(`${api}/new-bucket/quota`, { json: { soft_bytes: 500_000, hard_bytes: 1_048_576 } }),
          );
          await json(admin.post(`${api}/new-bucket/quota/recompute`));
          await openPage(page, "/b/main");
          await row(page, "new-bucket").getByText("586 KiB of 1.00 MiB").waitFor();
          await row(page, "new-bucket").getByText("over soft cap").waitFor();
          await row(page, "new-bucket").getByText("as of just now").waitFor();
          await row(page, "files").getByText("no quota").waitFor();
          await row(page, "files").getByText("not tracked").waitFor();
          await row(page, "open").getByText("Public by policy").waitFor();
          await row(page, "files").getByText("private").waitFor();
          const meter = row(page, "new-bucket").getByRole("button", { name: /^586 KiB of 1.00 MiB over/ });
          await meter.focus();
          const tip = row(page, "new-bucket").getByRole("tooltip");
          await tip.getByText("Soft cap: 488 KiB").waitFor();
          await tip.getByText("Current versions only").waitFor();
          await meter.press("Escape");
          await tip.waitFor({ state: "hidden" });
        });

        await t.step("how they are set up is told, in the columns that one chooses", async () => {
          const columns = page.getByRole("button", { name: "Columns" });
          const entry = (name: string, checked: boolean) =>
            page.getByRole("menuitemcheckbox", { name, checked });
          await row(page, "new-bucket").getByRole("cell", { name: "on", exact: true }).waitFor();
          assert.equal(
            await page.getByRole("columnheader", { name: "Region" }).count(),
            0,
            "there is no room",
          );
          await columns.click();
          await entry("Versioning", true).click();
          await entry("Versioning", false).waitFor();
          await entry("Region", false).click();
          await entry("Region", true).waitFor();
          await page.keyboard.press("Escape");
          await row(page, "files").getByRole("cell", { name: "us-east-1" }).waitFor();
          await page.getByRole("columnheader", { name: "Versioning" }).waitFor({ state: "detached" });
          await page.reload();
          await page.waitForSelector("html[data-ready]");
          await page.getByRole("columnheader", { name: "Region" }).waitFor();
          await page.getByRole("columnheader", { name: "Versioning" }).waitFor({ state: "detached" });
        });

        await t.step("they are put in order and filtered, and the address says how", async () => {
          await page.getByRole("button", { name: "Name", exact: true }).click();
          await page.waitForURL(/\?dir=desc$/);
          await untilNames(page, ["open", "new-bucket", "files"]);
          await page.getByRole("button", { name: "Size", exact: true }).click();
          await page.waitForURL(/\?dir=desc&sort=size$|\?sort=size&dir=desc$/);
          await eventually(async () => {
            const sorted = page.getByRole("columnheader", { name: "Size" });
            assert.equal(await sorted.getAttribute("aria-sort"), "descending");
          });
          await untilNames(page, ["new-bucket", "files", "open"]);
          await page.keyboard.press("/");
          await page.keyboard.type("new");
          await untilNames(page, ["new-bucket"]);
          await page.reload();
          await page.waitForSelector("html[data-ready]");
          await untilNames(page, ["new-bucket"]);
          await page.getByLabel("Filter buckets").fill("nothing");
          await page.getByRole("button", { name: "Clear the filter" }).click();
          await eventually(async () => assert.equal((await names(page)).length, 3));
        });

        await t.step("the names of the columns stay while the buckets go by", async () => {
          await page.setViewportSize({ width: 1600, height: 200 });
          const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y;
          await page.locator("main").evaluate((main) => main.scrollTop = main.scrollHeight);
          await eventually(async () => {
            assert.equal(await top("thead"), await top("main"));
            assert.ok((await top("tbody") ?? 0) < (await top("main") ?? 0), "the first row has gone by");
          });
          await page.setViewportSize({ width: 1280, height: 720 });
        });

        await t.step(
          "names that are links are as high as a pointer needs, and rows no higher for it",
          async () => {
            await openPage(page, "/admin/backends");
            const link = await page.locator("a.cell-main").first().boundingBox();
            assert.ok((link?.height ?? 0) >= 24, `${link?.height} px`);
            await openPage(page, "/b/main");
          },
        );

        await t.step("the backend's last probes stand beside its name", async () => {
          await page.locator("h1 + .page-mark").getByRole("img", { name: /probes? passed/ }).waitFor();
          await page.getByRole("slider", { name: "Main: read the probes one by one" }).waitFor();
        });

        await t.step("every figure is as wide as the others", async () => {
          const others = await page.evaluate(`[...document.querySelectorAll("body *")]
            .filter((element) => getComputedStyle(element).fontVariantNumeric !== "tabular-nums").length`);
          assert.equal(others, 0);
        });

        await t.step("one is pinned, and its size tracked", async () => {
          await page.getByRole("button", { name: "Pin files" }).click();
          await eventually(async () =>
            assert.deepEqual(
              (await json(admin.get("/api/me/pins"))).pins.map(({ bucket }: { bucket: string }) => bucket),
              ["files"],
            )
          );
          await page.getByRole("button", { name: "Turn on size tracking for files" }).click();
          await page.getByText("The size of files is tracked from now on").waitFor();
          await choose(page, "files", "Insights");
          await page.waitForURL("**/b/main/files/insights");
          await page.goBack();
          await landOn(page, "**/b/main*");
        });

        await t.step("one that is not empty is emptied first, with every version", async () => {
          await store(admin, "new-bucket", "a.txt", 5);
          await choose(page, "new-bucket", "Delete bucket");
          await dialog.getByText("It holds 2 objects, old versions and delete markers counted").waitFor();
          const remove = dialog.getByRole("button", { name: "Empty and delete" });
          assert.equal(await remove.isDisabled(), true, "the name must be typed first");
          await dialog.getByLabel("Type new-bucket to go on").fill("new-bucket");
          await remove.click();
          await page.getByText("Bucket new-bucket deleted").waitFor();
          await page.locator("tbody tr:focus-within").waitFor();
          const { buckets } = await json(admin.get(api));
          assert.deepEqual(buckets.map(({ name }: { name: string }) => name), ["files", "open"]);
        });

        await t.step("an empty one needs its name only", async () => {
          await choose(page, "files", "Delete bucket");
          await dialog.getByText("The bucket is empty.").waitFor();
          await dialog.getByLabel("Type files to go on").fill("files");
          await dialog.getByRole("button", { name: "Delete bucket" }).click();
          await page.getByText("Bucket files deleted").waitFor();
        });
      })
    );
  });
});

Deno.test({
  name: "buckets: looks, what a reader sees, and a backend that is down",
  ignore,
  fn: () =>
    browsing(
      { samples: {}, users: { admin: "admin", reader: "readonly" } },
      async ({ program, withPage, stopUpstream }) => {
        await checkLooks(program, {
          name: "bucket-create",
          path: "/b/local",
          user: "admin",
          prepare: async (page) => {
            await page.getByRole("button", { name: "Create bucket" }).click();
            await page.getByRole("dialog", { name: "Create bucket" }).waitFor();
          },
        });
        await withPage({ user: "reader" }, async (page) => {
          await open(page, "/b/local");
          await page.getByRole("link", { name: "files" }).waitFor();
          assert.equal(await page.getByRole("button", { name: /Create bucket/ }).count(), 0);
          assert.equal(await page.locator(".strip").count(), 0);
          await page.getByRole("button", { name: "Actions for files" }).click();
          await page.getByRole("menuitem", { name: "Settings" }).waitFor();
          assert.equal(await page.getByRole("menuitem", { name: /Delete|Track/ }).count(), 0);
        });
        await withPage({ expectedErrors: [/status of 50\d/] }, async (page) => {
          await stopUpstream();
          await open(page, "/b/local");
          await page.getByText("The buckets could not be listed").waitFor();
          const answer = page.waitForResponse("**/api/backends/local/buckets*");
          await page.getByRole("button", { name: "Try again" }).click();
          assert.ok((await answer).status() >= 500);
          await page.getByText("The buckets could not be listed").waitFor();
          await page.getByRole("button", { name: "Create bucket" }).waitFor({ state: "detached" });
          await page.getByRole("main").getByRole("link", { name: "Backends" }).waitFor();
        });
      },
    ),
});

upstreamTest(["embedded"], "buckets that a backend does not list are named", async (upstream) => {
  if (skipBrowser()) return;
  const proxy = startFaultProxy(upstream);
  try {
    const users = { admin: "admin", reader: "readonly" } as const;
    await withProgram({ users, backends: [{ id: "main", upstream: proxy }] }, async (program) => {
      const admin = await program.signedIn();
      await json(admin.post(api, { json: { name: "unlisted" } }), 201);
      const denied = { kind: "status", status: 403, code: "AccessDenied" } as const;
      proxy.rule({ matches: ({ bucket }) => bucket === "", fault: denied });
      await withPage(program, { user: "reader", expectedErrors: [/status of 40[34]/] }, async (page) => {
        await openPage(page, "/b/main");
        await page.getByText("The buckets of this backend cannot be listed").waitFor();
        const add = async (name: string) => {
          await page.getByLabel("Name of a bucket").fill(name);
          await page.getByRole("button", { name: "Add", exact: true }).click();
        };
        await add("missing");
        await page.getByText("There is no such bucket.").waitFor();
        await add("unlisted");
        const named = page.getByRole("list", { name: "Buckets that you have named" });
        await named.getByRole("link", { name: "unlisted" }).click();
        await landOn(page, "**/b/main/unlisted");
        await page.goBack();
        await landOn(page, "**/b/main");
        await named.getByRole("button", { name: "Unpin unlisted" }).click();
        await named.getByRole("link").waitFor({ state: "detached" });
      });
    });
  } finally {
    await proxy.stop();
  }
});

function row(page: Page, bucket: string) {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name: bucket, exact: true }) });
}

function names(page: Page): Promise<string[]> {
  return page.locator(".bucket-table .bucket-link").allInnerTexts();
}

async function untilNames(page: Page, expected: readonly string[]): Promise<void> {
  await eventually(async () => assert.deepEqual(await names(page), expected));
}

async function choose(page: Page, bucket: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${bucket}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function store(client: Client, bucket: string, key: string, size: number): Promise<void> {
  const headers = { "content-type": "text/plain" };
  await json(
    client.post(`${api}/${bucket}/object?key=${encodeURIComponent(key)}`, {
      body: "x".repeat(size),
      headers,
    }),
    201,
  );
}
