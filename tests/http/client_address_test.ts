import assert from "node:assert/strict";
import { type Cidr, parseCidr } from "../../src/config/cidr.ts";
import { clientAddress } from "../../src/http/client_address.ts";

function cidrs(...texts: string[]): Cidr[] {
  return texts.map((text) => {
    const range = parseCidr(text);
    assert.ok(range);
    return range;
  });
}

function address(peer: string, headers: Record<string, string>, trusted: Cidr[]) {
  const request = new Request("http://localhost/", { headers });
  return clientAddress(request.headers, { transport: "tcp", hostname: peer, port: 1 }, trusted);
}

Deno.test("an empty list trusts the immediate peer, and only it", () => {
  const { ip, secure } = address("10.0.0.1", {
    "x-forwarded-for": "198.51.100.1, 203.0.113.7",
    "x-forwarded-proto": "https",
  }, []);
  assert.equal(ip, "203.0.113.7");
  assert.equal(secure, true);
});

Deno.test("a peer outside the list is believed nothing", () => {
  const found = address("192.0.2.1", {
    "x-forwarded-for": "203.0.113.7",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "evil.example",
  }, cidrs("10.0.0.0/8"));
  assert.equal(found.ip, "192.0.2.1");
  assert.equal(found.secure, false);
  assert.notEqual(found.host, "evil.example");
});

Deno.test("trusted proxies are skipped from right to left", () => {
  const forwarded = { "x-forwarded-for": "1.1.1.1, 203.0.113.7, 10.0.0.2" };
  assert.equal(address("10.0.0.1", forwarded, cidrs("10.0.0.0/8")).ip, "203.0.113.7");
});

Deno.test("an entry that is no address ends the search", () => {
  for (const text of ["unknown", "10.0.0.999", "1:2", "", "<script>"]) {
    const forwarded = { "x-forwarded-for": `203.0.113.7, ${text}, 10.0.0.2` };
    assert.equal(address("10.0.0.1", forwarded, cidrs("10.0.0.0/8")).ip, "10.0.0.2", text);
  }
});

Deno.test("ports, brackets and mapped addresses are read", () => {
  for (
    const [text, ip] of [
      ["203.0.113.7:4711", "203.0.113.7"],
      ["[2001:db8::1]:4711", "2001:db8::1"],
      ["2001:db8::1", "2001:db8::1"],
      ["::ffff:203.0.113.7", "203.0.113.7"],
    ]
  ) assert.equal(address("::ffff:10.0.0.1", { "x-forwarded-for": text }, []).ip, ip);
});
