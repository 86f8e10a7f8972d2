import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { z } from "zod";
import { flagField, integerField } from "../../src/http/query_fields.ts";
import { defineRoute } from "../../src/http/route.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { checkAnswer } from "../support/api_document.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";

const config = { s3_proxy: { enabled: true, listen: "127.0.0.1:0" } };

// deno-lint-ignore no-explicit-any -- the document is read at many depths
type Document = any;

Deno.test("the program's document is valid, whole, and needs no session", () =>
  withProgram({ config }, async (program) => {
    const answer = await program.client().get("/api/openapi.json");
    assert.equal(answer.headers.get("content-type"), "application/json");
    const document: Document = await answer.json();
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors, null, 2));
    assert.equal(document.openapi, "3.1.1");

    const operations = Object.entries<Document>(document.paths).flatMap(([path, item]) =>
      Object.entries<Document>(item).map(([method, operation]) => ({ path, method, operation }))
    );
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length, "operation ids are unique");
    for (const { path, method, operation } of operations) {
      const what = `${method} ${path}`;
      const statuses = Object.keys(operation.responses);
      assert.ok(
        statuses.some((code) => code.startsWith("2") || code === "303"),
        `${what} has no successful answer`,
      );
      assert.ok(operation.summary && operation.tags.length === 1, what);
      assert.equal(
        operation.security.length > 0,
        // Where a password is checked a 401 is about that, not about a session.
        statuses.includes("401") && !/^\/(auth\/login|s)\//.test(path),
        what,
      );
    }
    const paths = Object.keys(document.paths);
    for (const path of ["/healthz", "/readyz", "/metrics", "/auth/login/local", "/admin/backends/health"]) {
      assert.ok(paths.includes(path), path);
    }
    for (const page of ["/", "/login", "/admin/users", "/b/{bid}/{bucket}"]) {
      assert.ok(!paths.includes(page), page);
    }
  }));

Deno.test("the document is sent again only when it has changed", () =>
  withProgram({}, async (program) => {
    const client = program.client();
    const first = await client.get("/api/openapi.json");
    const etag = first.headers.get("etag") ?? "";
    await first.body?.cancel();
    const ask = (value: string) => client.get("/api/openapi.json", { headers: { "if-none-match": value } });
    assert.equal(await status(ask(etag)), 304);
    assert.equal(await status(ask(`"other", W/${etag}`)), 304);
    assert.equal(await status(ask('"other"')), 200);
    assert.equal(await refusal(client.post("/api/openapi.json")), "405 method_not_allowed");
  }));

Deno.test("what is off is not in the document", () =>
  withProgram({}, async (program) => {
    const { paths } = await json(program.client().get("/api/openapi.json"));
    assert.ok(!("/api/me/s3-credentials" in paths));
  }));

Deno.test("a route is described by its schemas, its guard and its path", () => {
  const route = defineRoute({
    method: "PUT",
    path: "/api/backends/{bid}/buckets/{bucket}/things",
    guard: "user",
    summary: "Store things",
    audit: "none",
    query: z.object({ limit: integerField(1, 10).default(5), force: flagField.optional(), name: z.string() }),
    body: z.object({ at: z.iso.datetime().optional() }),
    bodies: { "application/octet-stream": null },
    headers: { "If-Match": "ETag that it must have" },
    answers: { 200: z.strictObject({ count: z.int() }), 204: null, 206: { contentType: "*/*" } },
    errors: [507],
    handler: () => new Response(),
  });
  const page = defineRoute({ ...route, path: "/things", page: true });
  const { paths }: Document = openApiDocument([route, page], "1.0.0");
  assert.deepEqual(Object.keys(paths), ["/healthz", "/readyz", route.path]);
  const operation = paths[route.path].put;
  assert.equal(operation.operationId, "putApiBackendsByBidBucketsByBucketThings");
  assert.deepEqual(operation.tags, ["Buckets"]);
  assert.deepEqual(operation.security, [{ session: [], csrf: [] }]);
  const parameters = operation.parameters.map((parameter: Document) => [
    parameter.in,
    parameter.name,
    parameter.required,
    parameter.schema,
  ]);
  assert.deepEqual(parameters, [
    ["path", "bid", true, { type: "string", minLength: 1 }],
    ["path", "bucket", true, { type: "string", minLength: 1 }],
    ["query", "limit", false, { type: "integer", minimum: 1, maximum: 10, default: 5 }],
    ["query", "force", false, { type: "boolean" }],
    ["query", "name", true, { type: "string" }],
    ["header", "If-Match", false, { type: "string" }],
  ]);
  assert.deepEqual(operation.requestBody, {
    required: false,
    content: {
      "application/json": {
        schema: { type: "object", properties: { at: { type: "string", format: "date-time" } } },
      },
      "application/octet-stream": { schema: { type: "string", format: "binary" } },
    },
  });
  const statuses = [200, 204, 206, 400, 401, 403, 404, 409, 412, 413, 429, 500, 502, 503, 504, 507];
  assert.deepEqual(Object.keys(operation.responses), [...statuses.map(String), "default"]);
  const { schema } = operation.responses[200].content["application/json"];
  assert.equal(schema.additionalProperties, false);
  assert.deepEqual(schema.required, ["count"]);
  assert.equal(operation.responses[204].content, undefined);
  assert.deepEqual(operation.responses[206].content, { "*/*": {} });
});

Deno.test("the tests' client refuses answers that are not as documented", () =>
  withProgram({}, async (program) => {
    const headers = { "x-request-id": "1" };
    const check = (path: string, answer: Response) => checkAnswer(program.url, "GET", path, answer);
    const config = { modes: ["local"], allow_self_registration: false };
    const path = "/api/auth/config";
    assert.deepEqual(await (await check(path, Response.json(config, { headers }))).json(), config);
    const wrong: readonly (readonly [string, Response, RegExp])[] = [
      [path, Response.json({ ...config, more: 1 }, { headers }), /additional properties.*"more"/],
      [path, Response.json({ modes: ["local"] }, { headers }), /allow_self_registration/],
      [path, Response.json({ ...config, modes: [1] }, { headers }), /\/modes\/0 must be string/],
      [path, Response.json(config), /no X-Request-Id/],
      [path, Response.json(config, { headers, status: 201 }), /201 is not documented/],
      [path, new Response("text", { headers }), /not as text\/plain/],
      [path, Response.json({ error: "text" }, { headers, status: 500 }), /\/error must be object/],
      ["/api/nothing", Response.json({}, { headers }), /200 is not documented/],
      ["/api/nothing", Response.json({}, { headers, status: 404 }), /must have required property 'error'/],
    ];
    for (const [asked, answer, message] of wrong) await assert.rejects(check(asked, answer), message);
    await program.client().get("/login").then((page) => page.body?.cancel());
  }));
