import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type PageOptions, skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { backendId, bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { expireSoon } from "../support/expiry.ts";
import { json } from "../support/http_client.ts";
import { checkLooks, openPage } from "../support/looks.ts";
import { eventually, until } from "../support/poll.ts";
import { skipUpstream, withUpstream } from "../support/upstreams.ts";

interface Stage extends TestBucket {
  /** Makes a share and returns its path. */
  share(key: string, fields?: Record<string, unknown>): Promise<string>;
  /** How often a share was downloaded. */
  downloads(path: string): Promise<number>;
  visit(path: string, options: PageOptions, body: (page: Page) => Promise<unknown>): Promise<void>;
}

const markup = `<img src=x onerror="alert(1)">'.txt`;
const pixel = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);

function withStage(body: (stage: Stage) => Promise<void>): Promise<void> {
  const options = { config: { ratelimit: { share_per_minute: 0 } } };
  return withUpstream("minio", (upstream) =>
    withBucket(upstream, async (bucket) => {
      const { client, program, upload } = bucket;
      await upload("docs/report.txt", "the report", "text/plain");
      await upload("docs/deep/inner.txt", "inner", "text/plain");
      await upload("docs/pixel.png", pixel, "image/png");
      await upload(`docs/${markup}`, "markup", "text/plain");
      await upload("page.html", "<script>parent.document.title = 'taken over'</script>", "text/html");
      const ids = new Map<string, number>();
      await withSharedBrowser((browser) =>
        body({
          ...bucket,
          async share(key, fields = {}) {
            const body = { backend_id: backendId, bucket: bucketName, key, ...fields };
            const { id, code } = await json(client.post("/api/shares", { json: body }), 201);
            ids.set(`/s/${code}`, id);
            return `/s/${code}`;
          },
          downloads: async (path) => (await json(client.get(`/api/shares/${ids.get(path)}`))).download_count,
          visit: (path, options, body) =>
            withPage(program, { browser, ...options }, async (page) => {
              if (options.javaScriptEnabled === false) await page.goto(path);
              else await openPage(page, path);
              await body(page);
            }),
        })
      );
    }, options));
}

async function download(page: Page, click: () => Promise<unknown>): Promise<{ name: string; text: string }> {
  const started = page.waitForEvent("download");
  await click();
  const file = await started;
  return { name: file.suggestedFilename(), text: await Deno.readTextFile(await file.path()) };
}

Deno.test({
  name: "recipients of a link",
  ignore: skipBrowser() || skipUpstream("minio"),
  fn: (t) =>
    withStage(async (stage) => {
      const { share, downloads, visit, program, client, upload } = stage;

      await t.step("see what it is and download it; looking costs nothing", async () => {
        const path = await share("docs/report.txt", { max_downloads: 2, expires_at: "2099-01-01T00:00:00Z" });
        await visit(path, {}, async (page) => {
          assert.equal(await page.title(), "report.txt");
          await page.getByText("10 B").waitFor();
          await page.getByText("2 downloads are left.").waitFor();
          assert.equal(await downloads(path), 0);
          const file = await download(page, () => page.getByRole("link", { name: "Download" }).click());
          assert.deepEqual(file, { name: "report.txt", text: "the report" });
          await eventually(async () => assert.equal(await downloads(path), 1));
          await page.reload();
          await page.getByText("One download is left.").waitFor();
        });
      });

      await t.step("are shown a text or an image only when they ask for it", async () => {
        const text = await share("docs/report.txt");
        await visit(text, {}, async (page) => {
          await page.getByRole("button", { name: "Show it here" }).click();
          await page.locator("#preview pre", { hasText: "the report" }).waitFor();
        });
        const image = await share("docs/pixel.png", { max_downloads: 1 });
        await visit(image, {}, async (page) => {
          assert.equal(await downloads(image), 0);
          await page.getByRole("button", { name: "Show it here" }).click();
          await until(() => page.evaluate("document.querySelector('#preview img')?.naturalWidth === 1"), {
            what: "the image",
          });
          await eventually(async () => assert.equal(await downloads(image), 1));
        });
        await visit(image, { expectedErrors: [/status of 410/] }, async (page) => {
          await page.getByRole("heading", { name: "This link has been used up" }).waitFor();
        });
      });

      await t.step("give a password first, with script or without", async () => {
        const path = await share("docs/report.txt", { password: "open sesame" });
        for (const javaScriptEnabled of [true, false]) {
          await visit(path, { javaScriptEnabled }, async (page) => {
            assert.equal(await page.title(), "Password needed");
            assert.equal((await page.content()).includes("report"), false, "the name is part of the secret");
            await page.getByLabel("Password").fill("wrong");
            await page.getByRole("button", { name: "Go on" }).click();
            await page.getByText("This password is wrong.").waitFor();
            await page.getByLabel("Password").fill("open sesame");
            await page.keyboard.press("Enter");
            await page.getByRole("heading", { name: "report.txt" }).waitFor();
            const file = await download(page, () => page.getByRole("link", { name: "Download" }).click());
            assert.equal(file.text, "the report");
          });
        }
      });

      await t.step("look through a folder, and no further; without script too", async () => {
        const path = await share("docs/");
        for (const javaScriptEnabled of [true, false]) {
          await visit(path, { javaScriptEnabled }, async (page) => {
            await page.getByRole("heading", { name: "docs", exact: true }).waitFor();
            await page.getByRole("link", { name: "deep" }).click();
            await page.getByRole("link", { name: "inner.txt" }).waitFor();
            await page.getByRole("navigation", { name: "Path" }).getByRole("link", { name: "docs" }).click();
            const file = await download(page, () => page.getByRole("link", { name: markup }).click());
            assert.equal(file.text, "markup");
            const archive = page.waitForEvent("download");
            await page.getByRole("link", { name: "Download all (zip)" }).click();
            assert.equal((await archive).suggestedFilename(), "docs.zip");
          });
        }
        await visit(`${path}?path=../`, { expectedErrors: [/status of 404/] }, async (page) => {
          await page.getByRole("heading", { name: "There is nothing at this link" }).waitFor();
        });
      });

      await t.step("look at the files of a folder where they are, one by one", async () => {
        await upload("docs/broken.png", "no picture", "image/png");
        const path = await share("docs/", { max_downloads: 9 });
        await visit(path, { expectedErrors: [/Failed to load/] }, async (page) => {
          await page.getByText("Each file and each zip file is one download. Showing it counts too.")
            .waitFor();
          const view = page.getByRole("dialog");
          const show = (name: string) =>
            page.getByRole("button", { name: `Show ${name}`, exact: true }).click();
          await show("pixel.png");
          await page.getByRole("dialog", { name: "pixel.png" }).getByRole("img", { name: "pixel.png" })
            .waitFor();
          assert.equal(await downloads(path), 1);
          const saved = await download(page, () => view.getByRole("link", { name: "Download" }).click());
          assert.equal(saved.name, "pixel.png");
          await page.keyboard.press("Escape");
          await view.waitFor({ state: "hidden" });
          // Nothing goes on unseen.
          await page.locator("#preview > *").waitFor({ state: "detached" });
          await page.getByRole("button", { name: "Show pixel.png" }).and(page.locator(":focus")).waitFor();
          await show(markup);
          await page.getByRole("dialog", { name: markup }).locator("pre", { hasText: "markup" }).waitFor();
          await view.getByRole("button", { name: "Close" }).click();
          await show("broken.png");
          await view.getByRole("alert").getByText("This file cannot be shown here.").waitFor();
          await page.mouse.click(4, 4);
          await view.waitFor({ state: "hidden" });
        });
        await visit(path, { javaScriptEnabled: false }, async (page) => {
          await page.getByRole("link", { name: "pixel.png" }).waitFor();
          assert.equal(await page.getByRole("button", { name: "Show pixel.png" }).isVisible(), false);
        });
      });

      await t.step("come to no harm from what is behind it, and learn nothing of the rest", async () => {
        const path = await share("page.html", { disposition: "inline" });
        await visit(path, {}, async (page) => {
          await page.getByRole("button", { name: "Show it here" }).click();
          await page.locator("#preview pre", { hasText: "taken over" }).waitFor();
          assert.equal(await page.title(), "page.html");
          const content = await page.content();
          for (const trace of [bucketName, "Storage dashboard", "/login", "Sign in"]) {
            assert.ok(!content.includes(trace), trace);
          }
        });
        const named = await share(`docs/${markup}`);
        await visit(named, {}, async (page) => {
          await page.getByRole("heading", { name: markup }).waitFor();
          assert.equal(await page.title(), markup);
        });
        const response = await program.client().get(path);
        await response.body?.cancel();
        assert.equal(response.headers.get("x-robots-tag"), "noindex, nofollow");
        assert.equal(response.headers.get("referrer-policy"), "same-origin");
        assert.equal(response.headers.get("cache-control"), "no-store");
      });

      await t.step("read plainly why there is nothing, also where a download was to begin", async () => {
        const expectedErrors = [/status of 4\d\d/];
        const says = (path: string, heading: string) =>
          visit(path, { expectedErrors }, async (page) => {
            await page.getByRole("heading", { name: heading }).waitFor();
            assert.equal(await page.getByRole("link").count(), 0);
          });
        await says(`/s/${"x".repeat(22)}`, "There is nothing at this link");
        await says("/s/cut-off", "There is nothing at this link");
        await says("/s/a/b/c", "There is nothing at this link");
        const revoked = await share("docs/report.txt");
        const { shares } = await json(client.get("/api/shares?limit=1"));
        await (await client.delete(`/api/shares/${shares[0].id}`)).body?.cancel();
        await says(revoked, "This link is no longer in force");
        await says(`${revoked}/raw`, "This link is no longer in force");
        const expired = await share("docs/report.txt");
        const { shares: [{ id }] } = await json(client.get("/api/shares?limit=1"));
        await expireSoon((expires_at) => client.patch(`/api/shares/${id}`, { json: { expires_at } }));
        await says(expired, "This link has expired");
      });

      await t.step("read it in their own language, and wait out a limit by the clock", async () => {
        const path = await share("docs/report.txt", { password: "x", max_downloads: 1 });
        await visit(path, {}, async (page) => {
          await page.context().setExtraHTTPHeaders({ "accept-language": "de-AT,en;q=0.5" });
          await page.clock.install();
          await openPage(page, `${path}?error=rate_limited&retry_after=60`);
          assert.equal(await page.getAttribute("html", "lang"), "de");
          await page.getByRole("button", { name: "Weiter" }).and(page.locator(":disabled")).waitFor();
          await page.clock.runFor(61_000);
          await page.getByText("Sie können es jetzt noch einmal versuchen.").waitFor();
          await page.getByLabel("Passwort").fill("x");
          await page.getByRole("button", { name: "Weiter" }).click();
          await page.getByText("Ein Download ist noch möglich. Auch das Anzeigen zählt.").waitFor();
        });
      });

      await t.step("cannot try out codes", async () => {
        const stranger = program.client();
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => stranger.get(`/s/${"y".repeat(22)}`)),
        );
        for (const answer of answers) await answer.body?.cancel();
        assert.deepEqual([...new Set(answers.map(({ status }) => status))], [404]);
      });

      await t.step("looks", async () => {
        const object = await share("docs/report.txt", {
          expires_at: "2099-01-01T00:00:00Z",
          max_downloads: 9,
        });
        await checkLooks(program, {
          name: "share-object",
          path: object,
          prepare: async (page) => {
            await page.getByRole("button", { name: "Show it here" }).click();
            await page.locator("#preview pre").waitFor();
          },
        });
        await checkLooks(program, {
          name: "share-folder",
          path: await share("docs/"),
          prepare: async (page) => {
            await page.getByRole("button", { name: "Show report.txt" }).click();
            await page.locator("#preview pre").waitFor();
          },
        });
        await checkLooks(program, {
          name: "share-locked",
          path: `${await share("docs/", { password: "x" })}?error=password_mismatch&left=4`,
        });
        await checkLooks(program, {
          name: "share-gone",
          path: `/s/${"x".repeat(22)}`,
          expectedErrors: [/status of 404/],
        });
      });
    }),
});
