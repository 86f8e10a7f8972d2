import assert from "node:assert/strict";
import fc from "fast-check";
import { formBoundary, readField, readForm } from "../../src/objects/form_data.ts";

/** Reads a form given in pieces of at most `step` bytes. */
async function parse(text: string, step = 1000): Promise<[string, string][]> {
  async function* pieces() {
    const bytes = new TextEncoder().encode(text);
    for (let start = 0; start < bytes.length; start += step) yield bytes.subarray(start, start + step);
  }
  const parts: [string, string][] = [];
  for await (const { name, content } of readForm(pieces(), "b")) {
    const decoder = new TextDecoder();
    let value = "";
    for await (const chunk of content) value += decoder.decode(chunk, { stream: true });
    parts.push([name, value]);
  }
  return parts;
}

const part = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`;

Deno.test("a form reads the same however the network splits it", async () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "é", "\r", "\n", "-", "b", "\r\n-", "\r\n--", "--b"),
    maxLength: 30,
  })
    .filter((value) => !`\r\n${value}\r\n`.includes("\r\n--b"));
  const fields = fc.array(fc.tuple(fc.constantFrom("key", "metadata[x]", "file"), text), { maxLength: 4 });
  await fc.assert(fc.asyncProperty(fields, fc.integer({ min: 1, max: 40 }), async (expected, step) => {
    const body = `${expected.map(([name, value]) => part(name, value)).join("")}--b--\r\n`;
    assert.deepEqual(await parse(body, step), expected);
  }));
});

Deno.test("parts that are not read are skipped", async () => {
  async function* body() {
    yield new TextEncoder().encode(
      `preamble\r\n${part("a", "1".repeat(5000))}${part("b", "2")}--b--epilogue`,
    );
  }
  const names: string[] = [];
  for await (const { name } of readForm(body(), "b")) names.push(name);
  assert.deepEqual(names, ["a", "b"]);
});

Deno.test("a form cut anywhere is refused", async () => {
  const body = `${part("a", "1")}${part("file", "content")}--b--`;
  for (let length = 0; length < body.length; length++) {
    await assert.rejects(parse(body.slice(0, length)), { code: "bad_request" }, String(length));
  }
});

Deno.test("endless headers and lines without a name are refused", async () => {
  for (
    const body of [
      `--b\r\nx: ${"y".repeat(20_000)}\r\n\r\nz\r\n--b--`,
      `--b\r\nContent-Disposition: attachment; name="a"\r\n\r\nz\r\n--b--`,
      `--bc\r\nContent-Disposition: form-data; name="a"\r\n\r\nz\r\n--b--`,
      `--b\r\nContent-Disposition: form-data; filename="a"\r\n\r\nz\r\n--b--`,
    ]
  ) await assert.rejects(parse(body), { code: "bad_request" }, body.slice(0, 50));
});

Deno.test("what stands around a form does not go on for ever", async () => {
  let pieces = 0;
  async function* endless(start: string) {
    yield new TextEncoder().encode(start);
    while (true) {
      assert.ok(++pieces < 100, "more was read");
      yield new Uint8Array(1000).fill(97);
    }
  }
  const read = async (start: string) => {
    for await (const part of readForm(endless(start), "b")) await readField(part, 10);
  };
  for (const start of ["preamble", `${part("a", "1")}--b--`]) {
    await assert.rejects(read(start), { code: "bad_request" }, start);
  }
});

Deno.test("blanks behind a boundary and names without quotes are taken", async () => {
  const named = (disposition: string) =>
    parse(`--b \t \r\nContent-Disposition: form-data; ${disposition}\r\n\r\n1\r\n--b-- \r\n`, 3);
  assert.deepEqual(await named("name=key"), [["key", "1"]]);
  assert.deepEqual(await named('filename="x; name=y"; name="key"'), [["key", "1"]]);
  assert.deepEqual(await named('name="a%22b"'), [['a"b', "1"]]);
  assert.deepEqual(await named('filename="a\\"; name=y"; name="key"'), [["key", "1"]]);
  await assert.rejects(named('filename="name=y"'), { code: "bad_request" });
});

Deno.test("the boundary is read from the content type", () => {
  assert.equal(formBoundary("multipart/form-data; boundary=abc"), "abc");
  assert.equal(formBoundary('Multipart/Form-Data; charset=utf-8; boundary="a b"'), "a b");
  assert.equal(formBoundary("text/plain"), null);
  assert.equal(formBoundary(null), null);
  for (const type of ["multipart/form-data", `multipart/form-data; boundary=${"a".repeat(71)}`]) {
    assert.throws(() => formBoundary(type), { code: "bad_request" });
  }
});
