import assert from "node:assert/strict";
import { z } from "zod";
import { parseBody, parseQuery, readText } from "../../src/http/parse.ts";
import { Problem } from "../../src/problem.ts";

const schema = z.object({ name: z.string(), limits: z.object({ max: z.number() }).optional() });

function post(body: BodyInit, type = "application/json"): Request {
  return new Request("http://localhost/", { method: "POST", body, headers: { "content-type": type } });
}

async function problemOf(work: () => unknown): Promise<Problem> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  assert.fail("nothing was thrown");
}

Deno.test("a body is parsed by its schema", async () => {
  assert.deepEqual(await parseBody(schema, post('{"name":"x"}')), { name: "x" });
});

Deno.test("a wrong type names the field by its path", async () => {
  const problem = await problemOf(() => parseBody(schema, post('{"name":"x","limits":{"max":"1"}}')));
  assert.equal(problem.status, 400);
  assert.equal(problem.detail?.field, "limits.max");
});

Deno.test("what is wrong is said in plain words", async () => {
  const query = z.strictObject({
    needed: z.string(),
    also: z.string().optional().nonoptional(),
    window: z.enum(["hour", "day"]),
    limit: z.coerce.number().min(1).max(500),
    to: z.string().regex(/^\d+$/, { error: "must be a time" }),
  });
  for (
    const [search, message] of [
      ["also=x&window=day&limit=5&to=1", "needed: is missing"],
      ["needed=x&window=day&limit=5&to=1", "also: is missing"],
      ["needed=x&also=x&window=week&limit=5&to=1", "window: must be one of hour, day"],
      ["needed=x&also=x&window=day&limit=0&to=1", "limit: must be at least 1"],
      ["needed=x&also=x&window=day&limit=501&to=1", "limit: must be at most 500"],
      ["needed=x&also=x&window=day&limit=5&to=now", "to: must be a time"],
      [
        "needed=x&also=x&window=day&limit=5&to=1&form=x",
        'The query parameters are wrong: there is no field "form".',
      ],
    ]
  ) {
    assert.equal((await problemOf(() => parseQuery(query, search))).message, message);
  }
});

Deno.test("no body counts as an empty object", async () => {
  const problem = await problemOf(() =>
    parseBody(schema, new Request("http://localhost/", { method: "POST" }))
  );
  assert.equal(problem.detail?.field, "name");
});

for (
  const [what, request] of [
    ["text that is not JSON", () => post("{")],
    ["another content type", () => post("{}", "text/plain")],
    ["bytes that are not UTF-8", () => post(new Uint8Array([0x22, 0xff, 0x22]))],
    ["nesting of 33 levels", () => post("[".repeat(33) + "]".repeat(33))],
    ["nesting of 400,000 levels", () => post("[".repeat(400_000) + "]".repeat(400_000))],
  ] as const
) {
  Deno.test(`${what} is a bad request`, async () => {
    const problem = await problemOf(() => parseBody(z.unknown(), request()));
    assert.equal(problem.status, 400);
    assert.equal(problem.code, "bad_request");
  });
}

Deno.test("a body over 1 MiB is too large, with and without a declared length", async () => {
  const text = JSON.stringify("x".repeat(1 << 20));
  assert.equal((await problemOf(() => parseBody(z.unknown(), post(text)))).status, 413);
  const stream = ReadableStream.from([text.slice(0, 1000), text.slice(1000)])
    .pipeThrough(new TextEncoderStream());
  assert.equal((await problemOf(() => parseBody(z.unknown(), post(stream)))).status, 413);
});

Deno.test("a form is taken only where the route says so", async () => {
  const form = () => post("name=a+b%26c", "application/x-www-form-urlencoded");
  assert.deepEqual(await parseBody(schema, form(), true), { name: "a b&c" });
  assert.equal((await problemOf(() => parseBody(schema, form()))).status, 400);
});

Deno.test("a query parameter that stands twice is refused", async () => {
  const problem = await problemOf(() => parseQuery(z.object({}), "?a=1&a=2"));
  assert.equal(problem.status, 400);
  assert.match(problem.message, /"a"/);
});

Deno.test("a query string is decoded as forms are", () => {
  const schema = z.object({ key: z.string(), flag: z.string() });
  assert.deepEqual(parseQuery(schema, "?key=a+b%2Bc%2Fd=e&flag&&"), { key: "a b+c/d=e", flag: "" });
});

for (const text of ["%ff", "%c0%ae", "%ed%a0%80", "%zz", "%", "%e4%bd"]) {
  Deno.test(`a query value of ${text} is refused, not replaced`, async () => {
    const problem = await problemOf(() => parseQuery(z.object({}), `?key=${text}`));
    assert.equal(problem.status, 400);
    assert.equal(problem.detail?.field, "key");
  });
}

Deno.test("a body that does not arrive in time is refused", async () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
  });
  const problem = await problemOf(() => readText(post(body), 100, 20));
  assert.equal(problem.status, 400);
  assert.match(problem.message, /in time/);
});
