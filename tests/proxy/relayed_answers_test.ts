import assert from "node:assert/strict";
import fc from "fast-check";
import { HeaderList } from "../../src/http1/header_list.ts";
import type { AnswerContext } from "../../src/proxy/answer.ts";
import {
  rewriteCompleteDocument,
  rewriteCompleteResult,
} from "../../src/proxy/operations/complete_result.ts";
import { relayedError } from "../../src/proxy/relayed_error.ts";
import { S3Error } from "../../src/proxy/s3_error.ts";
import { parseXml, textOf } from "../../src/xml/reader.ts";
import { assertS3Error } from "./credential.ts";

const context: AnswerContext = { method: "POST", path: "/photos/a", bucket: "photos", requestId: "OURS" };
const authority = "10.0.0.7:9000";
const options = { location: "https://s3.example.org/photos/a?b&c", authority, context };

function relay(status: number, body: string, method = "GET") {
  const headers = HeaderList.of([["x-amz-request-id", "theirs"], ["retry-after", "3"], [
    "content-type",
    "text/html",
  ], ["server", "x"]]);
  return relayedError({ status, headers, body, authority }, { ...context, method });
}

const error = (code: string, rest = "") =>
  `<?xml version="1.0"?>\n<Error><Code>${code}</Code>${rest}</Error>`;

Deno.test("an upstream's error keeps its status, code and message, and nothing of the upstream", () => {
  const answer = relay(
    404,
    error(
      "NoSuchKey",
      "<Message>Gone &amp; lost</Message><Key>a&lt;b</Key><BucketName>inner</BucketName><Resource>/inner/a</Resource>" +
        `<Endpoint>${authority}</Endpoint><RequestId>theirs</RequestId><HostId>node-3</HostId><ArgumentValue>http://node-3/</ArgumentValue>`,
    ),
  );
  assert.equal(answer.status, 404);
  assert.deepEqual(answer.headers, [["x-amz-request-id", "OURS"], ["retry-after", "3"], [
    "content-type",
    "application/xml",
  ]]);
  const elements = parseXml(answer.body).children.map(({ name, text }) => [name, text]);
  assert.deepEqual(elements, [
    ["Code", "NoSuchKey"],
    ["Message", "Gone & lost"],
    ["Resource", "/photos/a"],
    ["BucketName", "photos"],
    ["Key", "a<b"],
    ["RequestId", "OURS"],
    ["HostId", "OURS"],
  ]);
});

Deno.test("a message that names the upstream is replaced", () => {
  for (const message of [`see http://node-3/`, `${authority} says no`]) {
    assert.ok(!relay(400, error("InvalidRequest", `<Message>${message}</Message>`)).body.includes(message));
  }
});

Deno.test("an error without a document is told by its status", () => {
  assert.equal(textOf(parseXml(relay(412, "").body), "Code"), "PreconditionFailed");
  assert.equal(textOf(parseXml(relay(418, "").body), "Code"), "InvalidRequest");
  assert.deepEqual(relay(404, "", "HEAD"), {
    status: 404,
    headers: [["x-amz-request-id", "OURS"], ["retry-after", "3"]],
    body: "",
  });
});

Deno.test("faults between the endpoint and its upstream are not the client's", () => {
  const faults: readonly (readonly [status: number, body: string])[] = [
    [403, error("InvalidAccessKeyId")],
    [403, error("SignatureDoesNotMatch")],
    [403, error("RequestTimeTooSkewed")],
    [400, error("AuthorizationHeaderMalformed")],
    [301, error("PermanentRedirect")],
    [307, ""],
    [403, "<html><body>nginx at node-3</body></html>"],
    [502, "<html>Bad gateway</html>"],
    [503, ""],
  ];
  for (const [status, body] of faults) {
    const fault = assertS3Error(() => relay(status, body), "ServiceUnavailable", `${status} ${body}`);
    assert.deepEqual([fault.status, fault.result], [502, "upstream_error"]);
  }
});

const result = `<CompleteMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` +
  `<Location>http://${authority}/photos/a</Location><Bucket>photos</Bucket><Key>a</Key><ETag>"e-2"</ETag></CompleteMultipartUploadResult>`;
const rewritten = result.replace(`http://${authority}/photos/a`, "https://s3.example.org/photos/a?b&#38;c");

async function rewrite(...chunks: string[]): Promise<string[]> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  async function* body() {
    for (const chunk of chunks) yield await Promise.resolve(encoder.encode(chunk));
  }
  return (await Array.fromAsync(rewriteCompleteResult(body(), options))).map((bytes) =>
    decoder.decode(bytes)
  );
}

Deno.test("Location becomes the endpoint's own URL", () => {
  assert.equal(rewriteCompleteDocument(result, options), rewritten);
  const wrapped = result.replace(/<Location>(.*?)</, "<Location><![CDATA[$1]]><");
  assert.ok(!rewriteCompleteDocument(wrapped, options).includes(authority));
});

Deno.test("white space that keeps the connection alive passes at once, in front of the declaration or behind it", async () => {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  assert.deepEqual(await rewrite(declaration, " ", " ", result), [declaration, " ", " ", rewritten]);
  assert.deepEqual(await rewrite(" ", "\n", result), [" ", "\n", rewritten]);
});

Deno.test("however the result is cut into pieces, it is rewritten the same", async () => {
  const whole = `<?xml version="1.0"?>\n  ${result}`;
  const expected = `<?xml version="1.0"?>\n  ${rewritten}`;
  await fc.assert(fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 8 }), async (cuts) => {
    const ends = [...cuts.sort((a, b) => a - b), whole.length];
    const chunks = ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
    assert.equal((await rewrite(...chunks)).join(""), expected);
  }));
});

Deno.test("an error that comes with status 200 is rewritten too", async () => {
  const document = error("InternalError", `<Message>${authority}</Message><HostId>node-3</HostId>`);
  const text = (await rewrite(document.slice(0, 30), document.slice(30))).join("");
  assert.ok(!text.includes(authority) && !text.includes("node-3"), text);
  assert.equal(textOf(parseXml(text), "Code"), "InternalError");
  assert.equal(textOf(parseXml(text), "RequestId"), "OURS");
});

Deno.test("a result that never ends is given up", async () => {
  await assert.rejects(
    rewrite("<a>", "b".repeat(70_000)),
    (error) => error instanceof S3Error && error.result === "upstream_error",
  );
});
