import { z } from "zod";
import { byteLength, parseRules, xmlText } from "../rule_list.ts";

/** Most rules of a bucket: https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html */
const maxRules = 1000;

/** Longest id, in characters, as at S3. */
const maxIdLength = 255;

/** Longest prefix, in bytes of UTF-8: that of a key. */
const maxPrefixBytes = 1024;

const days = z.int().min(1).max(2 ** 31 - 1);

const ruleSchema = z.strictObject({
  id: xmlText.min(1).max(maxIdLength).optional(),
  prefix: xmlText.refine((text) => byteLength(text) <= maxPrefixBytes, {
    error: `is longer than ${maxPrefixBytes} bytes`,
  }).default(""),
  enabled: z.boolean(),
  expiration_days: days.optional(),
  noncurrent_expire_days: days.optional(),
  abort_incomplete_days: days.optional(),
  transition_days: days.optional(),
  transition_storage_class: xmlText.min(1).max(255).optional(),
  unmodeled: z.array(z.string()).optional(),
}).superRefine((rule, context) => {
  const { transition_days: days, transition_storage_class: storageClass } = rule;
  if ((days === undefined) === (storageClass === undefined)) return;
  const [field, other] = days === undefined
    ? ["transition_days", "transition_storage_class"]
    : ["transition_storage_class", "transition_days"];
  context.addIssue({ code: "custom", path: [field], message: `is needed with ${other}` });
});

/** Schema of the rules that the API takes. */
export const wantedLifecycleRules = z.array(ruleSchema).max(maxRules).superRefine((rules, context) => {
  const seen = new Set<string>();
  for (const [place, { id }] of rules.entries()) {
    if (id === undefined) continue;
    if (seen.has(id)) context.addIssue({ code: "custom", path: [place, "id"], message: "stands twice" });
    seen.add(id);
  }
});

/** Schema of a rule as the API shows it; times are days. */
export const shownLifecycleRule = z.strictObject({
  id: z.string().optional(),
  prefix: z.string(),
  enabled: z.boolean(),
  expiration_days: z.int().optional(),
  noncurrent_expire_days: z.int().optional(),
  abort_incomplete_days: z.int().optional(),
  transition_days: z.int().optional(),
  transition_storage_class: z.string().optional(),
  unmodeled: z.array(z.string()).optional(),
});

/** A rule as the API shows and takes it. */
export type LifecycleRule = z.output<typeof shownLifecycleRule>;

/** Checks the rules that a client sent, all but whether each does anything. Throws 400 `invalid_lifecycle`. */
export function parseWantedLifecycle(value: unknown): LifecycleRule[] {
  return parseRules(wantedLifecycleRules, value, "invalid_lifecycle");
}
