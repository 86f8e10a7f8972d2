import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { errorMessage } from "../error_message.ts";

/** The root key file exists but cannot be used. */
export class RootKeyError extends Error {
  override readonly name = "RootKeyError";
}

/**
 * Parses an AES-256 root key: 64 hexadecimal or 44 base64 characters, as the specification says of
 * `SERVICE_SECRET_KEY`. Returns its 32 bytes, or `null` for anything else.
 */
export function parseRootKey(text: string): Uint8Array | null {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return new Uint8Array(Buffer.from(trimmed, "hex"));
  if (/^[A-Za-z0-9+/]{43}=$/.test(trimmed)) return new Uint8Array(Buffer.from(trimmed, "base64"));
  return null;
}

/**
 * Reads the root key from `path`, or makes a new one there with mode 0600 when the file is missing. Two processes that
 * start at once end up with one key: the file is created exclusively, and the loser reads the winner's.
 */
export async function loadRootKeyFile(path: string): Promise<Uint8Array> {
  try {
    const file = await Deno.open(path, { createNew: true, write: true, mode: 0o600 });
    try {
      await file.write(new TextEncoder().encode(randomBytes(32).toString("hex") + "\n"));
      await file.sync();
    } finally {
      file.close();
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) {
      throw new RootKeyError(`server.secret_key_file: ${path} cannot be created: ${errorMessage(error)}`);
    }
  }
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    throw new RootKeyError(`server.secret_key_file: ${path} cannot be read: ${errorMessage(error)}`);
  }
  const key = parseRootKey(text);
  if (key === null) {
    throw new RootKeyError(
      `server.secret_key_file: ${path} does not hold a key of 64 hexadecimal or 44 base64 characters`,
    );
  }
  return key;
}
