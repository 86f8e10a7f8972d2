import { randomBytes } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Letters of a code: 62 ^ 22 is 131 bits, beyond guessing. */
const codeLength = 22;

/** Bytes from here on are thrown away: without that, the first letters of the alphabet would come up more often. */
const firstUnfair = 256 - 256 % alphabet.length;

/** A new code of a share: 22 random letters and digits. */
export function newCode(): string {
  let code = "";
  while (code.length < codeLength) {
    for (const byte of randomBytes(codeLength)) {
      if (byte < firstUnfair && code.length < codeLength) code += alphabet[byte % alphabet.length];
    }
  }
  return code;
}

/** Whether `text` can be a code at all. */
export function isCode(text: string): boolean {
  return /^[A-Za-z0-9]{22}$/.test(text);
}
