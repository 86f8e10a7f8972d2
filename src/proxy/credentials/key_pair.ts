import { randomBytes } from "node:crypto";

/** The letters of RFC 4648 base32, as in AWS's own ids. */
const idLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new access key id: `AKIA` and 16 random letters and digits, 80 bits in all. */
export function newAccessKeyId(): string {
  const letters = Array.from(randomBytes(16), (byte) => idLetters[byte % idLetters.length]);
  return `AKIA${letters.join("")}`;
}

/** Letters of base62, which no shell, URL or command line reads as anything else: some clients take `-…` for a flag. */
const secretLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const secretLength = 40;

/** A new secret key: 238 random bits in 40 letters and digits. */
export function newSecretKey(): string {
  let secret = "";
  while (secret.length < secretLength) {
    for (const byte of randomBytes(secretLength)) {
      // Six bits a letter; the two values without one are drawn again, so that all letters are as likely.
      secret += secretLetters[byte & 63] ?? "";
    }
  }
  return secret.slice(0, secretLength);
}
