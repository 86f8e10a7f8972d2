import assert from "node:assert/strict";
import { accessibilityFaults, skipBrowser } from "../support/browser.ts";
import { json, status } from "../support/http_client.ts";
import { landOn } from "../support/looks.ts";
import { until } from "../support/poll.ts";
import { browsing, open } from "./browsing.ts";
import { choose, onlyShare, qrText, rowOf, samples, unlocked, untilCopied, users } from "./sharing.ts";

const ignore = skipBrowser();

Deno.test({
  name:
    "shares: an object is shared from its row, and its link copied, shown as a QR code, and revoked again",
  ignore,
  fn: () =>
    browsing(
      { samples, users, config: { server: { public_url: "https://share.example.org" } } },
      ({ program, withPage }) =>
        withPage({ user: "maria" }, async (page) => {
          await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
          const maria = await program.signedIn("maria");
          await open(page, "/b/local/files");
          await choose(page, "readme.md", "Share…");
          const dialog = page.getByRole("dialog", { name: "Share this object" });
          for (const way of ["Presigned URL", "Share link"]) {
            const button = dialog.getByRole("button", { name: way, pressed: true });
            await dialog.getByRole("button", { name: way }).click();
            await button.and(page.locator(":focus")).waitFor();
          }
          await dialog.getByText("1 day").click();
          await dialog.getByLabel("Download limit").fill("many");
          await dialog.getByRole("button", { name: "Create link" }).click();
          await dialog.getByText("A whole number from 1 on").waitFor();
          await dialog.getByLabel("Download limit").fill("5");
          await dialog.getByRole("button", { name: "Generate" }).click();
          const typed = dialog.getByRole("textbox", { name: "Password" });
          await until(async () => (await typed.inputValue()).length === 20, { what: "a password" });
          const password = await typed.inputValue();
          await dialog.getByText("Hard to guess").waitFor();
          await dialog.getByLabel("Note").fill("for Ana");
          await dialog.getByRole("button", { name: "Create link" }).click();
          const result = page.getByRole("dialog", { name: "The link is ready" });
          await result.waitFor();

          const made = await onlyShare(maria);
          assert.match(made.url, /^https:\/\/share\.example\.org\/s\/[A-Za-z0-9]{22}$/);
          assert.deepEqual(
            [made.key, made.has_password, made.max_downloads, made.note, made.disposition],
            ["readme.md", true, 5, "for Ana", "attachment"],
          );
          const left = Date.parse(made.expires_at) - Date.now();
          assert.ok(left > 23 * 3_600_000 && left <= 24 * 3_600_000, `${left} ms`);

          assert.equal(await result.getByRole("textbox", { name: "Link" }).inputValue(), made.url);
          await result.getByRole("button", { name: "Copy link" }).click();
          await untilCopied(page, made.url);
          assert.equal(await result.getByRole("textbox", { name: "Password" }).inputValue(), password);
          await result.getByRole("button", { name: "Copy password" }).click();
          await untilCopied(page, password);
          assert.equal(await qrText(page), made.url);
          const download = page.waitForEvent("download");
          await result.getByRole("button", { name: "QR code as SVG" }).click();
          assert.equal((await download).suggestedFilename(), "readme.md.svg");
          const picture = page.waitForEvent("download");
          await result.getByRole("button", { name: "QR code as PNG" }).click();
          assert.deepEqual(
            [...(await Deno.readFile(await (await picture).path())).subarray(0, 4)],
            [0x89, 0x50, 0x4e, 0x47],
          );
          await result.getByText("Show command").click();
          const command = await result.locator("details pre").innerText();
          assert.ok(command.includes(`${program.url}/api/shares`) && !command.includes(password), command);
          assert.equal(await result.getByText("Only this computer").count(), 0);
          await result.getByRole("button", { name: "Done" }).click();
          await result.waitFor({ state: "detached" });
          assert.equal(await unlocked(program, made.code, password), 204);

          await open(page, "/b/local/files?o=readme.md&tab=access");
          const section = page.getByRole("region", { name: "Shares" });
          await section.getByText("0 of 5 downloads").waitFor();
          assert.deepEqual(await accessibilityFaults(page), []);
          await section.getByRole("button", { name: "Revoke…" }).click();
          await page.getByRole("button", { name: "Revoke link" }).click();
          await section.waitFor({ state: "detached" });
          assert.equal((await json(maria.get(`/api/shares/${made.id}`))).state, "revoked");
        }),
    ),
});

Deno.test({
  name: "sharing: a folder is shared by keyboard alone; g s leads to the page of shares",
  ignore,
  fn: () =>
    browsing({ samples, users }, ({ program, withPage }) =>
      withPage({ user: "maria" }, async (page) => {
        const press = async (...keys: string[]) => {
          for (const key of keys) await page.keyboard.press(key);
        };
        const held = Promise.withResolvers<void>();
        await page.route(/\/share_dialog\.js$/, async (route) => {
          await held.promise;
          await route.continue();
        });
        await open(page, "/b/local/files");
        await page.getByRole("link", { name: "readme.md" }).waitFor();
        await page.locator("#objects").focus();
        await press("Home");
        await page.locator('[data-folder="docs/"][data-active]').waitFor();
        const asked = page.waitForRequest(/\/share_dialog\.js$/);
        await press("s");
        await asked;
        // A press while its files are loaded does not open it twice.
        await press("s");
        held.resolve();
        const dialog = page.getByRole("dialog", { name: "Share this folder" });
        await dialog.getByRole("radio", { name: "7 days" }).and(page.locator(":focus")).waitFor();
        await press("ArrowRight");
        await dialog.getByRole("radio", { name: "30 days", checked: true }).waitFor();
        await press("Enter");
        const result = page.getByRole("dialog", { name: "The link is ready" });
        await result.getByText("Only this computer reaches that address").waitFor();
        await press("Escape");
        await result.waitFor({ state: "detached" });
        const made = await onlyShare(await program.signedIn("maria"));
        assert.deepEqual([made.kind, made.key], ["folder", "docs/"]);
        await page.locator("#objects:focus").waitFor();
        await Promise.all([press("g"), press("s")]);
        await landOn(page, "**/shares");
        await rowOf(page, "docs").waitFor();
        await page.getByRole("link", { name: "docs" }).click();
        await landOn(page, "**/b/local/files?p=docs/");
        await page.getByRole("link", { name: "a.txt" }).waitFor();
        await page.locator("#objects").focus();
        await press("Control+a", "s");
        const several = page.getByRole("dialog", { name: "Share these items" });
        await several.getByText("2 items").waitFor();
        await press("Enter");
        await result.getByText("Show command").click();
        const command = await result.locator("details pre").innerText();
        assert.ok(command.includes('"keys":["docs/a.txt"'), command);
        await press("Escape");
        const maria = await program.signedIn("maria");
        const { shares: [selection] } = await json(maria.get("/api/shares?kind=selection"));
        assert.deepEqual([selection.key, selection.key_count], ["docs/", 2]);
        const recipient = program.client();
        const { files } = await json(recipient.get(`/s/${selection.code}/list`));
        assert.deepEqual(files.map(({ path }: { path: string }) => path).sort(), [
          "a.txt",
          "report with a rather long name for 2026.txt",
        ]);
      })),
});

Deno.test({
  name: "sharing: what cannot be shared is said in the dialog",
  ignore,
  fn: () =>
    browsing(
      { samples, users },
      ({ program, withPage }) =>
        withPage({ user: "maria", expectedErrors: [/status of 404/] }, async (page) => {
          await open(page, "/b/local/files");
          await page.getByRole("link", { name: "photo.png" }).waitFor();
          const maria = await program.signedIn("maria");
          const gone = "/api/backends/local/buckets/files/object?key=photo.png";
          assert.ok((await status(maria.delete(gone))) < 300);
          await choose(page, "photo.png", "Share…");
          const dialog = page.getByRole("dialog", { name: "Share this object" });
          await dialog.getByRole("button", { name: "Create link" }).click();
          await dialog.getByRole("alert").getByText("It may have been deleted").waitFor();
          await dialog.getByRole("button", { name: "Create link" }).and(page.locator(":enabled")).waitFor();
        }),
    ),
});
