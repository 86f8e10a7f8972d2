import assert from "node:assert/strict";
import { type EndpointAddress, endpointUrl } from "../../src/proxy/credentials/endpoint_url.ts";

const everywhere: EndpointAddress = { hostname: "::", port: 8090, hostSuffixes: [], publicHostname: null };
const client = { ip: "192.0.2.1", secure: false, host: "dashboard.example.com:8080" };
const named = { ...everywhere, hostSuffixes: ["s3.example.com", "s3.internal"] };

const cases: readonly [string, EndpointAddress, Partial<typeof client> | { host: null }, string][] = [
  ["the host the client asked for", everywhere, {}, "http://dashboard.example.com:8090"],
  ["an IPv6 address", everywhere, { host: "[2001:db8::1]:8080" }, "http://[2001:db8::1]:8090"],
  ["no host at all", everywhere, { host: null }, "http://localhost:8090"],
  ["a host that is none", everywhere, { host: "a b" }, "http://localhost:8090"],
  ["a bound address", { ...everywhere, hostname: "10.0.0.5" }, {}, "http://10.0.0.5:8090"],
  ["a bound IPv6 address", { ...everywhere, hostname: "::1" }, {}, "http://[::1]:8090"],
  [
    "the public name",
    { ...everywhere, publicHostname: "www.example.com" },
    {},
    "http://www.example.com:8090",
  ],
  ["the first host suffix", named, {}, "http://s3.example.com:8090"],
  ["a host suffix behind TLS", named, { secure: true }, "https://s3.example.com"],
];

for (const [name, address, changes, expected] of cases) {
  Deno.test(`URL of the S3 endpoint: ${name}`, () =>
    assert.equal(endpointUrl({ ...client, ...changes }, address), expected));
}
