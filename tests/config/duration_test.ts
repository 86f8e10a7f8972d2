import assert from "node:assert/strict";
import fc from "fast-check";
import { parseDuration } from "../../src/config/duration.ts";

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const good: [string, number][] = [
  ["0", 0],
  ["0s", 0],
  ["10s", 10_000],
  ["15m", 900_000],
  ["8h", 28_800_000],
  ["365d", 31_536_000_000],
  ["250ms", 250],
  ["1h30m", 5_400_000],
  ["1.5s", 1_500],
  ["0.5ms", 1],
  ["+2m", 120_000],
  ["-1m", -60_000],
  ["-0s", 0],
];

for (const [text, milliseconds] of good) {
  Deno.test(`the duration ${text} is ${milliseconds} ms`, () => {
    assert.equal(parseDuration(text), milliseconds);
  });
}

const bad = [
  "",
  " ",
  "10",
  "-1",
  "s",
  "10 s",
  " 10s",
  "10s ",
  "10S",
  "1h 30m",
  "1,5s",
  ".5s",
  "1.s",
  "--1s",
  "1e3s",
]
  .concat("10sec", "1w", "1y", "1h-30m", "Infinity", "NaN", "0x1s", "١s", "10s\n", `${"9".repeat(20)}d`);

for (const text of bad) {
  Deno.test(`${JSON.stringify(text)} is no duration`, () => {
    assert.equal(parseDuration(text), null);
  });
}

Deno.test("a duration is the sum of its parts", () => {
  const part = fc.record({
    amount: fc.nat(10_000),
    unit: fc.constantFrom(...Object.keys(units) as (keyof typeof units)[]),
  });
  fc.assert(fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), fc.boolean(), (parts, negative) => {
    const text = parts.map(({ amount, unit }) => `${amount}${unit}`).join("");
    const total = parts.reduce((sum, { amount, unit }) => sum + amount * units[unit], 0);
    assert.equal(parseDuration((negative ? "-" : "") + text), negative && total !== 0 ? -total : total);
  }));
});

Deno.test("any text is either whole milliseconds or no duration", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..."0123456789.-+smhd ") }),
  );
  fc.assert(fc.property(text, (value) => {
    const parsed = parseDuration(value);
    assert.ok(parsed === null || (Number.isSafeInteger(parsed) && !Object.is(parsed, -0)));
  }));
});
