// @ts-check
import { t } from "../i18n.js";
import { awsCommand } from "./commands.js";
import { policyProblems } from "./policy_rules.js";
import { TemplateForm } from "./policy_template_form.js";
import { matchesPattern, statementsOf } from "./policy_statements.js";
import { isOpening, isPublic, policyWords } from "./policy_words.js";
import { isObject } from "./shapes.js";

/** @import { PolicyValue } from "./policy_form.js" */
/** @import { Statement } from "./policy_statements.js" */
/** @import { SectionEditing } from "./section.js" */

/** Changing who may do what. @type {SectionEditing<PolicyValue>} */
export const policyEditing = {
  fromJson: (parsed) => parsed === null || isObject(parsed) ? parsed : undefined,
  problems: (parsed, { bucket }) => policyProblems(parsed, bucket),
  toRequest: (policy) => policy === null ? { method: "DELETE" } : { method: "PUT", json: { policy } },
  refusals: [
    [/principal/i, "Principal"],
    [/action/i, "Action"],
    [/resource/i, "Resource"],
    [/condition/i, "Condition"],
    [/effect/i, "Effect"],
    [/version/i, "Version"],
    [/statement/i, "Statement"],
  ],
  needsName: opensMore,
  warning: (before, after) => opensMore(before, after) ? t("settings.policy_opens") : null,
  commands: (policy, { bucket }) => [
    policy === null
      ? awsCommand("delete-bucket-policy", bucket)
      : awsCommand("put-bucket-policy", bucket, "--policy", policy),
  ],
  complete: (answer) => ({ ...answer, words: policyWords(answer.policy) }),
  words: policyWords,
  Tools: TemplateForm,
};

/**
 * Whether everyone may do more by the new policy than by the old one: it allows what the old one did not, or no longer
 * denies what that did.
 * @param {PolicyValue} before
 * @param {PolicyValue} after
 */
function opensMore(before, after) {
  if (!isPublic(after)) return false;
  const old = statementsOf(before);
  const fresh = statementsOf(after);
  const isNew = fresh.some((statement) => isOpening(statement) && !old.some((one) => covers(one, statement)));
  const isLost = old.some((statement) =>
    statement.effect === "Deny" && !fresh.some((one) => covers(one, statement))
  );
  return isNew || isLost;
}

/**
 * Whether a statement says all that the other does, word by word or by its patterns.
 * @param {Statement} one
 * @param {Statement} other
 */
function covers(one, other) {
  return restOf(one) === restOf(other) && coversAll(one.actions, other.actions) &&
    coversAll(one.resources, other.resources);
}

/**
 * @param {readonly string[] | null} patterns
 * @param {readonly string[] | null} texts
 */
function coversAll(patterns, texts) {
  if (patterns === null || texts === null) return patterns === texts;
  return texts.every((text) => patterns.some((pattern) => matchesPattern(pattern, text)));
}

/** @param {Statement} statement */
function restOf({ effect, principal, notPrincipal, notActions, notResources, conditions }) {
  return JSON.stringify([effect, principal, notPrincipal, notActions, notResources, conditions]);
}
