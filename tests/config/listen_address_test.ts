import assert from "node:assert/strict";
import { addressesCollide, isLoopback, parseListenAddress } from "../../src/config/listen_address.ts";
import type { ListenAddress } from "../../src/config/listen_address.ts";

const good: [text: string, hostname: string, port: number][] = [
  [":8080", "::", 8080],
  [":0", "::", 0],
  ["127.0.0.1:8080", "127.0.0.1", 8080],
  ["0.0.0.0:65535", "0.0.0.0", 65535],
  ["[::1]:8080", "::1", 8080],
  ["[::]:8080", "::", 8080],
  ["localhost:80", "localhost", 80],
  ["s3.example.com:9000", "s3.example.com", 9000],
];

for (const [text, hostname, port] of good) {
  Deno.test(`${text} is a listen address`, () => {
    assert.deepEqual(parseListenAddress(text), { text, hostname, port });
  });
}

const bad = [
  "",
  ":",
  "8080",
  "localhost",
  "localhost:",
  "127.0.0.1",
  ":65536",
  ":-1",
  ":80 ",
  " :80",
  ":8o",
  ":123456",
]
  .concat("::1:8080", "[::1]", "[::1", "[127.0.0.1]:80", "[]:80", "[::g]:80", "http://localhost:80", "a b:80")
  .concat("-a:80", "a..b:80", "1.2.3:80", "256.0.0.1:80", "user@host:80", "host:80/path", "*:80");

for (const text of bad) {
  Deno.test(`${JSON.stringify(text)} is no listen address`, () => {
    assert.equal(parseListenAddress(text), null);
  });
}

function address(text: string): ListenAddress {
  const parsed = parseListenAddress(text);
  assert.ok(parsed !== null, text);
  return parsed;
}

const pairs: [first: string, second: string, collide: boolean][] = [
  [":8080", ":8080", true],
  [":8080", ":8090", false],
  [":8080", "127.0.0.1:8080", true],
  [":8080", "[::1]:8080", true],
  ["0.0.0.0:8080", "127.0.0.1:8080", true],
  ["0.0.0.0:8080", "[::1]:8080", false],
  ["[::]:8080", "0.0.0.0:8080", true],
  ["127.0.0.1:8080", "127.0.0.2:8080", false],
  ["LOCALHOST:8080", "localhost:8080", true],
  [":0", ":0", false],
];

for (const [first, second, collide] of pairs) {
  Deno.test(`${first} and ${second} ${collide ? "" : "do not "}compete for a port`, () => {
    assert.equal(addressesCollide(address(first), address(second)), collide);
    assert.equal(addressesCollide(address(second), address(first)), collide);
  });
}

Deno.test("only loopback addresses are out of reach of other machines", () => {
  for (const text of ["127.0.0.1:1", "127.8.8.8:1", "[::1]:1", "localhost:1", "LOCALHOST:1"]) {
    assert.ok(isLoopback(address(text).hostname), text);
  }
  for (const text of [":1", "0.0.0.0:1", "[::]:1", "10.0.0.1:1", "example.com:1", "127.example.com:1"]) {
    assert.ok(!isLoopback(address(text).hostname), text);
  }
});
