import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ZipWriter } from "../../src/zip/writer.ts";
import { skipBrowser, withSharedBrowser } from "../support/browser.ts";
import { json, status } from "../support/http_client.ts";
import { testPassword } from "../support/program.ts";
import { browsing, open, type Sample } from "./browsing.ts";

const markup = `<img src="x" onerror="pwned=1"><svg onload="pwned=1">'&`;
const key = `${markup}.txt`;
const folder = `${markup} folder/`;

/** What is previewed in other ways than as text. */
const documents: Readonly<Record<string, Sample>> = {
  "notes.md": {
    type: "text/markdown",
    body:
      `# ${markup}\n\n[a](javascript:pwned=1) ![onerror](x "${markup}") [b](data:text/html,${markup})\n\n` +
      `| ${markup} |\n|---|\n| [c](JaVaScRiPt:pwned=1) |\n\n<script>pwned=1</script>\n\n\`${markup}\``,
  },
  "table.csv": {
    type: "text/csv",
    body: `${markup},"=HYPERLINK(""x"")"\n${markup},<script>pwned=1</script>\n`,
  },
  "tree.json": {
    type: "application/json",
    body: JSON.stringify({ [markup]: markup, "</script>": { onload: markup } }).replace(
      "{",
      '{"__proto__": {"onerror": "pwned"}, ',
    ),
  },
  "archive.zip": { type: "application/zip", body: archiveOf(`../${markup}`, `folder/${markup}/`) },
  "page.html": { type: "text/html", body: `<!doctype html><body ${markup}><script>pwned=1</script>` },
  "server.log": { body: `2026-01-01T00:00:00Z ERROR ${markup}\n` },
};

function archiveOf(...names: string[]): Uint8Array {
  const writer = new ZipWriter();
  const files = names.map((name) => writer.addFile({ name, modifiedAt: new Date(0) }, new Uint8Array(1)));
  return new Uint8Array([...files, ...writer.finish()].flatMap((part) => [...part]));
}

/** Asserts that nothing of a page came to life as markup. What was blocked fails the test as an error in the console. */
async function requireText(page: Page): Promise<void> {
  await page.getByText("onerror").first().waitFor();
  const alive = await page.evaluate(
    `[document.querySelectorAll("[onerror], [onload]").length, typeof pwned]`,
  );
  assert.deepEqual(alive, [0, "undefined"], page.url());
}

async function choose(page: Page, button: string, entry: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

Deno.test({
  name: "what strangers have named stays text when the pages are alive",
  ignore: skipBrowser(),
  fn: () =>
    browsing({
      samples: {
        [key]: { metadata: { note: "<b onclick=pwned=1>" } },
        [`${folder}${markup}`]: {},
        ...documents,
      },
      users: { admin: "admin", maria: "user" },
      config: { s3_proxy: { enabled: true, listen: "127.0.0.1:0" } },
    }, ({ program, bucketPage, withPage }) =>
      withSharedBrowser(async (browser) => {
        const maria = program.client();
        await json(maria.post("/auth/login/local", {
          json: { username: "maria", password: testPassword },
          headers: { "user-agent": markup },
        }));
        const target = { backend_id: "local", bucket: "files" };
        const share = async (key: string) =>
          (await json(maria.post("/api/shares", { json: { ...target, key, note: markup } }), 201)).code;
        const [link, folderLink] = [await share(key), await share(folder)];

        const admin = await program.signedIn();
        const description = { backend_id: "local", buckets: ["files"], description: markup };
        await json(admin.post("/api/me/s3-credentials", { json: description }), 201);
        const object = `/api/backends/local/buckets/files/object`;
        await status(
          admin.put(`${object}/tags?key=${encodeURIComponent(key)}`, {
            json: { tags: { note: "onerror=pwned" } },
          }),
        );
        const copy = { src_prefix: folder, dst_prefix: `copy of ${folder}` };
        await status(
          admin.post("/api/backends/local/buckets/files/objects/copy-prefix", {
            json: copy,
            headers: { prefer: "respond-async" },
          }),
        );
        const details = (name: string, tab = "preview") =>
          `${bucketPage}?o=${encodeURIComponent(name)}&tab=${tab}`;

        await withPage({ browser, expectedErrors: [/status of 40[04]/] }, async (page) => {
          for (
            const address of [
              bucketPage,
              ...["preview", "info", "versions", "tags", "metadata", "access", "activity"].map((tab) =>
                details(key, tab)
              ),
              ...Object.keys(documents).map((name) => details(name)),
              `${bucketPage}?p=${encodeURIComponent(folder)}`,
              `${bucketPage}?view=grid`,
              `/search?q=${encodeURIComponent("<img")}&scope=local/files`,
              `/search?q=${encodeURIComponent(markup)}`,
              "/",
              "/transfers",
              "/credentials",
              "/admin/credentials",
              "/shares?scope=all",
            ]
          ) {
            await open(page, address);
            await requireText(page);
          }

          await open(page, "/admin/users");
          await choose(page, "Actions for maria", "Sessions…");
          const dialog = page.getByRole("dialog", { name: "Sessions of maria" });
          await dialog.getByRole("listitem").waitFor();
          assert.equal(
            await page.evaluate("typeof pwned + document.querySelectorAll('[onerror]').length"),
            "undefined0",
          );

          await open(page, "/admin/audit?action=auth.login&user=maria");
          await page.getByRole("button", { name: /^Details of/ }).first().click();
          await requireText(page);
        });
        await withPage({ browser, user: undefined }, async (page) => {
          for (const code of [link, folderLink]) {
            await page.goto(`/s/${code}`);
            await requireText(page);
          }
        });
      })),
});
