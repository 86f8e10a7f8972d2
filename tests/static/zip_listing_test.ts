import assert from "node:assert/strict";
import { directoryOf64, findDirectory, zipEntries, zipTail } from "../../static/lib/preview/zip.js";

/** A zip archive of stored entries, as far as its directory. */
function archive(entries: { name: string; size?: number; flags?: number }[], comment = ""): Uint8Array {
  const parts: Uint8Array[] = [new Uint8Array(10)];
  let length = 0;
  for (const { name, size = 3, flags = 0x800 } of entries) {
    const bytes = new TextEncoder().encode(name);
    const head = new Uint8Array(46 + bytes.length);
    const view = new DataView(head.buffer);
    view.setUint32(0, 0x02014b50, true);
    view.setUint16(8, flags, true);
    view.setUint32(20, size, true);
    view.setUint32(24, size, true);
    view.setUint16(28, bytes.length, true);
    head.set(bytes, 46);
    parts.push(head);
    length += head.length;
  }
  const end = new Uint8Array(22 + comment.length);
  const view = new DataView(end.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(10, entries.length, true);
  view.setUint32(12, length, true);
  view.setUint32(16, 10, true);
  view.setUint16(20, comment.length, true);
  end.set(new TextEncoder().encode(comment), 22);
  return concat([...parts, end]);
}

function concat(parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function listed(bytes: Uint8Array) {
  const place = findDirectory(bytes.subarray(-zipTail), bytes.length);
  if (place === null || "end64" in place) return null;
  return zipEntries(bytes.subarray(place.offset, place.offset + place.length), 100);
}

Deno.test("zip listing: names, sizes and folders, behind a comment too", () => {
  const bytes = archive(
    [{ name: "a/" }, { name: "a/ü.txt", size: 7 }, { name: "x", flags: 0x801 }],
    "a comment",
  );
  assert.deepEqual(listed(bytes), [
    { name: "a/", folder: true, encrypted: false, size: 3, packed: 3 },
    { name: "a/ü.txt", folder: false, encrypted: false, size: 7, packed: 7 },
    { name: "x", folder: false, encrypted: true, size: 3, packed: 3 },
  ]);
});

Deno.test("zip listing: an archive that lies is no archive, or ends where its bytes do", () => {
  const bytes = archive([{ name: "one" }, { name: "two" }]);
  const view = new DataView(bytes.buffer);
  const end = bytes.length - 22;
  view.setUint32(end + 16, 0x7fffffff, true);
  assert.equal(listed(bytes), null, "a directory beyond the end");
  view.setUint32(end + 16, 10, true);
  view.setUint16(10 + 28, 60_000, true);
  assert.deepEqual(listed(bytes), [], "a name beyond the end");
  assert.equal(findDirectory(new Uint8Array(100), 100), null);
  assert.equal(findDirectory(new Uint8Array(3), 3), null);
  view.setUint32(end + 16, 0xffffffff, true);
  assert.equal(findDirectory(bytes, bytes.length), null, "zip64 without its locator");
});

Deno.test("zip listing: the end record of zip64", () => {
  const record = new Uint8Array(56);
  const view = new DataView(record.buffer);
  view.setUint32(0, 0x06064b50, true);
  view.setBigUint64(32, 70_000n, true);
  view.setBigUint64(40, 500n, true);
  view.setBigUint64(48, 5_000_000_000n, true);
  assert.deepEqual(directoryOf64(record, 6_000_000_000), {
    offset: 5_000_000_000,
    length: 500,
    count: 70_000,
  });
  assert.equal(directoryOf64(record, 1000), null, "beyond the end");
  assert.equal(directoryOf64(record.subarray(0, 20), 1000), null);
});
