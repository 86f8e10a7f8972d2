import assert from "node:assert/strict";
import { exchangeRaw } from "../support/raw_connection.ts";
import { withServer } from "./support/test_server.ts";

/** A request that would be asked for if the bytes of another one's body were taken for a request. */
const smuggled = "GET /smuggled HTTP/1.1\r\nhost: h\r\n\r\n";

const post = (lines: string) => `POST /a HTTP/1.1\r\nhost: h\r\n${lines}\r\n${smuggled}`;

const malformed: Readonly<Record<string, string>> = {
  "no Host": "GET / HTTP/1.1\r\n\r\n",
  "two Hosts": "GET / HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n",
  "two Hosts of different spelling": "GET / HTTP/1.1\r\nhost: a\r\nHOST: b\r\n\r\n",
  "two lengths": post("content-length: 5\r\ncontent-length: 5\r\n"),
  "two lengths in one line": post("content-length: 5, 5\r\n"),
  "a length beside a coding": post("content-length: 5\r\ntransfer-encoding: chunked\r\n"),
  "a coding beside a length": post("transfer-encoding: chunked\r\ncontent-length: 5\r\n"),
  "a negative length": post("content-length: -5\r\n"),
  "a length with a plus": post("content-length: +5\r\n"),
  "a hexadecimal length": post("content-length: 0x5\r\n"),
  "a length with a fraction": post("content-length: 5.0\r\n"),
  "an empty length": post("content-length:\r\n"),
  "a length in other digits": post("content-length: \xb2\r\n"),
  "a length beyond all measure": post(`content-length: ${"9".repeat(30)}\r\n`),
  "an unknown coding": post("transfer-encoding: gzip, chunked\r\n"),
  "the identity coding": post("transfer-encoding: identity\r\n"),
  "no coding": post("transfer-encoding:\r\n"),
  "chunked twice": post("transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n"),
  "chunked twice in one line": post("transfer-encoding: chunked, chunked\r\n"),
  "chunked in quotes": post('transfer-encoding: "chunked"\r\n'),
  "chunked with a parameter": post("transfer-encoding: chunked;q=1\r\n"),
  "chunked behind a vertical tab": post("transfer-encoding: \x0bchunked\r\n"),
  "a space before the colon": post("transfer-encoding : chunked\r\n"),
  "a tab before the colon": post("content-length\t: 5\r\n"),
  "a header without a colon": post("content-length 5\r\n"),
  "a header without a name": post(": 5\r\n"),
  "a folded header": post("x-a: 1\r\n content-length: 5\r\n"),
  "a folded header in front": "GET / HTTP/1.1\r\n host: h\r\n\r\n",
  "a bare LF between headers": post("x-a: 1\ncontent-length: 5\r\n"),
  "a bare CR between headers": post("x-a: 1\rcontent-length: 5\r\n"),
  "a bare LF behind the first line": `GET / HTTP/1.1\nhost: h\r\n\r\n${smuggled}`,
  "NUL in a value": post("x-a: a\0b\r\n"),
  "NUL in a name": post("x\0a: b\r\n"),
  "a control character in a value": post("x-a: a\x1bb\r\n"),
  "DEL in a value": post("x-a: a\x7fb\r\n"),
  "a name beyond ASCII": post("x-\xe9: a\r\n"),
  "a quote in a name": post('x"a: b\r\n'),
  "an absolute target": "GET http://h/a HTTP/1.1\r\nhost: h\r\n\r\n",
  "an absolute target of another host": "GET http://other/a HTTP/1.1\r\nhost: h\r\n\r\n",
  "the target of CONNECT": "CONNECT h:80 HTTP/1.1\r\nhost: h\r\n\r\n",
  "an asterisk": "OPTIONS * HTTP/1.1\r\nhost: h\r\n\r\n",
  "no target": "GET HTTP/1.1\r\nhost: h\r\n\r\n",
  "an empty target": "GET  HTTP/1.1\r\nhost: h\r\n\r\n",
  "a target with a space": "GET /a b HTTP/1.1\r\nhost: h\r\n\r\n",
  "a target with a tab": "GET /a\tb HTTP/1.1\r\nhost: h\r\n\r\n",
  "a target with raw bytes": "GET /\xe9 HTTP/1.1\r\nhost: h\r\n\r\n",
  "a target without a slash": "GET a HTTP/1.1\r\nhost: h\r\n\r\n",
  "no version": "GET /\r\nhost: h\r\n\r\n",
  "HTTP/0.9": "GET / HTTP/0.9\r\nhost: h\r\n\r\n",
  "HTTP/1.2": "GET / HTTP/1.2\r\nhost: h\r\n\r\n",
  "HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "a version in lower case": "GET / http/1.1\r\nhost: h\r\n\r\n",
  "a method in lower case": "get / HTTP/1.1\r\nhost: h\r\n\r\n",
  "a method with a control character": "GE\x01T / HTTP/1.1\r\nhost: h\r\n\r\n",
  "a long method": `${"A".repeat(50)} / HTTP/1.1\r\nhost: h\r\n\r\n`,
  "two spaces before the target": "GET  / HTTP/1.1\r\nhost: h\r\n\r\n",
  "a space behind the version": "GET / HTTP/1.1 \r\nhost: h\r\n\r\n",
  "an empty first line": "\r\n\r\n",
  "the beginning of TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
};

Deno.test("a request that could be read in two ways is refused, and nothing behind it is read", () =>
  withServer(async ({ url, requests, errors }) => {
    for (const [name, request] of Object.entries(malformed)) {
      const text = await exchangeRaw(url, request);
      assert.match(text, /^HTTP\/1\.1 400 [^]*\r\nconnection: close\r\n/, name);
      assert.match(text, /\r\nx-failure: malformed\r\n/, name);
      assert.equal(text.match(/HTTP\/1\.1 \d/g)?.length, 1, `${name}: ${text}`);
    }
    assert.deepEqual(requests, []);
    assert.deepEqual(errors, []);
  }, { limits: { headTimeoutMs: 5_000 } }));

Deno.test("a head that is too large is refused before it has ended", () =>
  withServer(async ({ url, requests }) => {
    const line = (length: number) => `x-a: ${"a".repeat(length)}\r\n`;
    const heads = [
      `GET / HTTP/1.1\r\nhost: h\r\n${line(33_000)}\r\n`,
      `GET /${"a".repeat(33_000)} HTTP/1.1\r\nhost: h\r\n\r\n`,
      `GET / HTTP/1.1\r\nhost: h\r\n${line(10).repeat(3_000)}`,
      "G".repeat(40_000),
      `GET / HTTP/1.1\r\nhost: h\r\n${"a: b\r\n".repeat(200)}\r\n`,
    ];
    for (const head of heads) {
      const text = await exchangeRaw(url, head);
      assert.match(text, /^HTTP\/1\.1 400 [^]*\r\nx-failure: too_large\r\n/);
      assert.match(text, /\r\nconnection: close\r\n/);
    }
    assert.deepEqual(requests, []);
    const allowed = `GET /large HTTP/1.1\r\nhost: h\r\nconnection: close\r\n${line(31_000)}\r\n`;
    assert.match(await exchangeRaw(url, allowed), /^HTTP\/1\.1 200 /);
  }));

const chunked = "POST /a HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n";

const malformedChunks: Readonly<Record<string, string>> = {
  "no size": "\r\nhello\r\n0\r\n\r\n",
  "a size in other letters": "g\r\nhello\r\n0\r\n\r\n",
  "a negative size": "-5\r\nhello\r\n0\r\n\r\n",
  "a size with a plus": "+5\r\nhello\r\n0\r\n\r\n",
  "a size with a prefix": "0x5\r\nhello\r\n0\r\n\r\n",
  "a size with an underscore": "1_0\r\nhello\r\n0\r\n\r\n",
  "a size behind a space": " 5\r\nhello\r\n0\r\n\r\n",
  "a size beyond all measure": "fffffffffffffffff\r\nhello\r\n0\r\n\r\n",
  "a size and a bare LF": "5\nhello\r\n0\r\n\r\n",
  "an extension with a bare LF": "5;a\nb\r\nhello\r\n0\r\n\r\n",
  "a chunk that is too long": "5\r\nhello!\r\n0\r\n\r\n",
  "a chunk that is too short": "5\r\nhell\r\n0\r\n\r\n",
  "a chunk that ends in LF": "5\r\nhello\n0\r\n\r\n",
  "an endless extension": `5;${"a".repeat(5_000)}\r\nhello\r\n0\r\n\r\n`,
  "an endless size": "0".repeat(5_000),
  "endless trailers": `0\r\n${"a: b\r\n".repeat(100)}\r\n`,
  "a trailer that ends in LF": "0\r\na: b\n\r\n",
  "a request in place of the last chunk": `5\r\nhello\r\n${smuggled}`,
};

Deno.test("a chunked body that is malformed ends the connection", () =>
  withServer(async ({ url, requests }) => {
    for (const [name, body] of Object.entries(malformedChunks)) {
      assert.equal(await exchangeRaw(url, `${chunked}${body}${smuggled}`), "", name);
    }
    assert.deepEqual(requests, Object.keys(malformedChunks).map(() => "POST /a"));
  }));

Deno.test("a chunked body may have extensions, trailers and sizes in capitals", () =>
  withServer(async ({ url, requests }) => {
    const body = "A;name=value\r\n0123456789\r\n005\r\nhello\r\n000;last\r\nx-trailer: 1\r\n\r\n";
    const next = "GET /next HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n";
    const text = await exchangeRaw(url, chunked + body + next);
    assert.match(text, /^HTTP\/1\.1 200 [^]*\r\n\r\nPOST \/a 0123456789helloHTTP\/1\.1 200 [^]*GET \/next $/);
    assert.deepEqual(requests, ["POST /a", "GET /next"]);
  }));
