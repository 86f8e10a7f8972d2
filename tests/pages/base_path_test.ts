import assert from "node:assert/strict";
import { ownSegments } from "../../src/config/fields.ts";
import { json } from "../support/http_client.ts";
import { startPathProxy } from "../support/path_proxy.ts";
import { testPassword, withProgram } from "../support/program.ts";
import { RawConnection } from "../support/raw_connection.ts";

const basePath = "/storage";
const config = { server: { public_url: `https://example.com${basePath}` } };

/** Asks for a path as it is, byte for byte. */
async function ask(
  url: string,
  path: string,
): Promise<{ status: number; location: string | null; body: string }> {
  using connection = await RawConnection.open(url);
  await connection.send(
    `GET ${path} HTTP/1.1\r\nHost: example.com\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
  );
  const { status, head, body } = await connection.answer();
  return { status, location: /^location: (.*)\r$/im.exec(head)?.[1] ?? null, body };
}

Deno.test("a program below a path answers with it and without it, and to nothing that looks like it", () =>
  withProgram({ config }, async ({ url }) => {
    for (
      const [path, status, location] of [
        ["/storage", 308, "/storage/"],
        ["/storage?window=day", 308, "/storage/?window=day"],
        ["/storage/", 303, "/storage/login"],
        ["/", 303, "/storage/login"],
        ["/storage/b/main?p=a/", 303, "/storage/login?next=%2Fb%2Fmain%3Fp%3Da%2F"],
        ["/b/main", 303, "/storage/login?next=%2Fb%2Fmain"],
        ["/storage/login", 200, null],
        ["/login", 200, null],
        ["/storage/healthz", 200, null],
        ["/healthz", 200, null],
        ["/storage/readyz", 200, null],
        ["/storage/metrics", 404, null],
        ["/storage/./metrics", 404, null],
        ["/storage/%6detrics", 404, null],
        ["/metrics", 200, null],
        ["/storage/api/auth/config", 200, null],
        ["/storage/api/me", 401, null],
        ["/storage/storage/login", 404, null],
        ["/storageX/login", 404, null],
        ["/storage../login", 404, null],
        ["/storage%2Flogin", 404, null],
        ["/storage/%2Flogin", 404, null],
        ["/%73torage/login", 404, null],
        ["/STORAGE/login", 404, null],
        ["//storage/login", 404, null],
        ["/storage//login", 404, null],
        ["/x/../storage/login", 404, null],
        ["/storage/nothing", 404, null],
      ] as const
    ) {
      const answer = await ask(url, path);
      assert.deepEqual([answer.status, answer.location], [status, location], path);
    }
    // Whatever the way here, everything that a page asks for is below the path.
    for (const path of ["/login", "/storage/login", "/storage/nothing", "/s/nothing"]) {
      const { body } = await ask(url, path);
      const addresses = [...body.matchAll(/ (?:href|src|action)="([^"#]+)/g)].map(([, address]) => address);
      assert.ok(addresses.length > 3, body);
      assert.deepEqual(addresses.filter((address) => !address.startsWith(`${basePath}/`)), [], path);
    }
    const { body } = await ask(url, "/login");
    const styles = /href="([^"]+app\.css)"/.exec(body)?.[1] ?? "";
    assert.equal((await ask(url, styles)).status, 200);
    assert.equal((await ask(url, styles.slice(basePath.length))).status, 200);
  }));

Deno.test("cookies, redirects, links and the API's own addresses are below the path", () =>
  withProgram({ config }, async ({ url }) => {
    const form = new URLSearchParams({ username: "admin", password: testPassword, next: "/me?x=1" });
    const signIn = (fields: URLSearchParams) =>
      fetch(`${url}/auth/login/local`, { method: "POST", body: fields, redirect: "manual" });
    const good = await signIn(form);
    assert.equal(good.headers.get("location"), "/storage/me?x=1");
    const cookies = good.headers.getSetCookie();
    assert.deepEqual(cookies.map((cookie) => cookie.match(/^[^=]+|; Path=[^;]+/g)?.join("")), [
      "service_session; Path=/storage",
      "service_csrf; Path=/storage",
    ]);
    form.set("password", "wrong");
    assert.equal(
      (await signIn(form)).headers.get("location"),
      "/storage/login?error=invalid_credentials&next=%2Fme%3Fx%3D1",
    );
    // An address that leads out of the path leads nowhere else.
    for (const next of ["//evil.example", "/\\evil.example", "/../../other", "https://evil.example"]) {
      form.set("password", testPassword);
      form.set("next", next);
      const { headers } = await signIn(form);
      assert.match(headers.get("location") ?? "", /^\/storage\/(?:other)?$/, next);
    }
    const language = await fetch(`${url}/storage/login?language=de&next=/me`, { redirect: "manual" });
    assert.equal(language.headers.get("location"), "/storage/login?next=%2Fme");
    assert.match(language.headers.getSetCookie()[0], /^ui_language=de; Path=\/storage;/);
    const document = await json(fetch(`${url}/storage/api/openapi.json`));
    assert.deepEqual(document.servers, [{ url: "/storage" }]);
    const paths = Object.keys(document.paths).map((path) => path.split("/")[1]);
    assert.deepEqual(paths.filter((segment) => !ownSegments.includes(segment)), []);
  }));

Deno.test("no page has an address that a base path may begin with", async () => {
  const found = new Set<string>();
  for await (const { name } of Deno.readDir(new URL("../../src/pages/", import.meta.url))) {
    if (!name.endsWith(".ts")) continue;
    const source = await Deno.readTextFile(new URL(`../../src/pages/${name}`, import.meta.url));
    for (const [, segment] of source.matchAll(/path: ["`]\/([^/"`]+)/g)) found.add(segment);
  }
  assert.ok(found.size > 8, [...found].join());
  assert.deepEqual([...found].filter((segment) => !ownSegments.includes(segment)), []);
});

Deno.test("a test's own proxy refuses what is outside of its path, and takes it away if it is to", async () => {
  const seen: string[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    seen.push(new URL(request.url).pathname);
    return new Response("here");
  });
  const target = `http://127.0.0.1:${server.addr.port}`;
  for (const strips of [true, false]) {
    await using proxy = await startPathProxy("/a", { strips });
    proxy.pass(target);
    const { origin } = new URL(proxy.url);
    assert.equal(await (await fetch(`${proxy.url}/x`)).text(), "here");
    for (const path of ["/x", "/ab/x"]) {
      const response = await fetch(origin + path);
      await response.body?.cancel();
      assert.equal(response.status, 404);
    }
    assert.deepEqual(proxy.refused, ["GET /x", "GET /ab/x"]);
  }
  assert.deepEqual(seen, ["/x", "/a/x"]);
});
