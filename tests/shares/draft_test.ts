import assert from "node:assert/strict";
import "../../src/pages/language.ts";
import { editCommand, shareCommand } from "../../static/lib/shares/command.js";
import {
  apiFields,
  changesOf,
  draftOf,
  draftWithin,
  newDraft,
  newPassword,
  problemsOf,
} from "../../static/lib/shares/draft.js";
import { strengthOf } from "../../static/lib/shares/password_strength.js";
import { apiQuery, filterOf, sharesPage } from "../../static/lib/shares/filter.js";
import { isLoopback, type Share, stateBadge } from "../../static/lib/shares/share.js";

const now = Date.parse("2026-05-04T12:00:00Z");

const share: Share = {
  id: 7,
  url: "https://share.example.org/s/AbCdEfGhIjKlMnOpQrStUv",
  backend_id: "main",
  bucket: "files",
  kind: "object",
  key: "it's.txt",
  version_id: null,
  disposition: "attachment",
  note: "",
  has_password: true,
  max_downloads: 3,
  download_count: 1,
  last_download_at: null,
  created_by: "1",
  created_by_name: "maria",
  created_at: "2026-05-01T12:00:00Z",
  expires_at: "2026-05-05T12:00:00.000Z",
  state: "active",
};

Deno.test("a new share's form: a week, no password, any number of downloads", () => {
  assert.deepEqual(apiFields(newDraft(), now), {
    expires_at: "2026-05-11T12:00:00.000Z",
    max_downloads: null,
    disposition: "attachment",
    note: "",
  });
  assert.equal(apiFields({ ...newDraft(), expiry: "hour" }, now).expires_at, "2026-05-04T13:00:00.000Z");
  assert.equal(apiFields({ ...newDraft(), expiry: "never" }, now).expires_at, null);
});

Deno.test("a limit that is told late takes back only an expiry that it does not allow", () => {
  const day = 24 * 3_600_000;
  const expiryWithin = (expiry: string, longest: number) =>
    draftWithin({ ...newDraft(), expiry }, longest).expiry;
  assert.equal(expiryWithin("week", day), "day");
  assert.equal(expiryWithin("never", 30 * day), "week");
  for (const expiry of ["hour", "day", "custom", "keep"]) assert.equal(expiryWithin(expiry, day), expiry);
  const draft = draftWithin({ ...newDraft(), expiry: "custom", custom: "2027-01-01T00:00" }, day);
  assert.ok(problemsOf(draft, now).custom);
});

Deno.test("a form that cannot be sent says why, field by field", () => {
  assert.deepEqual(problemsOf(newDraft(), now), {});
  assert.ok(problemsOf({ ...newDraft(), expiry: "custom" }, now).custom);
  assert.ok(problemsOf({ ...newDraft(), expiry: "custom", custom: "2020-01-01T00:00" }, now).custom);
  for (const limit of ["0", "-1", "1.5", "two", "99999999999"]) {
    assert.ok(problemsOf({ ...newDraft(), limit }, now).limit, limit);
  }
  assert.deepEqual(problemsOf({ ...newDraft(), limit: "5" }, now), {});
  assert.ok(problemsOf({ ...draftOf(share), passwordMode: "set" }, now, true).password);
});

Deno.test("only what was changed in a share's form is sent", () => {
  const changed = (draft: Partial<ReturnType<typeof draftOf>>) =>
    changesOf(share, apiFields({ ...draftOf(share), ...draft }, now));
  assert.deepEqual(changed({}), {});
  assert.deepEqual(changed({ limit: "" }), { max_downloads: null });
  assert.deepEqual(changed({ passwordMode: "none" }), { password: null });
  assert.deepEqual(changed({ passwordMode: "set", password: "secret" }), { password: "secret" });
  assert.deepEqual(changed({ expiry: "never" }), { expires_at: null });
});

Deno.test("passwords that are made differ and are long", () => {
  const made = new Set(Array.from({ length: 100 }, newPassword));
  assert.equal(made.size, 100);
  for (const password of made) assert.match(password, /^[a-zA-Z2-9]{20}$/);
});

Deno.test("a password is told from one that is guessed", () => {
  for (const weak of ["1", "summer", "Straße", "aaaaaaaaaaaaaaaaaaaa", "12345678"]) {
    assert.equal(strengthOf(weak), "weak", weak);
  }
  assert.equal(strengthOf("blue-74-x"), "fair");
  assert.equal(strengthOf(newPassword()), "strong");
  assert.equal(strengthOf("correct horse battery staple"), "strong");
});

Deno.test("the command is one that a shell understands, and holds no password", async () => {
  const command = shareCommand(share, "https://s3.example.org");
  const shell = new Deno.Command("sh", {
    args: ["-c", `curl() { for word in "$@"; do printf '%s\\n' "$word"; done; }\n${command}`],
    env: { csrf: "token", SHARE_PASSWORD: "secret" },
  });
  const words = new TextDecoder().decode((await shell.output()).stdout).trimEnd().split("\n");
  assert.equal(words.at(-1), "https://s3.example.org/api/shares");
  assert.deepEqual(JSON.parse(words[words.indexOf("--data") + 1]), {
    backend_id: "main",
    bucket: "files",
    key: "it's.txt",
    expires_at: "2026-05-05T12:00:00.000Z",
    max_downloads: 3,
    disposition: "attachment",
    password: "secret",
  });
  assert.ok(words.includes("x-csrf-token: token"));
});

Deno.test("the command that changes a share names it and what changes, and holds no password", () => {
  const fields = { max_downloads: 3, password: "it's secret" };
  assert.equal(
    editCommand(share, fields),
    `curl -sS -X PATCH -b cookies.txt -H "x-csrf-token: $token" -H 'content-type: application/json' \\
  -d '{"max_downloads":3,"password":"SECRET"}' \\
  "$dashboard/api/shares/${share.id}"`,
  );
  assert.match(editCommand(share, { password: null }), /"password":null/);
});

Deno.test("the page's filter goes into its address and back, and to the API", () => {
  const filter = filterOf("?scope=all&state=expiring&backend=main&bucket=a%26b");
  assert.equal(sharesPage(filter), "/shares?scope=all&state=expiring&backend=main&bucket=a%26b");
  assert.deepEqual(apiQuery(filter, now), {
    scope: "all",
    limit: "100",
    backend_id: "main",
    bucket: "a&b",
    state: "active",
    expires_before: "2026-05-06T12:00:00.000Z",
  });
  assert.equal(sharesPage(filterOf("?state=nonsense&scope=own")), "/shares");
});

Deno.test("a share that ends within two days is told from one that does not", () => {
  assert.equal(stateBadge(share, now).word, "Expires soon");
  assert.equal(stateBadge({ ...share, expires_at: null }, now).word, "Active");
  assert.equal(stateBadge({ ...share, state: "exhausted" }, now).word, "Used up");
});

Deno.test("addresses that only this computer reaches are known", () => {
  for (
    const url of [
      "http://127.0.0.1:8080/s/x",
      "http://localhost/s/x",
      "http://[::1]:80/",
      "http://a.localhost/",
    ]
  ) {
    assert.ok(isLoopback(url), url);
  }
  for (
    const url of ["https://share.example.org/s/x", "http://192.168.1.2/", "http://localhost.example.org/"]
  ) {
    assert.ok(!isLoopback(url), url);
  }
});
