import assert from "node:assert/strict";
import { until } from "../support/poll.ts";
import { plain } from "../support/raw_upstream.ts";
import { type RawEndpoint, withRawEndpoint } from "./support/raw_endpoint.ts";
import { exchangeOnce, WireConnection } from "./support/wire.ts";

const mebibyte = 1 << 20;
const object = "/bucket/key";

function head(status: string, length: number): string {
  return `HTTP/1.1 ${status}\r\ncontent-length: ${length}\r\n\r\n`;
}

/** Waits for an audit record of an operation with a result. */
function audited({ audited }: RawEndpoint, operation: string, result: string) {
  return until(
    async () => (await audited(operation)).find((detail) => detail.result === result),
    { what: `a record of ${operation} with result ${result}` },
  );
}

Deno.test("a client that goes away in a download ends it upstream", () =>
  withRawEndpoint(async (endpoint) => {
    endpoint.answer({ text: head("200 OK", 1 << 30), filler: mebibyte, hold: true });
    {
      using connection = await WireConnection.open(endpoint.url);
      await connection.sendHead({ method: "GET", target: object }, endpoint);
      assert.equal((await connection.readHead()).status, 200);
      for (let size = 0; size < mebibyte;) size += (await connection.readSome(mebibyte)).length;
      assert.equal(endpoint.upstream.open(), 1);
    }
    const goneAt = performance.now();
    await endpoint.connections(0);
    // What nobody takes is given up by itself after a minute.
    assert.ok(performance.now() - goneAt < 10_000);
  }, { audit: { sampling: { proxy_success_read_rate: 1 } } }));

Deno.test("a client that goes away before the answer ends the request upstream", () =>
  withRawEndpoint(async (endpoint) => {
    endpoint.answer({ text: "", hold: true });
    {
      using connection = await WireConnection.open(endpoint.url);
      await connection.sendHead({ method: "GET", target: object }, endpoint);
      await endpoint.connections(1);
    }
    await endpoint.connections(0);
    const { status, bytes_out } = await audited(endpoint, "getobject", "client_gone");
    assert.deepEqual([status, bytes_out], [0, 0]);
  }));

Deno.test("a client that goes away in an upload ends it upstream", () =>
  withRawEndpoint(async (endpoint) => {
    endpoint.answer({ text: "", hold: true });
    for (const sent of [0, mebibyte, 6 * mebibyte]) {
      using connection = await WireConnection.open(endpoint.url);
      const request = { method: "PUT", target: object, contentLength: 8 * mebibyte };
      await connection.sendHead(request, endpoint);
      await connection.write(new Uint8Array(sent));
      await endpoint.connections(1);
      connection[Symbol.dispose]();
      await endpoint.connections(0);
    }
    await audited(endpoint, "putobject", "client_gone");
  }));

Deno.test("a body that breaks off upstream never looks whole", () =>
  withRawEndpoint(async (endpoint) => {
    const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n";
    const broken = [`${head("200 OK", 100)}hello`, chunked, `${chunked}5\r\nhe`, head("200 OK", 5)];
    for (const text of broken) {
      endpoint.answer({ text });
      await assert.rejects(
        exchangeOnce(endpoint, { method: "GET", target: object }, endpoint),
        text.slice(0, 60),
      );
    }
    endpoint.answer({ text: `${head("206 Partial Content", 2 * mebibyte)}`, filler: mebibyte });
    await assert.rejects(exchangeOnce(endpoint, { method: "GET", target: object }, endpoint));
    assert.equal((await audited(endpoint, "getobject", "upstream_error")).reason, "broken_off");
  }, { audit: { sampling: { proxy_success_read_rate: 1 } } }));

const s3Failure = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`;

Deno.test("a fault of the upstream is told as what it is", () =>
  withRawEndpoint(async (endpoint) => {
    const faults: readonly (readonly [text: string, outcome: string, result: string])[] = [
      ["", "502 ServiceUnavailable", "upstream_error"],
      ["SSH-2.0-OpenSSH\r\n\r\n", "502 ServiceUnavailable", "upstream_error"],
      [
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        "502 ServiceUnavailable",
        "upstream_error",
      ],
      ["HTTP/1.1 200 OK\r\nbad header\r\n\r\n", "502 ServiceUnavailable", "upstream_error"],
      ["HTTP/1.1 100 Continue\r\n\r\n", "502 ServiceUnavailable", "upstream_error"],
      [plain("500 Oops", "<html>stack trace</html>"), "502 ServiceUnavailable", "upstream_error"],
      [plain("301 Moved", "", { location: "http://elsewhere/" }), "502 ServiceUnavailable", "upstream_error"],
      [
        plain("403 Forbidden", s3Failure("SignatureDoesNotMatch")),
        "502 ServiceUnavailable",
        "upstream_error",
      ],
      [plain("500 Oops", s3Failure("InternalError")), "500 InternalError", "upstream_500"],
      [plain("503 Busy", s3Failure("SlowDown")), "503 SlowDown", "upstream_503"],
      [plain("403 Forbidden", s3Failure("AccessDenied")), "403 AccessDenied", "upstream_403"],
    ];
    const requests = [
      { method: "GET", target: object, operation: "getobject" },
      { method: "PUT", target: object, body: "x", operation: "putobject" },
      { method: "DELETE", target: object, operation: "deleteobject" },
    ];
    for (const [text, outcome, result] of faults) {
      endpoint.answer({ text });
      for (const { operation, ...request } of requests) {
        const { status, code } = await exchangeOnce(endpoint, request, endpoint);
        assert.equal(`${status} ${code}`, outcome, `${request.method} ${text}`);
        const [detail] = await endpoint.audited(operation);
        assert.deepEqual([detail.result, detail.status], [result, status], `${request.method} ${text}`);
      }
    }
    await endpoint.upstream.stop();
    const refused = await exchangeOnce(endpoint, { method: "GET", target: object }, endpoint);
    assert.equal(`${refused.status} ${refused.code}`, "502 ServiceUnavailable");
    const { status, body } = await exchangeOnce(endpoint, { method: "HEAD", target: object }, endpoint);
    assert.deepEqual([status, body.length], [502, 0]);
    assert.equal((await endpoint.audited("headobject"))[0].result, "upstream_error");
  }));

Deno.test("an error that comes with status 200 is told and recorded as one", () =>
  withRawEndpoint(async (endpoint) => {
    const error = s3Failure("InternalError").replace("No.", `ask ${endpoint.upstream.endpoint}`);
    const part = "<Part><PartNumber>1</PartNumber><ETag>e</ETag></Part>";
    const requests = [
      {
        method: "POST",
        target: `${object}?uploadId=u`,
        body: `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`,
        operation: "completemultipartupload",
      },
      {
        method: "PUT",
        target: object,
        headers: { "x-amz-copy-source": "/bucket/a" },
        operation: "copyobject",
      },
      {
        method: "PUT",
        target: `${object}?partNumber=1&uploadId=u`,
        headers: { "x-amz-copy-source": "/bucket/a" },
        operation: "uploadpart",
      },
    ];
    endpoint.answer({
      text: plain("200 OK", `<?xml version="1.0"?>\n   ${error.slice(error.indexOf("?>") + 2)}`),
    });
    for (const { operation, ...request } of requests) {
      const { status, code, text } = await exchangeOnce(endpoint, request, endpoint);
      assert.equal(`${status} ${code}`, "200 InternalError", text);
      assert.ok(!text.includes(new URL(endpoint.upstream.endpoint).host), text);
      const [detail] = await endpoint.audited(operation);
      assert.deepEqual([detail.result, detail.status], ["upstream_error", 200], operation);
    }
  }));

Deno.test("a refusal that comes early reaches a client that is still sending", () =>
  withRawEndpoint(async (endpoint) => {
    endpoint.answer({ text: plain("403 Forbidden", s3Failure("AccessDenied")) });
    const body = new Uint8Array(24 * mebibyte);
    const digests: Record<string, string>[] = [{}, { "content-md5": "AAAAAAAAAAAAAAAAAAAAAA==" }];
    for (const headers of digests) {
      const request = { method: "PUT", target: object, body, headers };
      const { status, code } = await exchangeOnce(endpoint, request, endpoint);
      assert.equal(`${status} ${code}`, "403 AccessDenied");
    }
    const outOfScope = { method: "PUT", target: "/other/key", body };
    const { status, code } = await exchangeOnce(endpoint, outOfScope, endpoint);
    assert.equal(`${status} ${code}`, "403 AccessDenied");
    assert.deepEqual(
      (await endpoint.audited("putobject")).map(({ result }) => result),
      ["scope_violation", "upstream_403", "upstream_403"],
    );
  }));

Deno.test("a connection outlives the errors on it", () =>
  withRawEndpoint(async (endpoint) => {
    using connection = await WireConnection.open(endpoint.url);
    const get = async (target: string) => {
      const { status, code } = await connection.exchange({ method: "GET", target }, endpoint);
      return `${status} ${code}`.trim();
    };
    endpoint.answer({ text: plain("404 Not Found", s3Failure("NoSuchKey")) });
    assert.equal(await get(object), "404 NoSuchKey");
    assert.equal(await get("/other/key"), "403 AccessDenied");
    assert.equal(await get("/bucket?acl"), "501 NotImplemented");
    assert.equal(await get("/bucket/%zz"), "400 InvalidURI");
    assert.equal((await connection.exchange({ method: "GET", target: object })).status, 403);
    assert.equal((await connection.exchange({ method: "HEAD", target: object }, endpoint)).status, 404);
    const wrong = { ...endpoint, secretKey: "wrong" };
    assert.equal(
      (await connection.exchange({ method: "GET", target: object }, wrong)).code,
      "SignatureDoesNotMatch",
    );
    endpoint.answer({ text: "" });
    assert.equal(await get(object), "502 ServiceUnavailable");
    endpoint.answer({ text: plain("200 OK", "hello") });
    assert.equal(await get(object), "200");
    const put = { method: "PUT", target: object, body: "x" };
    assert.equal((await connection.exchange(put, endpoint)).status, 200);
    assert.equal(await get(object), "200");
  }));

Deno.test("a listing that has not changed is answered without a body", () =>
  withRawEndpoint(async (endpoint) => {
    endpoint.upstream.set(() => ({ text: "HTTP/1.1 304 Not Modified\r\n\r\n" }));
    using connection = await WireConnection.open(endpoint.url);
    const headers = { "if-none-match": '"x"' };
    for (let count = 0; count < 2; count++) {
      const answer = await connection.exchange({ method: "GET", target: "/bucket", headers }, endpoint);
      assert.equal(answer.status, 304);
      assert.equal(answer.headers.get("transfer-encoding"), null);
    }
  }));
