import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { landOn, openPage } from "../support/looks.ts";
import { testPassword, withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";

const german = { "accept-language": "de-DE,de;q=0.9,en;q=0.5" };

upstreamTest(["embedded"], "the places in German", async (upstream, t) => {
  if (skipBrowser()) return;
  const backends = [{ id: "main", name: "Hauptspeicher", upstream }];
  await withProgram({ backends }, async (program) => {
    const admin = await program.signedIn();
    const api = "/api/backends/main/buckets";
    await json(admin.post(api, { json: { name: "fotos" } }), 201);
    const headers = { "content-type": "text/plain" };
    await json(admin.post(`${api}/fotos/object?key=a.txt`, { body: "x".repeat(1500), headers }), 201);
    await json(admin.put(`${api}/fotos/quota`, { json: { soft_bytes: 0, hard_bytes: 1_500_000 } }));
    await json(admin.post(`${api}/fotos/quota/recompute`));
    await withSharedBrowser((browser) =>
      withPage(program, { session: admin, browser, expectedErrors: [/status of 400/] }, async (page) => {
        await page.setExtraHTTPHeaders(german);

        await t.step("as the browser prefers it, with numbers and dates of the language", async () => {
          await openPage(page, "/");
          await page.getByRole("heading", { name: "Übersicht", exact: true }).waitFor();
          await page.getByRole("heading", { name: "Angeheftet" }).waitFor();
          await page.locator(".backend-size", { hasText: "1,46 KiB" }).waitFor();
          await json(admin.post(`${api}/fotos/quota/recompute`));
          await openPage(page, "/b/main");
          await page.getByText("1,46 KiB von 1,43 MiB").waitFor();
          await page.getByText("Stand gerade eben").waitFor();
          const created = await page.locator("td[data-label=Angelegt] time").getAttribute("title");
          assert.match(created ?? "", /^\d{1,2}\. [A-ZÄa-zä]+\.? \d{4}/, "a German date");
          await openPage(page, "/search?q=fot");
          await page.getByRole("heading", { name: "1 Bucket" }).waitFor();
          await openPage(page, "/me");
          await page.getByRole("heading", { name: "Ihr Konto" }).waitFor();
          assert.deepEqual(await untranslated(page), []);
        });

        await t.step("sizes are in the units that were chosen, where they are given too", async () => {
          await page.getByRole("button", { name: "kB, MB, GB" }).click();
          await page.getByText("1.500.000 Byte werden als 1,50 MB angezeigt.").waitFor();
          await page.getByRole("button", { name: "kB, MB, GB", pressed: true }).waitFor();
          await page.getByRole("link", { name: "Hauptspeicher" }).click();
          await landOn(page, /\/b\/main$/);
          await page.getByText("1,50 kB von 1,50 MB").waitFor();
          await page.getByRole("button", { name: "Bucket anlegen" }).click();
          const unit = page.getByLabel("Einheit: Harte Grenze");
          await unit.waitFor();
          assert.deepEqual(await unit.locator("option").allInnerTexts(), ["MB", "GB", "TB"]);
          await page.keyboard.press("Escape");
          // As the server draws it, before any script runs; what a page does not have in time is left to that.
          const { cookies } = admin;
          const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
          const headers = { ...german, cookie: `${cookie}; ui_units=si` };
          const first = await (await fetch(`${program.url}/b/main?wait=1`, { headers })).text();
          assert.match(first, /1,50 kB von 1,50 MB/);
          assert.match(first, /<html lang="de" data-units="si">/);
          await page.context().clearCookies({ name: "ui_units" });
        });

        await t.step("an error is told in German, and what the server says of it as a detail", async () => {
          await openPage(page, "/me");
          await page.getByLabel("Aktuelles Passwort").fill(testPassword);
          await page.getByLabel("Neues Passwort").fill(testPassword);
          await page.getByRole("button", { name: "Passwort ändern" }).click();
          const error = page.locator(".field-error", { hasText: "Das Passwort ist zu leicht zu erraten." });
          await error.locator("[lang=en]").waitFor();
        });

        await t.step("addresses run from left to right in a script that does not", async () => {
          await openPage(page, "/");
          await page.evaluate("document.documentElement.dir = 'rtl'");
          const direction = `getComputedStyle(document.querySelector("main code")).direction`;
          assert.equal(await page.evaluate(direction), "ltr");
        });

        await t.step("but what was chosen in this browser goes before", async () => {
          await page.context().addCookies([{ name: "ui_language", value: "en", url: program.url }]);
          for (const [path, heading] of [["/", "Overview"], ["/search", "Search"], ["/me", "Your account"]]) {
            await openPage(page, path);
            await page.getByRole("heading", { name: heading, exact: true }).waitFor();
            assert.equal(await page.locator("html").getAttribute("lang"), "en");
          }
          await openPage(page, "/b/main");
          await page.getByText("1.46 KiB of 1.43 MiB").waitFor();
        });
      })
    );
  });
});

/** What of the page is the key of a text: a text that was not sent along. */
async function untranslated(page: Page): Promise<string[]> {
  const text = await page.locator("main").innerText();
  return text.match(/\b(?:overview|buckets|search|account|sign_in|common)\.[a-z_]+\b/g) ?? [];
}
