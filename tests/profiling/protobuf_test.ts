import assert from "node:assert/strict";
import { ProtobufMessage } from "../../src/profiling/protobuf.ts";

/** The bytes of a message that `write` has written. */
function bytesOf(write: (message: ProtobufMessage) => void): number[] {
  const message = new ProtobufMessage();
  write(message);
  return [...message.bytes()];
}

// From https://protobuf.dev/programming-guides/encoding/
Deno.test("messages are encoded as in the documentation of the format", () => {
  assert.deepEqual(bytesOf((message) => message.integer(1, 150)), [0x08, 0x96, 0x01]);
  assert.deepEqual(bytesOf((message) => message.string(2, "testing")), [
    ...[0x12, 0x07],
    ...new TextEncoder().encode("testing"),
  ]);
  const inner = new ProtobufMessage();
  inner.integer(1, 150);
  assert.deepEqual(bytesOf((message) => message.message(3, inner)), [0x1a, 0x03, 0x08, 0x96, 0x01]);
  assert.deepEqual(bytesOf((message) => message.integers(6, [3, 270, 86942])), [
    ...[0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05],
  ]);
});

Deno.test("integers are exact beyond 32 bits, and text is UTF-8", () => {
  assert.deepEqual(bytesOf((message) => message.integer(1, 0)), [0x08, 0]);
  assert.deepEqual(bytesOf((message) => message.integer(1, 2 ** 35 + 1)), [
    0x08,
    0x81,
    0x80,
    0x80,
    0x80,
    0x80,
    1,
  ]);
  assert.deepEqual(bytesOf((message) => message.integer(16, Number.MAX_SAFE_INTEGER)), [
    ...[0x80, 0x01],
    ...[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f],
  ]);
  assert.deepEqual(bytesOf((message) => message.string(1, "é")), [0x0a, 2, 0xc3, 0xa9]);
});
