// @ts-check

/** @import { CorsRule } from "./cors_rules.js" */

/**
 * What would become of a request of a page of another origin.
 * @typedef {object} CorsVerdict
 * @property {boolean} allowed
 * @property {number} rule the place of the rule that allows it, or that comes nearest; -1 for none
 * @property {boolean} preflight whether the browser asks beforehand with OPTIONS
 * @property {"rules" | "origin" | "method" | "headers" | null} reason what no rule has; `null` when it is allowed
 * @property {string[]} refusedHeaders those that the nearest rule does not allow
 */

/** Methods that browsers send without asking: https://fetch.spec.whatwg.org/#cors-safelisted-method */
const simpleMethods = new Set(["GET", "HEAD", "POST"]);

/** Headers likewise, whatever their value: https://fetch.spec.whatwg.org/#cors-safelisted-request-header */
const simpleHeaders = new Set(["accept", "accept-language", "content-language"]);

/**
 * Tells what S3 answers a browser, by the first rule that allows the origin, the method and every header
 * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/cors.html).
 * @param {readonly CorsRule[]} rules
 * @param {{ origin: string, method: string, headers: readonly string[] }} request
 * @returns {CorsVerdict}
 */
export function corsVerdict(rules, { origin, method, headers }) {
  const asked = headers.map((name) => name.toLowerCase()).filter((name) => !simpleHeaders.has(name));
  const preflight = !simpleMethods.has(method) || asked.length > 0;
  const none = { allowed: false, rule: -1, preflight, refusedHeaders: [] };
  if (rules.length === 0) return { ...none, reason: "rules" };
  /** @type {CorsVerdict} */
  let nearest = { ...none, reason: "origin" };
  for (const [place, rule] of rules.entries()) {
    if (!rule.allowed_origins.some((pattern) => hasStarMatch(pattern, origin))) continue;
    if (!rule.allowed_methods.includes(method)) {
      if (nearest.reason === "origin") nearest = { ...none, rule: place, reason: "method" };
      continue;
    }
    const refusedHeaders = asked.filter((name) =>
      !(rule.allowed_headers ?? []).some((pattern) => hasStarMatch(pattern.toLowerCase(), name))
    );
    if (refusedHeaders.length === 0) {
      return { allowed: true, rule: place, preflight, reason: null, refusedHeaders };
    }
    if (nearest.reason !== "headers") nearest = { ...none, rule: place, reason: "headers", refusedHeaders };
  }
  return nearest;
}

/**
 * Whether `text` is `pattern`, in which one `*` stands for any characters, or none.
 * @param {string} pattern
 * @param {string} text
 */
function hasStarMatch(pattern, text) {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === text;
  return text.length >= pattern.length - 1 && text.startsWith(pattern.slice(0, star)) &&
    text.endsWith(pattern.slice(star + 1));
}
