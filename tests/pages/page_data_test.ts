import assert from "node:assert/strict";
import { contentSecurityPolicy } from "../../src/pages/html_response.ts";
import { type Client, json, status } from "../support/http_client.ts";
import { assertInert } from "../support/inert_page.ts";
import { type Program, testPassword, withProgram } from "../support/program.ts";
import { skipUpstream, type Upstream, withUpstream } from "../support/upstreams.ts";

const hostile = `</script><img src=x onerror=alert(1)>`;

/** Every page, with what may stand in its address. */
const pages = [
  "/",
  "/me",
  "/search?q=a&scope=one/files",
  "/transfers",
  "/transfers?scope=all",
  "/shares",
  "/shares?scope=all",
  "/credentials",
  "/b/one",
  "/b/one/files",
  "/b/one/files?o=a.txt",
  "/b/one/files/insights",
  "/b/one/files/settings/general",
  "/b/one/files/settings/policy",
  "/admin/usage",
  "/admin/health",
  "/admin/backends",
  "/admin/users",
  "/admin/credentials",
  "/admin/audit",
  "/nowhere",
];

/** What code may take for something else: names of what every object has, markup, addresses. */
const tricks = [
  "__proto__",
  "constructor",
  "toString",
  hostile,
  "//evil.example",
  "javascript:alert(1)",
  "\u{10ffff}",
  "-1",
];

const parameters =
  ("q scope scan o p tab v view type at sort dir token from days window settings state backend bucket " +
    "role source enabled query wait limit").split(" ");

const asData = { headers: { "x-page-data": "1" } };

async function textOf(client: Client, path: string, options = {}) {
  const response = await client.get(path, options);
  return { response, text: await response.text() };
}

function withSecrets(body: (program: Program, upstream: Upstream) => Promise<void>): Promise<void> {
  const config = {
    s3_proxy: { enabled: true, listen: "127.0.0.1:0" },
    ratelimit: { api_per_minute: 100_000 },
  };
  return withUpstream("embedded", (upstream) => {
    const backends = [{ id: "one", name: hostile, upstream }];
    const users = { admin: "admin", maria: "user", reader: "readonly" } as const;
    return withProgram({ backends, users, config }, (program) => body(program, upstream));
  });
}

Deno.test({
  name:
    "pages as documents and as data: for their user alone, without secrets, whatever stands in the address",
  ignore: skipUpstream("embedded"),
  fn: (t) =>
    withSecrets(async (program, upstream) => {
      const admin = await program.signedIn();
      const maria = await program.signedIn("maria");
      const buckets = "/api/backends/one/buckets";
      await json(admin.post(buckets, { json: { name: "files" } }), 201);
      await status(admin.post(`${buckets}/files/object?key=a.txt`, { body: "text" }));
      const scope = { backend_id: "one", buckets: ["files"] };
      const minted = await json(
        maria.post("/api/me/s3-credentials", { json: { ...scope, description: hostile } }),
        201,
      );
      const share = {
        backend_id: "one",
        bucket: "files",
        key: "a.txt",
        note: hostile,
        password: "share password",
      };
      await json(maria.post("/api/shares", { json: share }), 201);
      const secrets = [
        upstream.secretKey,
        minted.secret_key,
        testPassword,
        share.password,
        ...[admin, maria].flatMap((client) => [...client.cookies.values()]),
        "$argon2",
        "$scrypt",
        (await Deno.readTextFile(`${program.directory}/root.key`)).trim(),
      ];
      const assertNoSecrets = (text: string, path: string) =>
        secrets.forEach((secret, index) =>
          assert.ok(secret.length > 5 && !text.includes(secret), `${path} tells secret ${index}`)
        );

      await t.step("both have the headers that keep others out, and no secrets", async () => {
        for (const path of pages) {
          const document = await textOf(admin, path);
          assert.equal(document.response.status, path === "/nowhere" ? 404 : 200, path);
          assertInert(document.text, path);
          assertNoSecrets(document.text, path);
          const data = await textOf(admin, path, asData);
          assertNoSecrets(data.text, path);
          assert.equal(data.response.status, document.response.status, path);
          assert.match(data.response.headers.get("content-type") ?? "", /^application\/json/, path);
          assert.equal(data.response.headers.get("x-page-data"), "1");
          assert.equal(JSON.parse(data.text).me.username, "admin");
          for (const { headers } of [document.response, data.response]) {
            assert.equal(headers.get("cache-control"), "no-store", path);
            assert.match(headers.get("vary") ?? "", /x-page-data/i, path);
            assert.equal(headers.get("cross-origin-resource-policy"), "same-origin", path);
            assert.equal(headers.get("x-content-type-options"), "nosniff", path);
            assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/, path);
            assert.equal(headers.get("access-control-allow-origin"), null, path);
          }
          assert.equal(document.response.headers.get("content-security-policy"), contentSecurityPolicy, path);
        }
      });

      await t.step("no parameter breaks a page", async () => {
        const statuses = new Set<number>();
        for (const path of pages) {
          // One at a time, since a refused one hides the others, and each with every trick on one of the pages.
          for (const [index, name] of parameters.entries()) {
            const trick = tricks[(index + pages.indexOf(path)) % tricks.length];
            const address = `${path}${path.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(trick)}`;
            const { response, text } = await textOf(admin, address);
            statuses.add(response.status);
            if (response.status !== 303) assertInert(text, address);
            else assert.match(response.headers.get("location") ?? "", /^\/(?!\/)/, address);
          }
        }
        assert.deepEqual([...statuses].sort(), [200, 303, 400, 404]);
        for (const section of ["__proto__", "constructor", "toString"]) {
          assert.equal(await status(admin.get(`/b/one/files/settings/${section}`)), 404, section);
        }
      });

      await t.step("data goes to the user's own pages alone", async () => {
        for (const site of ["cross-site", "same-site", "none"]) {
          const headers = { ...asData.headers, "sec-fetch-site": site };
          const { response } = await textOf(admin, "/me", { headers });
          assert.match(response.headers.get("content-type") ?? "", /^text\/html/, site);
        }
        const preflight = await admin.request("OPTIONS", "/me", {
          headers: { "origin": "https://evil.example", "access-control-request-headers": "x-page-data" },
        });
        assert.equal(preflight.headers.get("access-control-allow-headers"), null);
        await preflight.body?.cancel();

        const visitor = await program.client().get("/credentials", asData);
        assert.match(visitor.headers.get("location") ?? "", /^\/login\?next=/);
        await visitor.body?.cancel();
        const login = JSON.parse((await textOf(program.client(), "/login", asData)).text);
        assert.deepEqual([login.me, login.island, login.props, login.backends], [null, null, {}, []]);

        const reader = await program.signedIn("reader");
        for (const path of pages.filter((path) => path.startsWith("/admin/") || path.endsWith("scope=all"))) {
          const { response, text } = await textOf(reader, path, asData);
          assert.equal(response.status, 403, path);
          assert.equal(JSON.parse(text).island, "error", path);
        }
        const own = (await textOf(reader, "/credentials", asData)).text +
          (await textOf(reader, "/shares", asData)).text;
        assert.doesNotMatch(own, new RegExp(minted.access_key));
        assert.doesNotMatch(own, /a\.txt/);
        const trial = `/api/me/s3-credentials/${minted.access_key}/test`;
        assert.equal(
          await status(reader.post(trial, { json: {} })),
          404,
          "another one's credential is not tried",
        );
      });

      await t.step("who must change their password first is shown nothing else", async () => {
        const account = {
          username: "new",
          password: "a first password",
          role: "admin",
          must_change_pw: true,
        };
        await json(admin.post("/api/admin/users", { json: account }), 201);
        const fresh = await program.client().signIn("new", account.password);
        for (const path of pages.filter((path) => path !== "/me" && path !== "/nowhere")) {
          const { response, text } = await textOf(fresh, path, asData);
          assert.equal(response.status, 303, `${path}: ${text.slice(0, 200)}`);
          const onward = path === "/" ? "" : `?${new URLSearchParams({ next: path })}`;
          assert.equal(response.headers.get("location"), `/me${onward}`, path);
        }
        for (const path of ["/me", "/nowhere"]) {
          const { backends, props } = JSON.parse((await textOf(fresh, path, asData)).text);
          assert.deepEqual([backends, props.sessions ?? []], [[], []], path);
        }
      });

      await t.step(
        "the log tells no secrets either",
        () => assertNoSecrets(JSON.stringify(program.logs()), "log"),
      );
    }),
});
