import assert from "node:assert/strict";
import { speaking } from "../../src/pages/language.ts";
import type { Me } from "../../static/lib/boot_data.js";
import { byteUnits, unitOf } from "../../static/lib/byte_units.js";
import { errorText, errorWords } from "../../static/lib/error_texts.js";
import {
  formatBytes,
  formatDuration,
  formatLatency,
  formatRelative,
  formatUtc,
  setDecimalSizes,
} from "../../static/lib/format.js";
import { drawFor } from "../../static/lib/reader.js";
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

Deno.test("sizes are in powers of 1000 for who wants that, also where they are typed", () => {
  setDecimalSizes(true);
  try {
    const sizes: [number, string][] = [
      [999, "999 B"],
      [1000, "1.00 kB"],
      [1024, "1.02 kB"],
      [999_999, "1.00 MB"],
      [5 * 1024 ** 3, "5.37 GB"],
    ];
    for (const [bytes, text] of sizes) assert.equal(formatBytes(bytes), text);
    assert.deepEqual(byteUnits().map(({ name, bytes }) => [name, bytes]), [
      ["kB", 1e3],
      ["MB", 1e6],
      ["GB", 1e9],
      ["TB", 1e12],
    ]);
    assert.deepEqual([unitOf(5e9), unitOf(2.5e12), unitOf(0)], ["GB", "TB", "GB"]);
    assert.equal(unitOf(5 * 2 ** 30), "GB", "which no unit makes a short number of");
  } finally {
    setDecimalSizes(false);
  }
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

Deno.test("errors are told in the page's language, and what the server says besides is a detail", () => {
  const refused = { code: "invalid_key", message: 'A key must not have a segment "..".' };
  const ours = "An object cannot have this key. Choose another one.";
  assert.deepEqual(errorWords(refused), { text: ours, said: refused.message });
  assert.equal(errorText(refused), `${ours} ${refused.message}`);
  assert.equal(errorText({ code: "invalid_key", message: "" }), ours);
  assert.deepEqual(errorWords({ ...refused, text: ours, message: "Both.", said: "x" }), {
    text: ours,
    said: "x",
  });
  speaking("de", () => {
    assert.deepEqual(errorWords(refused), {
      text: "Diesen Schlüssel kann ein Objekt nicht haben. Wählen Sie einen anderen.",
      said: refused.message,
    });
    assert.deepEqual(errorWords({ code: "shutting_down", message: "The service is shutting down." }), {
      text: "Der Dienst startet neu. Versuchen Sie es gleich noch einmal.",
      said: "",
    });
    const told = { code: "invalid_key", message: "Wie es schon heißt.", said: "As the server says." };
    assert.deepEqual(errorWords(told), { text: told.message, said: told.said });
  });
});

Deno.test("what fails at a backend is told to whoever looks after it with its cause, to others with whom to tell", () => {
  const refused = {
    code: "backend_error",
    message: "The backend refuses connections.",
    detail: { reason: "connection_refused" },
  };
  const foreign = { code: "backend_error", message: "As the server says.", detail: { reason: "new" } };
  const silent = "The storage backend does not answer. Try again; if it stays, tell an administrator.";
  assert.deepEqual(errorWords(refused), { text: silent, said: "" });
  assert.match(errorText(foreign), /tell an administrator\. As the server says\.$/);
  drawFor({ can: { read_health: true } } as unknown as Me);
  try {
    assert.deepEqual(errorWords(refused), {
      text:
        "The storage backend cannot be reached. Nothing listens there. Check the port, and that the service runs.",
      said: "",
    });
    const lost = { ...refused, detail: { reason: "connection_lost" } };
    assert.match(
      errorWords(lost).text,
      /^Something went wrong at the storage backend\. The connection ended early\./,
    );
    assert.equal(errorWords(lost).said, refused.message);
    const stranger = { ...refused, detail: { reason: "not_s3", upstream_status: 200 } };
    assert.doesNotMatch(errorText(stranger), /cannot be reached/);
    assert.equal(errorText(foreign), "Something went wrong at the storage backend. As the server says.");
    speaking("de", () => assert.match(errorText(refused), /nicht erreichbar\. [^]*Port/));
  } finally {
    drawFor(null);
  }
});

Deno.test("what a backend does not support is said once", () => {
  const ours = "The backend does not support this.";
  const message = "This backend does not support that.";
  const detail = { upstream_status: 501, upstream_code: "NotImplemented" };
  assert.deepEqual(errorWords({ code: "not_supported", message, detail }), { text: ours, said: "" });
  assert.deepEqual(errorWords({ code: "not_supported", message: "More." }), { text: ours, said: "More." });
});

Deno.test("words for errors and programs", () => {
  assert.match(errorText({ code: "bucket_not_empty", message: "x" }), /Empty it first/);
  assert.equal(errorText({ code: "constructor", message: "As the server says." }), "As the server says.");
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  assert.equal(describeAgent(firefox), "Firefox on Linux");
  assert.equal(describeAgent("curl/8.5.0"), "curl/8.5.0");
  assert.equal(describeAgent(""), "Unknown program");
});
