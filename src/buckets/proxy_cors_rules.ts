import { z } from "zod";
import { corsMethods, type CorsRule } from "../proxy/cors.ts";
import { byteLength, invalidRules, parseRules } from "./rule_list.ts";

/** Most rules of a bucket, as at S3. */
export const maxCorsRules = 100;

/** Most entries of each list of a rule. */
const maxEntries = 100;

/** Largest size of a bucket's rules, in bytes, as at S3. */
const maxBytes = 64 * 1024;

/** Characters of header names: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const atMostOneStar = { error: "has more than one *" };

function hasAtMostOneStar(text: string): boolean {
  return text.indexOf("*") === text.lastIndexOf("*");
}

/** Whether nothing follows the host and port; with a path, which browsers never send, the rule would match nothing. */
function hasNoPath(origin: string): boolean {
  return !origin.replace(/^[^/]*:\/\//, "").includes("/");
}

const origin = z.string().max(255)
  .regex(/^[\x21-\x2b\x2d-\x7e]+$/, { error: "is not an origin, such as https://app.example.com" })
  .refine(hasNoPath, { error: "has a path, which no origin has" })
  .refine(hasAtMostOneStar, atMostOneStar);

const headerName = z.string().max(128).regex(token, { error: "is not the name of a header" });

/** Schema of a rule as the API shows and takes it. */
export const corsRuleSchema = z.strictObject({
  allowed_origins: z.array(origin).min(1).max(maxEntries),
  allowed_methods: z.array(z.enum(corsMethods)).min(1).max(corsMethods.length),
  allowed_headers: z.array(headerName.refine(hasAtMostOneStar, atMostOneStar)).max(maxEntries).default([]),
  expose_headers: z.array(headerName.refine((name) => !name.includes("*"), { error: "has a *" }))
    .max(maxEntries).default([]),
  max_age_seconds: z.int().min(0).max(2 ** 31 - 1).optional(),
});

const rulesSchema = z.array(corsRuleSchema).max(maxCorsRules);

/** A rule as the API shows and takes it. */
export type CorsRuleJson = z.output<typeof corsRuleSchema>;

/** Checks the rules that a client sent. Throws 400 `invalid_cors` as {@link parseRules} does. */
export function parseCorsRules(value: unknown): CorsRuleJson[] {
  const rules = parseRules(rulesSchema, value, "invalid_cors");
  requireCorsSize(JSON.stringify(rules));
  return rules;
}

/** Throws 400 `invalid_cors` for rules that are too large as they are kept. */
export function requireCorsSize(text: string): void {
  if (byteLength(text) > maxBytes) throw invalidRules("invalid_cors", `take more than ${maxBytes} bytes`);
}

/** A rule as requests are matched against it. */
export function toCorsRule(rule: CorsRuleJson): CorsRule {
  return {
    allowedOrigins: rule.allowed_origins,
    allowedMethods: rule.allowed_methods,
    allowedHeaders: rule.allowed_headers.map((name) => name.toLowerCase()),
    exposeHeaders: rule.expose_headers,
    maxAgeSeconds: rule.max_age_seconds,
  };
}
