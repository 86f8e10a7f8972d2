import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { testPassword } from "../support/program.ts";
import { browsing, open } from "./browsing.ts";

const markup = `<img src="x" onerror="pwned=1"><svg onload="pwned=1">'&`;
const key = `${markup}.txt`;
const folder = `${markup} folder/`;

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
      samples: { [key]: { metadata: { note: "<b onclick=pwned=1>" } }, [`${folder}${markup}`]: {} },
      users: { admin: "admin", maria: "user" },
    }, async ({ program, bucketPage, withPage }) => {
      const maria = program.client();
      await json(maria.post("/auth/login/local", {
        json: { username: "maria", password: testPassword },
        headers: { "user-agent": markup },
      }));
      const target = { backend_id: "local", bucket: "files" };
      const share = async (key: string) =>
        (await json(maria.post("/api/shares", { json: { ...target, key, note: markup } }), 201)).code;
      const [link, folderLink] = [await share(key), await share(folder)];

      await withPage({}, async (page) => {
        for (
          const address of [
            bucketPage,
            `${bucketPage}?o=${encodeURIComponent(key)}`,
            `${bucketPage}?p=${encodeURIComponent(folder)}`,
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
      await withPage({ user: undefined }, async (page) => {
        for (const code of [link, folderLink]) {
          await page.goto(`/s/${code}`);
          await requireText(page);
        }
      });
    }),
});
