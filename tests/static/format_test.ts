import assert from "node:assert/strict";
import {
  formatBytes,
  formatDuration,
  formatLatency,
  formatRelative,
  formatUtc,
} from "../../static/lib/format.js";
import { errorText, plural } from "../../static/lib/i18n.js";
import { describeAgent } from "../../static/lib/user_agent.js";

Deno.test("sizes have three figures and never read 1,024", () => {
  const sizes: [number, string][] = [
    [0, "0 B"],
    [1, "1 B"],
    [1023, "1,023 B"],
    [1024, "1.00 KiB"],
    [10_240, "10.0 KiB"],
    [1024 ** 2 - 1, "1.00 MiB"],
    [5 * 1024 ** 3, "5.00 GiB"],
    [123 * 1024 ** 4, "123 TiB"],
    [2000 * 1024 ** 6, "2,000 EiB"],
  ];
  for (const [bytes, text] of sizes) assert.equal(formatBytes(bytes), text);
});

Deno.test("moments are seen from now", () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const minute = 60_000;
  assert.equal(formatRelative(now - 10_000, now), "just now");
  assert.match(formatRelative(now - 5 * minute, now), /^5 min\.? ago$/);
  assert.match(formatRelative(now + 3 * 60 * minute, now), /^in 3 hr\.?$/);
  assert.equal(formatRelative(now - 24 * 60 * minute, now), "yesterday");
  assert.match(formatRelative(now - 60 * 24 * 60 * minute, now), /2026/);
  assert.equal(formatUtc(now), "2026-11-21 12:00:00 UTC");
});

Deno.test("lengths of time have two units at most", () => {
  assert.equal(formatDuration(0), "0 s");
  assert.equal(formatDuration(59.6), "1 min");
  assert.equal(formatDuration(754), "12 min 34 s");
  assert.equal(formatDuration(8 * 3600), "8 h");
  assert.equal(formatDuration(90_000), "1 d 1 h");
  assert.equal(formatLatency(12.4), "12 ms");
  assert.equal(formatLatency(2031), "2.0 s");
});

Deno.test("words for counts, errors and programs", () => {
  assert.equal(plural(1, "object", "objects"), "1 object");
  assert.equal(plural(12_000, "object", "objects"), "12,000 objects");
  assert.match(errorText({ code: "bucket_not_empty", message: "x" }), /Empty it first/);
  assert.equal(errorText({ code: "constructor", message: "As the server says." }), "As the server says.");
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  assert.equal(describeAgent(firefox), "Firefox on Linux");
  assert.equal(describeAgent("curl/8.5.0"), "curl/8.5.0");
  assert.equal(describeAgent(""), "Unknown program");
});
