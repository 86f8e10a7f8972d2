import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withSharedBrowser } from "../support/browser.ts";
import { type Client, json } from "../support/http_client.ts";
import { checkLooks, landOn } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { browsing, open, untilNames } from "./browsing.ts";

const samples = { "logs/2026/error.log": {}, "logs/2026/access.log": {}, "readme.md": {} };

const pinsOf = async (client: Client) =>
  (await json(client.get("/api/me/pins"))).pins.map((
    { bucket, prefix = "", filter = "", search = "" }: Record<
      string,
      string
    >,
  ) => [bucket, prefix, filter, search].filter(Boolean).join(" "));

const rail = (page: Page) => page.locator("#rail-pins");

Deno.test({
  name: "pins: folders, filters and searches are pinned where they are shown, and lead back from everywhere",
  ignore: skipBrowser(),
  fn: () =>
    browsing({ samples }, ({ program, withPage, bucketPage }) =>
      withSharedBrowser(async (browser) => {
        const admin = await program.signedIn("admin");
        await withPage({ browser, session: admin }, async (page) => {
          const untilPinned = (expected: string[]) =>
            eventually(async () => assert.deepEqual(await pinsOf(admin), expected));
          await open(page, `${bucketPage}?p=logs/`);
          await page.getByRole("button", { name: "Pin this folder" }).and(page.locator(":enabled")).click();
          await page.getByText("logs pinned").waitFor();
          await rail(page).getByRole("link", { name: "logs" }).waitFor();
          await page.getByRole("button", { name: "Actions for 2026" }).click();
          await page.getByRole("menuitem", { name: "Pin this folder" }).click();
          await rail(page).getByRole("link", { name: "2026" }).waitFor();
          await page.locator("#objects").press("Home");
          await page.keyboard.press("Enter");
          await untilNames(page, ["access.log", "error.log"]);
          await page.getByRole("button", { name: "Unpin this folder" }).waitFor();
          await page.getByLabel("Filter this folder").fill("err");
          await page.getByRole("button", { name: "Pin this folder with its filter" }).waitFor();
          await page.getByLabel("Filter this folder").press("Enter");
          await page.keyboard.press("Shift+P");
          await untilPinned(["files logs/", "files logs/2026/", "files logs/2026/ err"]);

          await open(page, "/search?q=report&scope=local/files/logs/");
          await page.getByRole("button", { name: "Save this search" }).click();
          await page.getByRole("button", { name: "Saved" }).waitFor();
          await rail(page).getByRole("link", { name: "“report”" }).waitFor();

          await open(page, "/");
          const pinned = page.locator(".overview-part", { hasText: "Pinned places" });
          await pinned.getByRole("link", { name: /^2026\s*files\/logs · Local$/ }).waitFor();
          await pinned.getByRole("button", { name: "Unpin 2026" }).click();
          await page.getByText("2026 unpinned").waitFor();
          await untilPinned(["files logs/", "files logs/2026/ err", "files logs/ report"]);
          await pinned.getByRole("link", { name: /“err”/ }).click();
          await landOn(page, "**/b/local/files?p=logs/2026/&q=err");
          await untilNames(page, ["error.log"]);
          await rail(page).getByRole("link", { name: "“report”" }).click();
          await landOn(page, "**/search?q=report&scope=local/files/logs/");
          await page.getByRole("button", { name: "Saved" }).click();
          await untilPinned(["files logs/", "files logs/2026/ err"]);
          await rail(page).getByRole("link", { name: "“report”" }).waitFor({ state: "detached" });

          await page.keyboard.press("Control+k");
          await page.locator("#palette-list:not([aria-busy])").waitFor();
          await page.getByRole("group", { name: "Pinned" }).getByRole("option", { name: /^logs/ }).click();
          await landOn(page, "**/b/local/files?p=logs/");
        });
        const everywhere = { backend_id: "", bucket: "", search: "report" };
        await json(admin.post("/api/me/pins", { json: everywhere }), 201);
        await checkLooks(program, { name: "overview-pins", path: "/", session: admin });
        await checkLooks(program, { name: "search-saved", path: "/search", session: admin });
        await checkLooks(program, {
          name: "search-save",
          path: "/search?q=report",
          session: admin,
          prepare: (page) => page.getByRole("button", { name: "Saved" }).waitFor(),
        });
      })),
});
