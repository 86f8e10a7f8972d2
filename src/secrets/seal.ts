import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** A sealed value cannot be opened: wrong root key, moved to another row, or changed. */
export class SealError extends Error {
  override readonly name = "SealError";
}

const version = 1;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals secrets for storage with AES-256-GCM (NIST SP 800-38D) under a fresh 96-bit nonce. A sealed value is
 * `version (1) | key id (8) | nonce (12) | ciphertext | tag (16)`. The `place` (table and row id) is associated data: a
 * sealed value that is copied to another row does not open there.
 */
export class Sealer {
  readonly #key: Uint8Array;
  /** Names the root key without telling anything about it. */
  readonly keyId: Uint8Array;

  /** `rootKey` is 32 bytes. */
  constructor(rootKey: Uint8Array) {
    if (rootKey.byteLength !== 32) throw new TypeError("an AES-256 key has 32 bytes");
    this.#key = rootKey;
    this.keyId = createHash("sha256").update("key id\0").update(rootKey).digest().subarray(0, keyIdBytes);
  }

  /** Seals `plaintext` for `place`, such as `backends/primary`. */
  seal(plaintext: string, place: string): Uint8Array {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce).setAAD(new TextEncoder().encode(place));
    const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
    return Buffer.concat([Uint8Array.of(version), this.keyId, nonce, ciphertext, cipher.getAuthTag()]);
  }

  /** Opens what {@link seal} made for the same `place`; throws {@link SealError}. */
  open(sealed: Uint8Array, place: string): string {
    const header = 1 + keyIdBytes;
    if (sealed.byteLength < header + nonceBytes + tagBytes || sealed[0] !== version) {
      throw new SealError(`the sealed value of ${place} is damaged`);
    }
    if (!this.keyId.every((byte, index) => byte === sealed[1 + index])) {
      throw new SealError(`the sealed value of ${place} belongs to another root key`);
    }
    const nonce = sealed.subarray(header, header + nonceBytes);
    const ciphertext = sealed.subarray(header + nonceBytes, -tagBytes);
    const decipher = createDecipheriv("aes-256-gcm", this.#key, nonce)
      .setAAD(new TextEncoder().encode(place))
      .setAuthTag(sealed.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
    } catch {
      throw new SealError(`the sealed value of ${place} was changed or moved`);
    }
  }
}
