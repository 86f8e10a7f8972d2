import assert from "node:assert/strict";
import { json, refusal, status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";

Deno.test("an unknown route is JSON under /api and a page elsewhere", () =>
  withProgram({}, async (program) => {
    for (const client of [program.client(), await program.signedIn()]) {
      assert.equal(await refusal(client.get("/api/nothing")), "404 not_found");
      assert.equal(await refusal(client.get("/api")), "404 not_found");
      assert.equal(await refusal(client.post("/api/nothing")), "404 not_found");
      const page = await client.get("/nothing");
      assert.equal(page.status, 404);
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
      const text = await page.text();
      assert.ok(text.includes(page.headers.get("x-request-id") ?? "missing"), "the page names the request");
    }
  }));

Deno.test("a wrong method is 405 and says which are right", () =>
  withProgram({}, async (program) => {
    const admin = await program.signedIn();
    for (
      const [method, path, allow] of [
        ["PUT", "/api/me", "GET, HEAD"],
        ["DELETE", "/auth/login/local", "POST"],
        ["POST", "/api/admin/audit", "GET, HEAD"],
        ["PATCH", "/login", "GET, HEAD"],
      ]
    ) {
      const answer = await admin.request(method, path);
      assert.equal(answer.status, 405, path);
      assert.equal(answer.headers.get("allow"), allow);
      await answer.body?.cancel();
    }
  }));

Deno.test("HEAD answers like GET, without a body", () =>
  withProgram({}, async (program) => {
    const admin = await program.signedIn();
    for (const path of ["/api/me", "/me", "/healthz"]) {
      const [head, get] = [await admin.request("HEAD", path), await admin.get(path)];
      assert.equal(head.status, 200);
      assert.equal(head.headers.get("content-type"), get.headers.get("content-type"));
      assert.equal(await head.text(), "");
      await get.body?.cancel();
    }
  }));

Deno.test("pages send those who are not signed in to the sign-in page and back", () =>
  withProgram({}, async (program) => {
    for (
      const [path, location] of [
        ["/", "/login"],
        ["/admin/audit?status=error", "/login?next=%2Fadmin%2Faudit%3Fstatus%3Derror"],
        ["/b/one/two?p=a%2Fb", "/login?next=%2Fb%2Fone%2Ftwo%3Fp%3Da%252Fb"],
      ]
    ) {
      const answer = await program.client().get(path);
      assert.equal(answer.status, 303);
      assert.equal(answer.headers.get("location"), location);
      await answer.body?.cancel();
      const ended = await program.client().get(path, { headers: { cookie: "service_session=ended" } });
      const { pathname, searchParams } = new URL(ended.headers.get("location") ?? "", program.url);
      await ended.body?.cancel();
      const next = path === "/" ? null : path;
      assert.deepEqual([pathname, searchParams.get("error")], ["/login", "unauthorized"]);
      assert.equal(searchParams.get("next"), next);
    }
  }));

Deno.test("administration is closed to others, as JSON for the API and as a page elsewhere", () =>
  withProgram({ users: { ann: "user" } }, async (program) => {
    const ann = await program.signedIn("ann");
    const page = await ann.get("/admin/audit");
    assert.equal(page.status, 403);
    assert.match(await page.text(), /<h1>/);
    for (const path of ["/admin/backends/health", "/api/admin/backends/health", "/api/admin/backends"]) {
      assert.equal(await refusal(ann.get(path)), "403 forbidden", path);
      assert.equal(await refusal(program.client().get(path)), "401 unauthorized", path);
    }
  }));

Deno.test("who must change their password is sent to do so", () =>
  withProgram({}, async (program) => {
    const admin = await program.signedIn();
    const user = {
      username: "ann",
      password: "correct horse battery staple",
      role: "user",
      must_change_pw: true,
    };
    await status(admin.post("/api/admin/users", { json: user }));
    const ann = await program.signedIn("ann");
    const answer = await ann.get("/");
    assert.equal(answer.headers.get("location"), "/me");
    await answer.body?.cancel();
    assert.equal(await status(ann.get("/me")), 200);
  }));

Deno.test("every answer carries a request id and headers that keep browsers from guessing and leaking", () =>
  withProgram({}, async (program) => {
    const admin = await program.signedIn();
    const ids = new Set<string>();
    for (const path of ["/", "/login", "/api/me", "/api/nothing", "/nothing", "/healthz"]) {
      const { headers, body } = await admin.get(path);
      await body?.cancel();
      ids.add(headers.get("x-request-id") ?? "");
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("referrer-policy"), "same-origin");
      assert.equal(headers.get("cache-control"), "no-store");
      const policy = headers.get("content-security-policy") ?? "";
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe-(inline|eval)/);
    }
    assert.equal(ids.size, 6);
  }));

Deno.test("a request's own id is not believed", () =>
  withProgram({}, async (program) => {
    const answer = await program.client().get("/api/me", { headers: { "x-request-id": "chosen" } });
    await answer.body?.cancel();
    assert.notEqual(answer.headers.get("x-request-id"), "chosen");
  }));

Deno.test("a Host header that makes no URL is a bad request, and the service lives on", () =>
  withProgram({}, async (program) => {
    const { hostname, port } = new URL(program.url);
    for (const host of ["a b", "[", "x:y:z", ""]) {
      const connection = await Deno.connect({ hostname, port: Number(port) });
      await connection.write(
        new TextEncoder().encode(`GET /api/me HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      );
      const answer = await new Response(connection.readable).text();
      assert.match(answer, /^HTTP\/1\.1 4\d\d /, JSON.stringify(host));
      assert.doesNotMatch(answer, /text\/html/, "JSON under /api");
    }
    assert.equal((await json(program.client().get("/healthz"))).status, "ok");
  }));
