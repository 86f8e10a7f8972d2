import assert from "node:assert/strict";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { type PageOptions, skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { eventually } from "../support/poll.ts";
import { freePorts } from "../support/ports.ts";
import { startProgram, testPassword } from "../support/program.ts";
import { withUpstream } from "../support/upstreams.ts";
import { type Browsing, browsing, open } from "./browsing.ts";
import {
  chooseFiles,
  digestOf,
  drop,
  endSessions,
  halfUploaded,
  limitUpload,
  untilParts,
  writeLargeFile,
} from "./uploading.ts";

const ignore = skipBrowser();

const bucketApi = "/api/backends/local/buckets/files";

/** Bytes a second at which a part of 16 MiB takes long enough to be interrupted. */
const slow = 2 ** 20;

interface Stage extends Browsing {
  readonly browser: Browser;
  /** A file of 20 MiB: two parts. */
  readonly file: string;
  readonly directory: string;
}

/** Opens the bucket's page and lets `body` work with it. */
function onPage(stage: Stage, options: PageOptions, body: (page: Page) => Promise<void>): Promise<void> {
  return stage.withPage({ browser: stage.browser, ...options }, async (page) => {
    page.on("dialog", (dialog) => dialog.accept());
    await open(page, stage.bucketPage);
    await body(page);
  });
}

async function assertStored({ program, file }: Stage, key = "big.bin"): Promise<void> {
  const client = await program.signedIn();
  const stored = await (await client.get(`${bucketApi}/object?key=${key}`)).bytes();
  assert.equal(await digestOf(stored), await digestOf(await Deno.readFile(file)));
  const { uploads } = await json(client.get(`${bucketApi}/multipart`));
  assert.deepEqual(uploads, [], "no upload is left unfinished");
  await (await client.delete(`${bucketApi}/object?key=${key}`)).body?.cancel();
}

/** Begins an upload that is left after one of its parts by loading the page anew. */
async function leaveUnfinished(stage: Stage, page: Page): Promise<void> {
  const first = await halfUploaded(stage.program, page, bucketApi, () => chooseFiles(page, [stage.file]));
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await first.letGo();
  await page.getByRole("heading", { name: "1 upload can go on" }).waitFor();
}

/** Picks a file for the upload that can go on. */
async function pick(page: Page, path: string): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Pick file" }).click();
  await (await chooser).setFiles(path);
}

Deno.test({
  name: "resume: large uploads outlive a pause, a lost connection, the session, and the page",
  ignore,
  async fn(test) {
    const directory = await Deno.makeTempDir({ prefix: "resume-" });
    try {
      const file = await writeLargeFile(directory, "big.bin", 20);
      await browsing(
        { users: { admin: "admin", other: "user" } },
        (bench) =>
          withSharedBrowser(async (browser) => {
            const stage = { ...bench, browser, file, directory };
            for (const [name, step] of Object.entries(steps)) await test.step(name, () => step(stage));
          }),
      );
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  },
});

Deno.test({
  name: "resume: an upload goes on by itself when the server restarts under it",
  ignore,
  fn: () =>
    withUpstream("embedded", async (upstream) => {
      const directory = await Deno.makeTempDir({ prefix: "restart-" });
      const [port] = freePorts(1);
      const options = {
        backends: [{ id: "local", upstream }],
        config: { server: { listen: `127.0.0.1:${port}` } },
      };
      const first = await startProgram(options);
      try {
        const file = await writeLargeFile(directory, "big.bin", 20);
        const client = await first.signedIn();
        await json(client.post("/api/backends/local/buckets", { json: { name: "files" } }), 201);
        const expectedErrors = [/ERR_|status of 503/];
        await withPage(first, { session: client, expectedErrors }, async (page) => {
          page.on("filechooser", () => {});
          await open(page, "/b/local/files");
          const part = await halfUploaded(first, page, bucketApi, () => chooseFiles(page, [file]));
          const limit = await limitUpload(page, slow);
          await part.letGo();
          await first.child.stop(0);
          const second = await startProgram({ ...options, directory: first.directory });
          try {
            await limit.detach();
            await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
            const stored = await (await client.get(`${bucketApi}/object?key=big.bin`)).bytes();
            assert.equal(await digestOf(stored), await digestOf(await Deno.readFile(file)));
            assert.deepEqual((await json(client.get(`${bucketApi}/multipart`))).uploads, []);
          } finally {
            await second.stop();
          }
        });
      } finally {
        await first.stop();
        await Deno.remove(directory, { recursive: true });
      }
    }),
});

const steps: Record<string, (stage: Stage) => Promise<void>> = {
  "pause keeps the parts, resume sends the rest": (stage) =>
    onPage(stage, {}, async (page) => {
      const first = await halfUploaded(stage.program, page, bucketApi, () => chooseFiles(page, [stage.file]));
      await page.getByRole("button", { name: "Pause big.bin" }).click();
      await page.getByText(/Paused at \d+(\.\d+)? MiB of 20.0 MiB/).waitFor();
      await page.getByRole("heading", { name: "1 upload paused" }).waitFor();
      const sent: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "PUT") sent.push(request.url());
      });
      await first.letGo();
      await page.getByRole("button", { name: "Resume big.bin" }).click();
      await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
      assert.ok(sent.length < 2, `${sent.length} parts were sent again`);
      await assertStored(stage);
    }),

  "after a reload another file is refused, and the same one goes on": (stage) =>
    onPage(stage, {}, async (page) => {
      await leaveUnfinished(stage, page);
      const other = await writeLargeFile(stage.directory, "other.bin", 1);
      await pick(page, other);
      await page.getByText("That is another file: this upload is of “big.bin”.").waitFor();
      await Deno.mkdir(join(stage.directory, "same"), { recursive: true });
      await pick(page, await writeLargeFile(join(stage.directory, "same"), "big.bin", 19));
      await page.getByText("That is another file: this upload is of one with 20.0 MiB.").waitFor();
      await pick(page, await writeLargeFile(join(stage.directory, "same"), "big.bin", 20, 7));
      await page.getByText(/That file (was changed since|has another content)/).waitFor();
      const sent: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "PUT") sent.push(request.url());
      });
      await pick(page, stage.file);
      await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
      assert.ok(sent.length < 2, `${sent.length} parts were sent again`);
      await assertStored(stage);
      await page.reload();
      await page.waitForSelector("html[data-ready]");
      await eventually(async () =>
        assert.equal(await page.evaluate("localStorage.getItem('transfers.unfinished')"), null)
      );
    }),

  "one that the server no longer knows begins again, and says so": (stage) =>
    onPage(stage, { expectedErrors: [/status of 404/] }, async (page) => {
      await leaveUnfinished(stage, page);
      const client = await stage.program.signedIn();
      const { uploads: [{ upload_id }] } = await json(client.get(`${bucketApi}/multipart`));
      const query = `key=big.bin&upload_id=${encodeURIComponent(upload_id)}`;
      await (await client.delete(`${bucketApi}/multipart?${query}`)).body?.cancel();
      await pick(page, stage.file);
      // With the focus in it, the list does not fold away by itself.
      await page.locator(".tray-body").focus();
      await page.getByText("20.0 MiB, begun again").waitFor();
      await assertStored(stage);
    }),

  "another user does not see it, and its owner can throw it away": (stage) =>
    onPage(stage, {}, async (page) => {
      await leaveUnfinished(stage, page);
      const own = await page.context().cookies();
      const { cookies } = await stage.program.signedIn("other");
      const url = stage.program.url;
      await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
      await page.reload();
      await page.waitForSelector("html[data-ready]");
      await page.keyboard.press("t");
      await page.getByText("Nothing is being transferred.").waitFor();
      await page.context().addCookies(own);
      await page.evaluate("localStorage.setItem('transfers.unfinished', '1')");
      await page.reload();
      await page.getByRole("button", { name: "Discard the upload of big.bin" }).click();
      await page.getByRole("heading", { name: "1 upload can go on" }).waitFor({ state: "detached" });
      const client = await stage.program.signedIn();
      await eventually(async () =>
        assert.deepEqual((await json(client.get(`${bucketApi}/multipart`))).uploads, [])
      );
    }),

  "one whose file the browser finds again, in a folder that was dropped, goes on with one click": (stage) =>
    onPage(stage, {}, async (page) => {
      const folder = join(stage.directory, "folder");
      await Deno.mkdir(join(folder, "deep"), { recursive: true });
      const file = await writeLargeFile(join(folder, "deep"), "big.bin", 20);
      const first = await halfUploaded(
        stage.program,
        page,
        bucketApi,
        () => drop(page, ".browser-status", [folder]),
      );
      await page.reload();
      await page.waitForSelector("html[data-ready]");
      await first.letGo();
      let choosers = 0;
      page.on("filechooser", () => choosers++);
      await page.getByRole("button", { name: "Resume", exact: true }).click();
      await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
      assert.equal(choosers, 0);
      await assertStored({ ...stage, file }, "folder/deep/big.bin");
    }),

  "nothing goes on under the name of another user, who signs in meanwhile": (stage) =>
    onPage(stage, { expectedErrors: [/status of 40[13]/] }, async (page) => {
      const limit = await limitUpload(page, slow);
      await chooseFiles(page, [stage.file]);
      await page.locator(".transfer-sending").waitFor();
      const { cookies } = await stage.program.signedIn("other");
      const url = stage.program.url;
      await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
      await limit.detach();
      await page.getByText("Paused: your session has ended.").waitFor();
      assert.deepEqual(await stage.keys(), []);
      await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(testPassword);
      await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
      await assertStored(stage);
      const admin = await stage.program.signedIn();
      for (const action of ["object.*", "multipart.*"]) {
        const { events } = await json(admin.get(`/api/admin/audit?user=other&status=ok&action=${action}`));
        assert.deepEqual(events, [], action);
      }
    }),

  "a session that ends, a 429 and a lost connection hold it up, and nothing is lost": (stage) =>
    onPage(stage, { expectedErrors: [/status of 401|status of 429|ERR_/] }, async (page) => {
      let limited = true;
      await page.route(/\/multipart\/parts\/2\?/, (route) =>
        limited
          ? route.fulfill({
            status: 429,
            headers: { "retry-after": "3" },
            json: { error: { code: "rate_limited", message: "Too many requests." } },
          })
          : route.fallback());
      await chooseFiles(page, [stage.file]);
      await page.getByText("The server asks for a pause; it goes on by itself.").waitFor();
      await untilParts(stage.program, bucketApi, 1);
      await endSessions(stage.program);
      limited = false;
      await page.getByText("Paused: your session has ended.").waitFor();
      await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(testPassword);
      await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
      await assertStored(stage);
      await page.context().setOffline(true);
      await chooseFiles(page, [stage.file]);
      await page.getByText("Paused: there is no connection.").waitFor();
      await page.context().setOffline(false);
      await page.getByRole("heading", { name: "1 file uploaded" }).waitFor();
      await assertStored(stage);
    }),

  "cancelling throws the parts away": (stage) =>
    onPage(stage, {}, async (page) => {
      const first = await halfUploaded(stage.program, page, bucketApi, () => chooseFiles(page, [stage.file]));
      await page.getByRole("button", { name: "Cancel big.bin" }).click();
      await page.getByText("Cancelled").waitFor();
      await first.letGo();
      const client = await stage.program.signedIn();
      await eventually(async () =>
        assert.deepEqual((await json(client.get(`${bucketApi}/multipart`))).uploads, [])
      );
    }),
};
