import { elementOf, xmlDocument } from "../../xml/writer.ts";
import { type DocumentKind, parseStored } from "./documents.ts";
import { lifecycleRuleFormat } from "./lifecycle_rule_xml.ts";
import type { LifecycleRule, WantedLifecycleRule } from "./lifecycle_rules.ts";
import { branch, mergeRules } from "./merge.ts";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html */
export const lifecycleDocument: DocumentKind = {
  name: "lifecycle",
  contentType: "application/xml",
  root: "LifecycleConfiguration",
  missing: "NoSuchLifecycleConfiguration",
  invalid: "invalid_lifecycle",
  // Many servers expire objects, but have no other storage classes.
  optional: /<(?:NoncurrentVersion)?Transition>/,
  // Without it the setting would go back to its default.
  headers: ["x-amz-transition-default-minimum-object-size"],
};

/** The rules of a stored document. */
export function readLifecycle(text: string): LifecycleRule[] {
  return text === "" ? [] : parseStored(text).children.filter(({ name }) => name === "Rule").map(
    lifecycleRuleFormat.read,
  );
}

/**
 * The document that has the rules a client wants: see {@link mergeRules}. Empty for no rules. Throws 400 `invalid_lifecycle`
 * for a rule that does nothing.
 */
export function editLifecycle(
  text: string,
  wanted: readonly WantedLifecycleRule[],
  isInformed: boolean,
): string {
  const all = text === "" ? [] : parseStored(text).children;
  const stored = all.filter(({ name }) => name === "Rule");
  const rules = mergeRules(stored, wanted, lifecycleRuleFormat, isInformed);
  if (rules.length === stored.length && rules.every((rule, place) => rule === stored[place])) return text;
  if (rules.length === 0) return "";
  const others = all.filter(({ name }) => name !== "Rule");
  return xmlDocument(elementOf(branch("LifecycleConfiguration", [...rules, ...others])));
}
