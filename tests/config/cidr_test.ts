import assert from "node:assert/strict";
import fc from "fast-check";
import { parseCidr } from "../../src/config/cidr.ts";

const members: [range: string, inside: string[], outside: string[]][] = [
  ["10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"], [
    "9.255.255.255",
    "11.0.0.0",
    "::1",
    "a00::",
  ]],
  ["10.1.2.3/8", ["10.9.9.9"], ["11.1.2.3"]],
  ["192.0.2.128/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127", "192.0.3.128"]],
  ["192.0.2.4/30", ["192.0.2.4", "192.0.2.7"], ["192.0.2.3", "192.0.2.8"]],
  ["0.0.0.0/0", ["0.0.0.0", "255.255.255.255", "::ffff:1.2.3.4"], ["::", "::1"]],
  ["127.0.0.1", ["127.0.0.1", "::ffff:127.0.0.1", "::ffff:7f00:1"], ["127.0.0.2"]],
  ["127.0.0.1/32", ["127.0.0.1"], ["127.0.0.0"]],
  ["fd00::/8", ["fd00::", "fdff::1", "fd12:3456::192.0.2.1"], ["fc00::", "fe00::", "10.0.0.1"]],
  ["2001:db8::/33", ["2001:db8:7fff::"], ["2001:db8:8000::"]],
  ["::1", ["::1", "0:0:0:0:0:0:0:1"], ["::2", "127.0.0.1"]],
  ["::/0", ["::", "ffff::"], ["1.2.3.4", "::ffff:1.2.3.4"]],
  ["::ffff:10.0.0.0/104", ["10.1.1.1", "::ffff:10.1.1.1"], ["11.0.0.0"]],
  ["2001:DB8::A", ["2001:db8::a"], ["2001:db8::b"]],
];

for (const [range, inside, outside] of members) {
  Deno.test(`members of ${range}`, () => {
    const cidr = parseCidr(range);
    assert.ok(cidr !== null);
    assert.equal(cidr.text, range);
    for (const address of inside) assert.ok(cidr.contains(address), `${address} is inside`);
    for (const address of outside) assert.ok(!cidr.contains(address), `${address} is outside`);
  });
}

Deno.test("what is no address is in no range", () => {
  const everything = ["0.0.0.0/0", "::/0"].map(parseCidr);
  for (const text of ["", "localhost", "10.0.0", "10.0.0.1:80", "[::1]", "fe80::1%eth0", "unknown"]) {
    assert.deepEqual(everything.map((range) => range?.contains(text)), [false, false], text);
  }
});

const bad = [
  "",
  "/8",
  "10.0.0.0/",
  "10.0.0.0/33",
  "10.0.0.0/-1",
  "10.0.0.0/08",
  "10.0.0.0/8/8",
  "10.0.0/8",
  "10/8",
]
  .concat("10.0.0.0/8 ", " 10.0.0.0/8", "10.0.0.256/8", "010.0.0.0/8", "10.0.0.0/255.0.0.0", "10.0.0.0/1e1")
  .concat("::/129", "fd00::/", "fd00:::/8", "1::2::3", "[fd00::]/8", "fe80::1%eth0/64", "localhost", "*");

for (const text of bad) {
  Deno.test(`${JSON.stringify(text)} is no range of addresses`, () => {
    assert.equal(parseCidr(text), null);
  });
}

/** An address as one number, by which the property tests check the range's own arithmetic. */
function v4Text(value: number): string {
  return [24, 16, 8, 0].map((shift) => value >>> shift & 0xff).join(".");
}

function v6Text(value: bigint): string {
  return Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index) & 0xffffn).toString(16))
    .join(":");
}

Deno.test("an IPv4 range holds what shares its leading bits", () => {
  const address = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  fc.assert(fc.property(address, fc.integer({ min: 0, max: 32 }), fc.nat(32), (base, prefix, flip) => {
    const candidate = flip === 32 ? base : (base ^ (1 << (31 - flip))) >>> 0;
    const range = parseCidr(`${v4Text(base)}/${prefix}`);
    assert.equal(range?.contains(v4Text(candidate)), flip >= prefix);
    assert.equal(range?.contains(`::ffff:${v4Text(candidate)}`), flip >= prefix);
  }));
});

Deno.test("an IPv6 range holds what shares its leading bits", () => {
  // Beyond 2000::/3 would be the mapped IPv4 addresses, which are not IPv6 here.
  const address = fc.bigInt({ min: 1n << 125n, max: (1n << 126n) - 1n });
  fc.assert(
    fc.property(
      address,
      fc.integer({ min: 3, max: 128 }),
      fc.integer({ min: 3, max: 128 }),
      (base, prefix, flip) => {
        const candidate = flip === 128 ? base : base ^ (1n << BigInt(127 - flip));
        assert.equal(parseCidr(`${v6Text(base)}/${prefix}`)?.contains(v6Text(candidate)), flip >= prefix);
      },
    ),
  );
});

Deno.test("generated addresses are ranges of one", () => {
  fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
    assert.ok(parseCidr(address)?.contains(address), address);
  }));
});

Deno.test("any text is a range or null, never an exception", () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."0123456789abcdef.:/%[]") }));
  fc.assert(fc.property(text, text, (range, address) => {
    parseCidr(range)?.contains(address);
  }));
});
