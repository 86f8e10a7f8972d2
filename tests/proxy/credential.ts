import type { VirtualCredential } from "../../src/proxy/credentials/source.ts";
import { S3Error, type S3ErrorCode } from "../../src/proxy/s3_error.ts";
import assert from "node:assert/strict";

/** A credential for the buckets `photos` and `films` on the backend `near` and `archive` on `far`. */
export function testCredential(changes: Partial<VirtualCredential> = {}): VirtualCredential {
  return {
    accessKeyId: "AKIAEXAMPLE",
    secretKey: "secret",
    buckets: new Map([["photos", "near"], ["films", "near"], ["archive", "far"]]),
    prefix: "",
    readOnly: false,
    enabled: true,
    expiresAt: undefined,
    userId: "",
    createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    source: "sqlite",
    ...changes,
  };
}

/** Asserts that `action` throws an S3 error of this code and gives that. */
export function assertS3Error(action: () => unknown, code: S3ErrorCode, about?: string): S3Error {
  let thrown: unknown;
  try {
    action();
  } catch (error) {
    thrown = error;
  }
  assert.ok(thrown instanceof S3Error, `${about ?? code}: ${thrown}`);
  assert.equal(thrown.code, code, about);
  return thrown;
}
