import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { loadRootKeyFile, parseRootKey, RootKeyError } from "../../src/secrets/root_key.ts";

const key = Uint8Array.from({ length: 32 }, (_, index) => index * 7);

Deno.test("a root key is 64 hexadecimal or 44 base64 characters", () => {
  const hex = Buffer.from(key).toString("hex");
  for (const text of [hex, hex.toUpperCase(), Buffer.from(key).toString("base64"), `${hex}\n`]) {
    assert.deepEqual(parseRootKey(text), key);
  }
  for (const text of ["", hex.slice(1), `${hex}00`, "g".repeat(64), "A".repeat(44)]) {
    assert.equal(parseRootKey(text), null, text);
  }
});

Deno.test("a missing key file is made with mode 0600 and read back the same", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const path = join(directory, "root.key");
    const [first, second] = [await loadRootKeyFile(path), await loadRootKeyFile(path)];
    assert.deepEqual(first, second);
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("a key file that cannot be used says why, without its content", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const path = join(directory, "root.key");
    await Deno.writeTextFile(path, "not a key");
    await assert.rejects(loadRootKeyFile(path), (error: Error) => {
      assert.ok(error instanceof RootKeyError);
      assert.match(error.message, /server\.secret_key_file/);
      assert.doesNotMatch(error.message, /not a key/);
      return true;
    });
    await assert.rejects(loadRootKeyFile(join(directory, "missing", "root.key")), RootKeyError);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
