import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { json } from "../support/http_client.ts";
import { checkLooks, landOn, openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";

const bucket = "/api/backends/main/buckets/photos";
const path = "/b/main/photos/insights";

upstreamTest(["minio"], "insights of a bucket", async (upstream, t) => {
  if (skipBrowser()) return;
  const users = { admin: "admin", guest: "readonly" } as const;
  await withProgram({ backends: [{ id: "main", name: "Main", upstream }], users }, async (program) => {
    const admin = await program.signedIn();
    await json(admin.post("/api/backends/main/buckets", { json: { name: "photos" } }), 201);
    await withSharedBrowser(async (browser) => {
      await t.step(
        "an empty bucket that is not counted each day says what to do",
        () =>
          withPage(program, { session: admin, browser }, async (page) => {
            await openPage(page, path);
            await page.getByText("The bucket is empty").waitFor();
            await page.getByText("No unfinished uploads").waitFor();
            await page.getByRole("link", { name: "Open the settings" }).click();
            await landOn(page, "**/settings/general");
          }),
      );

      const sizes: Record<string, number> = {
        "2025/a.jpg": 6000,
        "2026/b.mp4": 9000,
        "2026/c.jpg": 100,
        "top.txt": 10,
      };
      for (const [key, size] of Object.entries(sizes)) {
        await json(
          admin.post(`${bucket}/object?key=${key}`, {
            body: "x".repeat(size),
            headers: { "content-type": "application/octet-stream" },
          }),
          201,
        );
      }
      await json(admin.put(`${bucket}/size-tracking`, { json: { enabled: true } }));
      await json(admin.post(`${bucket}/quota/recompute`));
      const begun = [];
      for (const key of ["one.bin", "two.bin", "three.bin"]) {
        begun.push(await json(admin.post(`${bucket}/multipart?key=${key}`, { json: {} }), 201));
      }
      await json(
        admin.put(`${bucket}/multipart/parts/1?key=one.bin&upload_id=${begun[0].upload_id}`, {
          body: "x".repeat(2048),
          headers: { "content-type": "application/octet-stream" },
        }),
      );

      await t.step(
        "without script the first figures are there to be read",
        () =>
          withPage(program, { session: admin, browser, javaScriptEnabled: false }, async (page) => {
            await page.goto(`${path}?wait=1`);
            await page.getByText("All counted: 4 objects, 14.8 KiB").waitFor();
            await page.getByRole("row", { name: /^Video/ }).getByText("1 object").waitFor();
            await page.getByRole("link", { name: /^2026\/: 8\.89 KiB/ }).waitFor();
            await page.getByRole("slider", { name: "Size over the last 30 days" }).waitFor();
            await page.getByRole("cell", { name: "two.bin" }).waitFor();
          }),
      );

      await t.step(
        "size over time is read by eye, by key and as a table",
        () =>
          withPage(program, { session: admin, browser }, async (page) => {
            await openPage(page, path);
            const chart = page.getByRole("slider", { name: "Size over the last 30 days" });
            await chart.focus();
            await eventually(async () =>
              assert.match(await chart.getAttribute("aria-valuetext") ?? "", /: 14\.8 KiB$/)
            );
            await page.keyboard.press("ArrowLeft");
            await eventually(async () =>
              assert.match(await chart.getAttribute("aria-valuetext") ?? "", /: not counted$/)
            );
            await chart.hover();
            await page.locator(".plot-tip").waitFor();
            await page.getByText("Show as a table").click();
            await page.getByRole("cell", { name: "14.8 KiB" }).first().waitFor();
            await page.getByRole("link", { name: "90 days" }).click();
            await landOn(page, "**/insights?days=90");
            await page.getByRole("slider", { name: "Objects over the last 90 days" }).waitFor();
          }),
      );

      await t.step(
        "folders, types and ages are counted; a tile leads to its folder",
        () =>
          withPage(program, { session: admin, browser }, async (page) => {
            await openPage(page, path);
            await page.getByText("All counted: 4 objects, 14.8 KiB").waitFor();
            await page.getByRole("row", { name: /^Video/ }).getByText("1 object").waitFor();
            await page.getByRole("row", { name: /^Up to 1 day/ }).getByText("4 objects").waitFor();
            await page.getByText("Folders as a table").click();
            await page.getByRole("row", { name: /^2026\// }).getByText("60.2 %").waitFor();
            await page.getByRole("link", { name: /^2026\/: 8\.89 KiB/ }).click();
            await landOn(page, "**/b/main/photos?p=2026%2F");
          }),
      );

      await t.step(
        "unfinished uploads are measured and aborted, one and all",
        () =>
          withPage(program, { session: admin, browser }, async (page) => {
            await openPage(page, path);
            await page.getByText(/^3 uploads, 2\.00 KiB, the oldest begun/).waitFor();
            await page.getByRole("button", { name: "Abort the upload of two.bin" }).click();
            await page.getByRole("dialog").getByRole("button", { name: "Abort" }).click();
            await page.getByText("1 upload aborted").waitFor();
            await page.getByRole("button", { name: "Abort all…" }).click();
            await page.getByRole("button", { name: "Abort 2 uploads" }).click();
            await page.getByText("No unfinished uploads").waitFor();
            assert.deepEqual((await json(admin.get(`${bucket}/multipart`))).uploads, []);
          }),
      );

      await t.step(
        "a reader sees it all and aborts nothing",
        () =>
          withPage(program, { user: "guest", browser }, async (page) => {
            await json(admin.post(`${bucket}/multipart?key=one.bin`, { json: {} }), 201);
            await openPage(page, path);
            await page.getByText("1 upload, ").waitFor();
            assert.equal(await page.getByRole("button", { name: /Abort/ }).count(), 0);
          }),
      );
    });
    await t.step("the page looks right", () =>
      checkLooks(program, {
        name: "insights",
        path,
        user: "admin",
        prepare: async (page) => {
          await page.getByText("All counted").waitFor();
          await page.getByRole("slider").first().waitFor();
        },
      }));
  });
});

upstreamTest(["minio"], "insights of a bucket that cannot be listed say why, once", async (upstream, t) => {
  if (skipBrowser()) return;
  const proxy = startFaultProxy(upstream);
  try {
    const backends = [{ id: "main", name: "Main", upstream: { ...upstream, ...proxy } }];
    await withProgram({ backends }, async (program) => {
      const admin = await program.signedIn();
      await json(admin.post("/api/backends/main/buckets", { json: { name: "photos" } }), 201);
      await withSharedBrowser(async (browser) => {
        const look = { session: admin, browser, expectedErrors: [/status of (?:404|502)/] };
        const saysOnly = (page: Page, words: string) =>
          eventually(async () => {
            assert.equal(await page.getByText(words).count(), 1);
            assert.equal(await page.getByText(/counted: |Largest folders|By type|By age/).count(), 0);
          });

        await t.step("that is not there", () =>
          withPage(program, look, async (page) => {
            await openPage(page, "/b/main/nothing/insights");
            await saysOnly(page, "There is no such bucket");
          }));

        for (const javaScriptEnabled of [true, false]) {
          const name = `that does not answer, ${javaScriptEnabled ? "with" : "without"} script`;
          await t.step(name, () =>
            withPage(program, { ...look, javaScriptEnabled }, async (page) => {
              proxy.set("refuse");
              await page.goto(`${path}?wait=1`);
              await saysOnly(page, "Nothing listens there.");
              proxy.set("none");
              if (!javaScriptEnabled) return;
              await page.waitForSelector("html[data-ready]");
              await page.getByRole("button", { name: "Try again" }).click();
              await page.getByText("The bucket is empty").waitFor();
              await page.getByText("No unfinished uploads").waitFor();
            }));
        }
      });
    });
  } finally {
    await proxy.stop();
  }
});
