import assert from "node:assert/strict";
import { HeaderList } from "../../src/http1/header_list.ts";
import { answerPreflight, corsHeaders, type CorsRule } from "../../src/proxy/cors.ts";
import { assertS3Error } from "./credential.ts";

const app = "https://app.example.com";

function rule(changes: Partial<CorsRule> = {}): CorsRule {
  return {
    allowedOrigins: [app],
    allowedMethods: ["GET"],
    allowedHeaders: [],
    exposeHeaders: [],
    ...changes,
  };
}

function preflight(rules: readonly CorsRule[], origin: string, method = "GET", requested?: string) {
  const headers = HeaderList.of([["origin", origin], ["access-control-request-method", method]]);
  if (requested !== undefined) headers.append("access-control-request-headers", requested);
  return Object.fromEntries(answerPreflight(rules, headers));
}

function isAllowed(rules: readonly CorsRule[], origin: string, method?: string, requested?: string): boolean {
  try {
    preflight(rules, origin, method, requested);
    return true;
  } catch {
    return false;
  }
}

Deno.test("an origin is matched exactly, by one wildcard, or by *", () => {
  const cases: [pattern: string, origin: string, allowed: boolean][] = [
    [app, app, true],
    [app, "http://app.example.com", false],
    [app, "https://app.example.com:8443", false],
    [app, "https://APP.example.com", false],
    [app, "https://app.example.com.evil.test", false],
    ["*", "https://anything.test", true],
    ["*", "null", true],
    ["https://*.example.com", "https://a.b.example.com", true],
    ["https://*.example.com", "https://.example.com", true],
    ["https://*.example.com", "https://example.com", false],
    ["https://*.example.com", "https://a.example.com.evil.test", false],
    ["https://*.example.com", "http://a.example.com", false],
    ["http://localhost:*", "http://localhost:3000", true],
    ["https://ab*ba", "https://aba", false],
    ["https://ab*ba", "https://abba", true],
    ["https://a.c", "https://abc", false],
  ];
  for (const [pattern, origin, allowed] of cases) {
    assert.equal(isAllowed([rule({ allowedOrigins: [pattern] })], origin), allowed, `${pattern} ${origin}`);
  }
});

Deno.test("every header that a preflight asks for must be allowed, in whatever case", () => {
  const cases: [patterns: string[], requested: string | undefined, allowed: boolean][] = [
    [[], undefined, true],
    [[], "", true],
    [[], "content-type", false],
    [["*"], "content-type,x-amz-date", true],
    [["content-type"], "Content-Type", true],
    [["content-type"], "content-type, x-amz-date", false],
    [["content-type", "x-amz-*"], "content-type,x-amz-date , X-Amz-Meta-Name", true],
    [["x-amz-*"], "amz-sdk-request", false],
    [["*-request"], "amz-sdk-request", true],
  ];
  for (const [allowedHeaders, requested, allowed] of cases) {
    const rules = [rule({ allowedHeaders })];
    assert.equal(isAllowed(rules, app, "GET", requested), allowed, `${allowedHeaders} ${requested}`);
  }
  const many = Array.from({ length: 101 }, (_, index) => `x-${index}`).join(",");
  assert.equal(isAllowed([rule({ allowedHeaders: ["*"] })], app, "GET", many), false);
});

Deno.test("the first rule that allows origin, method and headers is the answer", () => {
  const rules = [
    rule({ maxAgeSeconds: 1 }),
    rule({ allowedMethods: ["PUT"], allowedHeaders: ["content-type"], maxAgeSeconds: 2 }),
    rule({ allowedOrigins: ["*"], allowedMethods: ["PUT", "POST"], allowedHeaders: ["*"], maxAgeSeconds: 3 }),
  ];
  const maxAge = (...request: [origin: string, method: string, requested?: string]) =>
    preflight(rules, ...request)["access-control-max-age"];
  assert.equal(maxAge(app, "GET"), "1");
  assert.equal(maxAge(app, "PUT", "content-type"), "2");
  assert.equal(maxAge(app, "PUT", "x-other"), "3");
  assert.equal(maxAge("https://other.test", "POST"), "3");
  assert.equal(isAllowed(rules, "https://other.test", "GET"), false);
  assert.equal(isAllowed(rules, app, "DELETE"), false);
  assert.equal(isAllowed(rules, app, "get"), false);
});

Deno.test("a preflight is answered with what the rule allows of what was asked", () => {
  const rules = [rule({
    allowedMethods: ["GET", "PUT"],
    allowedHeaders: ["*"],
    exposeHeaders: ["ETag", "x-amz-version-id"],
    maxAgeSeconds: 0,
  })];
  assert.deepEqual(preflight(rules, app, "PUT", "Content-Type, x-amz-date"), {
    "access-control-allow-origin": app,
    "access-control-allow-methods": "GET, PUT",
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "ETag, x-amz-version-id",
    "access-control-allow-headers": "content-type, x-amz-date",
    "access-control-max-age": "0",
    "vary": "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  });
  assert.deepEqual(preflight([rule({ allowedOrigins: [app, "*"] })], app), {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET",
    "vary": "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  });
});

Deno.test("a preflight that is none, or that no rule allows, is refused", () => {
  const none = new HeaderList();
  const withOrigin = HeaderList.of([["origin", app]]);
  const whole = HeaderList.of([["origin", app], ["access-control-request-method", "PUT"]]);
  assert.equal(assertS3Error(() => answerPreflight([rule()], none), "BadRequest").status, 400);
  assertS3Error(() => answerPreflight([rule()], withOrigin), "BadRequest");
  const refused = assertS3Error(() => answerPreflight([rule()], whole), "AccessForbidden");
  assert.equal(refused.status, 403);
  assert.equal(refused.result, "cors_denied");
  assert.match(refused.message, /^CORSResponse: This CORS request is not allowed/);
  const withoutRules = assertS3Error(() => answerPreflight([], whole), "AccessForbidden");
  assert.match(withoutRules.message, /CORS is not enabled for this bucket/);
});

Deno.test("an answer is decorated by the first rule of its origin and method", () => {
  const rules = [
    rule({ exposeHeaders: ["ETag"] }),
    rule({ allowedOrigins: ["*"], allowedMethods: ["GET", "HEAD"] }),
  ];
  const headersOf = (method: string, origin?: string) =>
    Object.fromEntries(
      corsHeaders(rules, method, HeaderList.of(origin === undefined ? [] : [["origin", origin]])),
    );
  assert.deepEqual(headersOf("GET"), {});
  assert.equal(headersOf("GET", app)["access-control-expose-headers"], "ETag");
  assert.equal(headersOf("HEAD", app)["access-control-allow-origin"], "*");
  assert.equal(headersOf("GET", "https://other.test")["access-control-allow-credentials"], undefined);
  assert.deepEqual(Object.keys(headersOf("PUT", app)), ["vary"]);
  assert.deepEqual(corsHeaders([], "GET", HeaderList.of([["origin", app]])), []);
});
