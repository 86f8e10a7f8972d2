import assert from "node:assert/strict";
import { defineRoute, type Method } from "../../src/http/route.ts";
import { Router } from "../../src/http/router.ts";
import { Problem } from "../../src/problem.ts";

function route(method: Method, path: string) {
  return defineRoute({
    method,
    path,
    guard: "public",
    summary: "",
    audit: "none",
    handler: () => new Response(path),
  });
}

const router = new Router([
  route("GET", "/s/{code}/{part}"),
  route("GET", "/s/{code}/info"),
  route("GET", "/api/backends/{bid}"),
  route("DELETE", "/api/backends/{bid}"),
  route("GET", "/api/admin/audit.csv"),
]);

function problemOf(method: string, path: string): Problem {
  try {
    router.match(method, path);
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error;
  }
  assert.fail("matched");
}

Deno.test("a literal segment wins over a parameter", () => {
  assert.equal(router.match("GET", "/s/abc/info").route.path, "/s/{code}/info");
  assert.equal(router.match("GET", "/s/abc/raw").route.path, "/s/{code}/{part}");
});

Deno.test("path parameters are percent-decoded once", () => {
  assert.deepEqual(router.match("GET", "/api/backends/a%2Fb%2520c").params, { bid: "a/b%20c" });
});

Deno.test("a path parameter that is no valid UTF-8 is a bad request naming it", () => {
  const problem = problemOf("GET", "/api/backends/%ff");
  assert.equal(problem.status, 400);
  assert.match(problem.message, /"bid"/);
});

Deno.test("a dot in a path is no wildcard", () => {
  assert.equal(problemOf("GET", "/api/admin/auditXcsv").status, 404);
});

Deno.test("HEAD is answered by the GET route", () => {
  assert.equal(router.match("HEAD", "/api/backends/x").route.method, "GET");
});

Deno.test("a wrong method is 405 and Allow names the right ones", () => {
  const problem = problemOf("PUT", "/api/backends/x");
  assert.equal(problem.status, 405);
  assert.deepEqual(problem.headers?.allow.split(", ").sort(), ["DELETE", "GET", "HEAD"]);
});

Deno.test("two routes for one method and path are a mistake", () => {
  assert.throws(() => new Router([route("GET", "/a"), route("GET", "/a")]), TypeError);
});
