import assert from "node:assert/strict";
import { contentSecurityPolicy, escapeJson } from "../../src/pages/html_response.ts";
import { type Client, json } from "../support/http_client.ts";
import { assertInert } from "../support/inert_page.ts";
import { withProgram } from "../support/program.ts";

const users = { admin: "admin", maria: "user", reader: "readonly" } as const;
const hostile = `</script><script>alert("x")</script><img src=x onerror=alert(1)> & 'quotes'`;

async function page(client: Client, path: string, status = 200): Promise<string> {
  const response = await client.get(path);
  const text = await response.text();
  assert.equal(response.status, status, `${path}: ${text.slice(0, 300)}`);
  assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
  assert.equal(response.headers.get("content-security-policy"), contentSecurityPolicy);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("referrer-policy"), "same-origin");
  assertInert(text, path);
  return text;
}

function boot(text: string) {
  return JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(text)?.[1] ?? "");
}

Deno.test("pages", async (t) => {
  await withProgram({ users }, async (program) => {
    const admin = await program.signedIn("admin");
    const reader = await program.signedIn("reader");

    await t.step("a page without a session leads to the sign-in page and back", async () => {
      const response = await program.client().get("/admin/audit?status=error");
      assert.equal(response.status, 303);
      assert.equal(
        response.headers.get("location"),
        `/login?next=${encodeURIComponent("/admin/audit?status=error")}`,
      );
      await response.body?.cancel();
    });

    await t.step("every page is inert HTML with its first data in it", async () => {
      await page(program.client(), "/login");
      for (
        const path of [
          "/",
          "/me",
          "/admin/usage",
          "/admin/health",
          "/admin/backends",
          "/admin/users",
          "/admin/audit",
        ]
      ) {
        const text = await page(admin, path);
        assert.equal(boot(text).me.username, "admin", path);
        assert.match(text, /<h1>/, path);
      }
      assert.match(await page(admin, "/admin/users"), /maria/);
      assert.match(await page(admin, "/admin/audit"), /auth\.login/);
    });

    await t.step("what a user may not see is neither linked nor served", async () => {
      const text = await page(reader, "/");
      assert.doesNotMatch(text, /\/admin\//);
      for (
        const path of ["/admin/usage", "/admin/health", "/admin/backends", "/admin/users", "/admin/audit"]
      ) {
        assert.match(await page(reader, path, 403), /You may not see this page/);
      }
    });

    await t.step("names from outside are shown as text", async () => {
      await json(
        admin.post("/api/admin/backends", {
          json: { id: "odd", name: hostile.slice(0, 99), type: "s3v4", endpoint: "http://127.0.0.1:1" },
        }),
        201,
      );
      const failed = await program.client().post("/auth/login/local", {
        json: { username: hostile, password: "x" },
      });
      assert.equal(failed.status, 401);
      await failed.body?.cancel();
      for (
        const path of ["/", "/admin/backends", "/admin/health", "/admin/usage", "/admin/audit", "/b/odd"]
      ) {
        const text = await page(admin, path);
        assert.doesNotMatch(text, /<script>alert|<img/, path);
      }
      assert.match(
        await page(admin, "/admin/audit?user=" + encodeURIComponent(hostile)),
        /&lt;\/script>|&lt;\/script&gt;/,
      );
    });

    await t.step("cookies choose the look, and nothing else", async () => {
      const look = async (cookie: string) => {
        const text = await page(program.client(), "/login");
        assert.match(text, /<html lang="en">/);
        const response = await program.client().get("/login", { headers: { cookie } });
        return /<html[^>]*>/.exec(await response.text())?.[0];
      };
      assert.equal(
        await look("ui_theme=dark; ui_density=compact; ui_rail=collapsed"),
        '<html lang="en" data-theme="dark" data-density="compact" data-rail="collapsed">',
      );
      assert.equal(await look('ui_theme="><script>; ui_density=huge'), '<html lang="en">');
    });

    await t.step("the page to go on to is one of ours", async () => {
      for (
        const next of ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
      ) {
        const text = await page(program.client(), `/login?next=${encodeURIComponent(next)}`);
        assert.equal(boot(text).props.next, "/", next);
      }
      const response = await admin.get("/login?next=/admin/users");
      assert.equal(response.headers.get("location"), "/admin/users");
      await response.body?.cancel();
    });

    await t.step("unknown pages and files are not found, each in its own way", async () => {
      assert.match(await page(admin, "/nowhere", 404), /Page not found/);
      assert.match(await page(admin, "/b/nowhere", 404), /no such backend/);
      assert.match(await page(program.client(), "/nowhere", 404), /Sign in/);
      const file = await program.client().get("/static/000000000000/app.css");
      assert.equal(file.status, 404);
      assert.match(file.headers.get("content-type") ?? "", /^text\/plain/);
      await file.body?.cancel();
    });
  });
});

Deno.test("a form without script signs in, and says why when it cannot", async () => {
  await withProgram({ users }, async (program) => {
    const client = program.client();
    const submit = (password: string) =>
      client.post("/auth/login/local", {
        body: new URLSearchParams({ username: "maria", password, next: "/me" }),
      });
    const wrong = await submit("wrong");
    assert.equal(wrong.status, 303);
    const failure = wrong.headers.get("location") ?? "";
    await wrong.body?.cancel();
    assert.match(await page(client, failure), /User name or password is wrong/);
    const right = await submit("correct horse battery staple");
    assert.equal(right.headers.get("location"), "/me");
    await right.body?.cancel();
    assert.match(await page(client, "/me"), /Your account/);
  });
});

Deno.test("boot data cannot end its script element", () => {
  assert.doesNotMatch(escapeJson({ text: hostile }), /</);
  assert.deepEqual(JSON.parse(escapeJson({ text: hostile })), { text: hostile });
});
