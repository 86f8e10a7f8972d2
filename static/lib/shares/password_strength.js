// @ts-check
import { t } from "../i18n.js";
import { html } from "../html.js";

/** @type {Readonly<Record<Strength, import("../i18n.js").MessageKey>>} */
const words = {
  weak: "shares.strength_weak",
  fair: "shares.strength_fair",
  strong: "shares.strength_strong",
};

/** @typedef {"weak" | "fair" | "strong"} Strength */

/** Tries a second that somebody with a link gets through, at most: each costs the server a slow hash. */
const fairBits = 36;

/** Bits from which on a password is out of reach even for whoever has stolen the hashes. */
const strongBits = 64;

/**
 * How hard a password is to guess, by an upper bound: its length and the kinds of letters in it, repeats counted once. What
 * a dictionary holds is not looked up, so that a word alone is never called strong.
 *
 * @param {string} password
 * @returns {Strength}
 */
export function strengthOf(password) {
  const kinds = [[/[a-z]/, 26], [/[A-Z]/, 26], [/\d/, 10], [/[ -/:-@[-`{-~]/, 33], [/[^ -~]/, 100]];
  const letters = kinds.reduce(
    (sum, [kind, size]) => /** @type {RegExp} */ (kind).test(password) ? sum + Number(size) : sum,
    0,
  );
  const distinct = new Set(password).size;
  const length = Math.min(password.length, distinct * 2);
  const bits = length * Math.log2(Math.max(letters, 1));
  // A single word, however long, is in a dictionary.
  if (bits < fairBits || /^\p{L}+$/u.test(password) && password.length < 20) return "weak";
  return bits < strongBits ? "fair" : "strong";
}

/**
 * How hard a password is to guess, in words and as a bar.
 * @param {{ password: string }} props
 */
export function PasswordStrength({ password }) {
  if (password === "") return null;
  const strength = strengthOf(password);
  const steps = { weak: 1, fair: 2, strong: 3 }[strength];
  return html`
    <p class="field-hint password-strength" role="status">
      <span class="strength-bar strength-${strength}" aria-hidden="true">${[1, 2, 3].map((step) =>
        html`<span key=${step} class=${step <= steps ? "filled" : ""}></span>`
      )}</span>${t(words[strength])}
    </p>
  `;
}
