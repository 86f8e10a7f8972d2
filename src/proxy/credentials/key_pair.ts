import { randomBytes } from "node:crypto";

/** The letters of RFC 4648 base32, as in AWS's own ids. */
const idLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new access key id: `AKIA` and 16 random letters and digits, 80 bits in all. */
export function newAccessKeyId(): string {
  const letters = Array.from(randomBytes(16), (byte) => idLetters[byte % idLetters.length]);
  return `AKIA${letters.join("")}`;
}

/** A new secret key: 240 random bits in 40 characters of the URL-safe base64 alphabet. */
export function newSecretKey(): string {
  return randomBytes(30).toString("base64url");
}
