import { randomBytes } from "node:crypto";

/**
 * Makes ids of requests, like S3's: 16 letters and digits, never the same one twice. The first half is that of the process, the
 * second one counts.
 */
export function requestIds(): () => string {
  const process = randomBytes(4).toString("hex").toUpperCase();
  let count = 0;
  return () => process + (count++ >>> 0).toString(16).toUpperCase().padStart(8, "0");
}
