import assert from "node:assert/strict";
import { ReadAheadMemory, ReadAheadShare } from "../../src/zip/read_ahead_memory.ts";

Deno.test("archives share what they read ahead into, and the end of one gives its share back", () => {
  const memory = new ReadAheadMemory(10);
  const [one, other] = [new ReadAheadShare(memory), new ReadAheadShare(memory)];
  assert.deepEqual([one.take(6), other.take(5), other.take(4)], [true, false, true]);
  one.give(2);
  assert.deepEqual([other.take(2), other.take(1)], [true, false]);
  one.close();
  one.give(4);
  assert.deepEqual([one.take(1), other.take(4), other.take(1)], [false, true, false]);
});
