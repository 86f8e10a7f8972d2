import assert from "node:assert/strict";
import { skipBrowser } from "../support/browser.ts";
import { json, status } from "../support/http_client.ts";
import { checkLooks, landOn } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { browsing, open } from "./browsing.ts";
import { choose, qrText, rowOf, samples, share, unlocked, untilCopied, users } from "./sharing.ts";

const ignore = skipBrowser();

Deno.test({
  name: "shares: the page edits, filters and revokes",
  ignore,
  fn: () =>
    browsing({ samples, users }, ({ program, withPage }) =>
      withPage({ user: "maria" }, async (page) => {
        const maria = await program.signedIn("maria");
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        await open(page, "/shares");
        await page.getByText("You share nothing yet").waitFor();
        const guarded = await share(maria, "docs/a.txt", { password: "old password", max_downloads: 3 });
        const soon = new Date(Date.now() + 3_600_000).toISOString();
        await share(maria, "photo.png", { expires_at: soon });
        await share(maria, "readme.md");

        await open(page, "/shares");
        await rowOf(page, "a.txt").getByText("0 of 3").waitFor();
        await page.getByRole("button", { name: "Copy link to a.txt" }).click();
        await untilCopied(page, guarded.url);
        await page.getByRole("button", { name: "QR code of the link to a.txt" }).click();
        await page.getByRole("dialog", { name: "Link to a.txt" }).waitFor();
        assert.equal(await qrText(page), guarded.url);
        await page.keyboard.press("Escape");

        await choose(page, "a.txt", "Edit…");
        const dialog = page.getByRole("dialog", { name: "Share of a.txt" });
        await dialog.getByText("Change it").click();
        await dialog.getByRole("button", { name: "Save" }).click();
        await dialog.getByText("Enter the new password.").waitFor();
        await dialog.getByRole("textbox", { name: "New password" }).fill("new password");
        await dialog.getByLabel("Download limit").fill("9");
        await dialog.getByText("Open in the browser").click();
        await dialog.getByRole("button", { name: "Save" }).click();
        await rowOf(page, "a.txt").getByText("0 of 9").waitFor();
        const changed = await json(maria.get(`/api/shares/${guarded.id}`));
        assert.deepEqual([changed.disposition, changed.expires_at], ["inline", null]);
        assert.equal(await unlocked(program, guarded.code, "old password"), 401);
        assert.equal(await unlocked(program, guarded.code, "new password"), 204);

        await choose(page, "a.txt", "Access log…");
        const drawer = page.getByRole("dialog", { name: "Share of a.txt: access" });
        await drawer.getByText("Wrong password").waitFor();
        const { accesses, next_cursor } = await json(maria.get(`/api/shares/${guarded.id}/access?limit=1`));
        assert.deepEqual(accesses.map(({ result, ip }: { result: string; ip?: string }) => [result, ip]), [
          ["ok", undefined],
        ]);
        const older = await json(maria.get(`/api/shares/${guarded.id}/access?cursor=${next_cursor}`));
        assert.equal(older.accesses[0].result, "bad_password");
        assert.equal(
          await status((await program.signedIn("guest")).get(`/api/shares/${guarded.id}/access`)),
          403,
        );
        await drawer.getByRole("button", { name: "Edit…" }).click();
        await dialog.getByText("Remove it").click();
        await dialog.getByRole("button", { name: "Save" }).click();
        await rowOf(page, "a.txt").getByText("Password").waitFor({ state: "detached" });

        await page.getByRole("link", { name: "Expiring within 48 h" }).click();
        await landOn(page, "**/shares?state=expiring");
        await page.getByText("1 of 1 share shown").waitFor();
        await rowOf(page, "photo.png").getByText("Expires soon").waitFor();
        await page.getByRole("link", { name: "With password" }).click();
        await landOn(page, "**/shares?state=protected");
        await page.getByText("No share matches").waitFor();
        await page.getByRole("link", { name: "All", exact: true }).click();
        await landOn(page, "**/shares");
        await page.getByRole("combobox", { name: "Kind" }).selectOption("File requests");
        await page.getByRole("button", { name: "Filter" }).click();
        await landOn(page, "**/shares?kind=upload");
        await page.getByText("No share matches").waitFor();
        await page.getByRole("combobox", { name: "Kind" }).selectOption("Objects");
        await page.getByRole("button", { name: "Filter" }).click();
        await landOn(page, "**/shares?kind=object");
        await page.getByText("3 of 3 shares shown").waitFor();
        await page.getByRole("link", { name: "With password" }).click();
        await landOn(page, "**/shares?state=protected&kind=object");
        await page.getByRole("link", { name: "Show all" }).click();
        await landOn(page, "**/shares");
        await page.getByRole("textbox", { name: "Bucket" }).fill("other");
        await page.getByRole("button", { name: "Filter" }).click();
        await landOn(page, "**/shares?bucket=other");
        await page.getByText("No share matches").waitFor();
        await page.getByRole("link", { name: "Clear" }).click();
        await landOn(page, "**/shares");

        await page.getByLabel("Select photo.png").check();
        await page.getByLabel("Select readme.md").check();
        await page.getByText("2 links selected").waitFor();
        await page.getByRole("button", { name: "Revoke", exact: true }).click();
        await page.getByRole("button", { name: "Revoke 2 links" }).click();
        await page.getByText("2 links are revoked.").waitFor();
        await eventually(async () =>
          assert.equal(await page.getByRole("row").getByText("Revoked", { exact: true }).count(), 2)
        );
        assert.equal((await json(maria.get("/api/shares?state=revoked"))).total, 2);
        await choose(page, "a.txt", "Revoke…");
        await page.getByRole("button", { name: "Revoke link" }).click();
        await page.getByText("The link is revoked.").waitFor();
        assert.equal((await json(maria.get(`/api/shares/${guarded.id}`))).state, "revoked");
      })),
});

Deno.test({
  name:
    "shares: an administrator sees everyone's; a reader shares nothing; more than a page is loaded on demand",
  ignore,
  fn: () =>
    browsing({ samples, users }, async ({ program, withPage }) => {
      const maria = await program.signedIn("maria");
      for (let made = 0; made < 101; made++) await share(maria, "readme.md", { note: `number ${made}` });
      await withPage({ user: "admin" }, async (page) => {
        await open(page, "/shares");
        await page.getByText("You share nothing yet").waitFor();
        await page.getByRole("link", { name: "Everyone’s" }).click();
        await landOn(page, "**/shares?scope=all");
        await page.getByText("100 of 101 shares shown").waitFor();
        await page.getByRole("button", { name: "Load more" }).click();
        await page.getByText("101 of 101 shares shown").waitFor();
        await page.getByText("number 0", { exact: true }).waitFor();
        const row = rowOf(page, "number 100");
        await row.getByRole("link", { name: "maria" }).click();
        await landOn(page, "**/shares?by=*");
        await page.getByText("Created by maria").waitFor();
        await page.getByText("100 of 101 shares shown").waitFor();
        await row.getByRole("button", { name: "Actions for readme.md" }).click();
        await page.getByRole("menuitem", { name: "Access log…" }).click();
        await page.getByText("Nobody has opened the link yet.").waitFor();
        await page.getByRole("link", { name: "Show in the audit log" }).click();
        await landOn(page, /\/admin\/audit\?action=share\.access&backend=local&bucket=files&key=readme\.md$/);

        await open(page, "/admin/users");
        await choose(page, "maria", "Delete…");
        await page.getByText("101 links by which they share objects").waitFor();
        await page.getByRole("button", { name: "Delete user" }).click();
        await page.getByText("maria is deleted.").waitFor();
        await open(page, "/shares?scope=all&state=active");
        await page.getByText("No share matches").waitFor();
      });
      await withPage({ user: "guest", expectedErrors: [/status of 403/] }, async (page) => {
        await open(page, "/b/local/files?o=readme.md");
        await page.locator(".details").getByText("Hello").waitFor();
        await page.getByRole("checkbox", { name: "Select readme.md" }).click();
        await page.getByText("1 item selected").waitFor();
        assert.equal(await page.getByRole("button", { name: "Share", exact: true }).count(), 0);
        await page.getByRole("button", { name: "Actions for readme.md" }).click();
        await page.getByRole("menuitem", { name: "Copy link" }).waitFor();
        assert.equal(await page.getByRole("menuitem", { name: "Share…" }).count(), 0);
        await page.keyboard.press("Escape");
        await page.keyboard.press("s");
        await page.goto("/shares?scope=all");
        await page.getByRole("heading", { level: 1 }).waitFor();
        assert.equal(await page.getByRole("table").count(), 0);
        await open(page, "/shares");
        await page.getByText("You share nothing").waitFor();
      });
    }),
});

Deno.test({
  name: "shares: looks",
  ignore,
  fn: () =>
    browsing({ samples, users }, async ({ program }) => {
      const [admin, maria] = [await program.signedIn(), await program.signedIn("maria")];
      await share(maria, "docs/", { note: "for the auditors, until the end of the quarter" });
      await share(admin, "docs/report with a rather long name for 2026.txt", {
        max_downloads: 3,
        password: "x",
      });
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      await share(admin, "readme.md", { expires_at });
      const { id } = await share(admin, "photo.png");
      assert.equal(await status(admin.delete(`/api/shares/${id}`)), 204);
      const { id: used, code } = await share(admin, "docs/a.txt", { max_downloads: 2 });
      for (let downloads = 0; downloads < 2; downloads++) {
        assert.equal(await status(program.client().get(`/s/${code}/raw`)), 200);
      }
      assert.equal((await json(admin.get(`/api/shares/${used}`))).state, "exhausted");
      await checkLooks(program, { name: "shares", path: "/shares?scope=all", user: "admin" });
      await checkLooks(program, {
        name: "share-made",
        path: "/b/local/files",
        user: "admin",
        async prepare(page) {
          await choose(page, "readme.md", "Share…");
          await page.getByRole("button", { name: "Generate" }).click();
          await page.getByRole("button", { name: "Create link" }).click();
          await page.getByRole("img", { name: "QR code of the link" }).waitFor();
        },
      });
      await checkLooks(program, {
        name: "share-edit",
        path: "/shares",
        user: "admin",
        async prepare(page) {
          await choose(page, "report with a rather long name for 2026.txt", "Edit…");
          await page.getByText("Change it").click();
          await page.getByRole("textbox", { name: "New password" }).waitFor();
        },
      });
    }),
});
