import { z } from "zod";
import { byteLength, parseRules, xmlText } from "../rule_list.ts";

/** Most rules of a bucket: https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html */
const maxRules = 1000;

/** Longest id, in characters, as at S3. */
const maxIdLength = 255;

/** Longest prefix, in bytes of UTF-8: that of a key. */
const maxPrefixBytes = 1024;

/** Most tags that an object may have, and therefore a filter ask for. */
const maxTags = 10;

/** Longest key and value of a tag, in characters: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html */
const maxTagKeyLength = 128;
const maxTagValueLength = 256;

/** Largest bound of a size, in bytes: no server has objects of a petabyte. */
const maxSizeBytes = 1e15 - 1;

const tagSchema = z.strictObject({
  key: xmlText.min(1).max(maxTagKeyLength),
  value: xmlText.max(maxTagValueLength),
});

const days = z.int().min(1).max(2 ** 31 - 1);

const ruleSchema = z.strictObject({
  id: xmlText.min(1).max(maxIdLength).optional(),
  prefix: xmlText.refine((text) => byteLength(text) <= maxPrefixBytes, {
    error: `is longer than ${maxPrefixBytes} bytes`,
  }).default(""),
  tags: z.array(tagSchema).max(maxTags).optional(),
  larger_than_bytes: z.int().min(0).max(maxSizeBytes).nullish(),
  smaller_than_bytes: z.int().min(1).max(maxSizeBytes).nullish(),
  enabled: z.boolean(),
  expiration_days: days.optional(),
  noncurrent_expire_days: days.optional(),
  noncurrent_keep_versions: z.int().min(1).max(2 ** 31 - 1).nullish(),
  abort_incomplete_days: days.optional(),
  transition_days: days.optional(),
  transition_storage_class: xmlText.min(1).max(255).optional(),
  unmodeled: z.array(z.string()).optional(),
}).superRefine(checkFilter).superRefine((rule, context) => {
  const { transition_days: days, transition_storage_class: storageClass } = rule;
  if ((days === undefined) === (storageClass === undefined)) return;
  const [field, other] = days === undefined
    ? ["transition_days", "transition_storage_class"]
    : ["transition_storage_class", "transition_days"];
  context.addIssue({ code: "custom", path: [field], message: `is needed with ${other}` });
});

/** What S3 asks of a filter: https://docs.aws.amazon.com/AmazonS3/latest/API/API_LifecycleRuleFilter.html */
function checkFilter(rule: WantedLifecycleRule, context: z.RefinementCtx): void {
  const { tags = [] } = rule;
  const [lower, upper] = [rule.larger_than_bytes ?? undefined, rule.smaller_than_bytes ?? undefined];
  const add = (path: (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path, message });
  const keys = tags.map(({ key }) => key);
  const again = keys.findIndex((key, place) => keys.indexOf(key) < place);
  if (again >= 0) add(["tags", again, "key"], "stands twice");
  if (lower !== undefined && upper !== undefined && upper <= lower + 1) {
    add(["smaller_than_bytes"], "leaves no size between it and larger_than_bytes");
  }
  const isNarrowed = tags.length > 0 || lower !== undefined || upper !== undefined;
  if (isNarrowed && rule.abort_incomplete_days !== undefined) {
    add(["abort_incomplete_days"], "cannot go with tags or sizes, which unfinished uploads do not have");
  }
}

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
  tags: z.array(z.strictObject({ key: z.string(), value: z.string() })).optional(),
  larger_than_bytes: z.int().optional(),
  smaller_than_bytes: z.int().optional(),
  enabled: z.boolean(),
  expiration_days: z.int().optional(),
  noncurrent_expire_days: z.int().optional(),
  noncurrent_keep_versions: z.int().optional(),
  abort_incomplete_days: z.int().optional(),
  transition_days: z.int().optional(),
  transition_storage_class: z.string().optional(),
  unmodeled: z.array(z.string()).optional(),
});

/** A rule as the API shows it. */
export type LifecycleRule = z.output<typeof shownLifecycleRule>;

/** Fields that narrow what a rule does. */
type Narrowing = "larger_than_bytes" | "smaller_than_bytes" | "noncurrent_keep_versions";

/**
 * A rule as a client wants it. What narrows a stored rule, and is left out, stays: nothing may be deleted because a client
 * did not know of a field. `null`, or no tags, removes it.
 */
export type WantedLifecycleRule =
  & Omit<LifecycleRule, Narrowing>
  & { readonly [Field in Narrowing]?: number | null };

/** The rule that is meant by a wanted one, in the place of the stored one, if there is any. */
export function meantRule(wanted: WantedLifecycleRule, stored?: LifecycleRule): LifecycleRule {
  const { tags = stored?.tags, noncurrent_expire_days: days } = wanted;
  const meant = (field: Narrowing) =>
    (wanted[field] === undefined ? stored?.[field] : wanted[field]) ?? undefined;
  return {
    ...wanted,
    tags: tags?.length === 0 ? undefined : tags,
    larger_than_bytes: meant("larger_than_bytes"),
    smaller_than_bytes: meant("smaller_than_bytes"),
    // It narrows nothing where old versions stay for ever.
    noncurrent_keep_versions: days === undefined && wanted.noncurrent_keep_versions === undefined
      ? undefined
      : meant("noncurrent_keep_versions"),
  };
}

/** Checks the rules that a client sent, all but whether each does anything. Throws 400 `invalid_lifecycle`. */
export function parseWantedLifecycle(value: unknown): WantedLifecycleRule[] {
  return parseRules(wantedLifecycleRules, value, "invalid_lifecycle");
}
