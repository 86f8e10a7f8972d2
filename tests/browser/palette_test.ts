import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withSharedBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { checkLooks, landOn } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { browsing, open } from "./browsing.ts";

const palette = (page: Page) => page.getByRole("dialog", { name: "Search or go to anything" });

/** Opens the palette by its key and waits for it and what it loads. */
async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await palette(page).getByRole("combobox").and(page.locator(":focus")).waitFor();
  await page.locator("#palette-list:not([aria-busy])").waitFor();
}

/** The text of the option that Enter would choose, as assistive technology is told. */
function activeOption(page: Page): Promise<string | null> {
  return page.evaluate(`document.getElementById(
    document.querySelector("[role=combobox]").getAttribute("aria-activedescendant") ?? "none",
  )?.querySelector(".palette-label").textContent ?? null`);
}

Deno.test({
  name: "command palette: buckets, pins, pages and actions by a few letters",
  ignore: skipBrowser(),
  fn: () =>
    browsing(
      { samples: { "docs/a.txt": {} }, users: { admin: "admin", reader: "readonly" } },
      ({ program, withPage }) =>
        withSharedBrowser(async (browser) => {
          const admin = await program.signedIn("admin");
          await json(admin.post("/api/me/pins", { json: { backend_id: "local", bucket: "files" } }), 201);
          await withPage({ browser, session: admin }, async (page) => {
            const section = (name: string) => palette(page).getByRole("group", { name, exact: true });
            const type = async (text: string, expected: string) => {
              await openPalette(page);
              await page.keyboard.type(text);
              await eventually(async () => assert.equal(await activeOption(page), expected));
              await page.keyboard.press("Enter");
            };
            await open(page, "/admin/users");
            // Ctrl+K works in a field, and the field has the focus again afterwards.
            const search = page.getByLabel("Search users");
            await search.focus();
            await openPalette(page);
            await section("Pinned").getByRole("option", { name: "files" }).waitFor();
            await section("Administration").getByRole("option", { name: "Audit log" }).waitFor();
            await section("Pages").getByRole("option", { name: "Shares g s" }).waitFor();
            assert.equal(await activeOption(page), "files");
            await page.keyboard.press("ArrowUp");
            await eventually(async () => assert.notEqual(await activeOption(page), "files"));
            await page.keyboard.press("ArrowDown");
            await eventually(async () => assert.equal(await activeOption(page), "files"));
            await page.keyboard.press("Escape");
            await palette(page).waitFor({ state: "detached" });
            await search.and(page.locator(":focus")).waitFor();
            // What was found is there at once the next time, whether or not anything answers.
            await page.route(/\/api\/(?:me|backends)\//, () => {});
            await page.keyboard.press("Control+k");
            await section("Pinned").getByRole("option", { name: "files" }).waitFor();
            await page.keyboard.press("Escape");
            await palette(page).waitFor({ state: "detached" });
            await page.unrouteAll();

            await type("adl", "Audit log");
            await landOn(page, "**/admin/audit");
            await type("fil", "files");
            await landOn(page, "**/b/local/files");
            // What the page can do is offered with its keys, its own before the frame's.
            await type("new fol", "New folder");
            await page.getByRole("dialog", { name: "New folder" }).waitFor();
            await page.keyboard.press("Control+k");
            await page.keyboard.press("Escape");
            await page.getByRole("dialog").waitFor({ state: "detached" });
            await type("light", "Switch between light and dark");
            await page.waitForSelector("html[data-theme]");
            await type("s3://files/docs/", "Go to s3://files/docs/");
            await landOn(page, "**/b/local/files?p=docs/");
            await page.getByRole("button", { name: "Search or go to…" }).click();
            await page.locator("#palette-list:not([aria-busy])").waitFor();
            await page.keyboard.type("fil");
            await palette(page).locator("mark", { hasText: "fil" }).first().waitFor();
            await palette(page).getByRole("option", { name: "Search all buckets for “fil”" }).click();
            await landOn(page, "**/search?q=fil");
          });
          await withPage({ browser, user: "reader" }, async (page) => {
            await open(page, "/me");
            await openPalette(page);
            await page.keyboard.type("audit");
            await palette(page).getByRole("option", { name: "Search all buckets" }).waitFor();
            assert.equal(await palette(page).getByRole("option").count(), 1);
          });
          await checkLooks(program, { name: "palette", path: "/me", user: "admin", prepare: openPalette });
        }),
    ),
});
