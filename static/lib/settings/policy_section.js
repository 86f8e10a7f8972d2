// @ts-check
import { t } from "../i18n.js";
import { PolicyForm } from "./policy_form.js";
import { withListsInOrder } from "./policy_order.js";
import { prettyJson } from "./section.js";

/** @import { PolicyValue } from "./policy_form.js" */
/** @import { PolicyWords } from "./policy_words.js" */
/** @import { Section } from "./section.js" */

/** Who may do what with a bucket. @type {Section<PolicyValue>} */
export const policySection = {
  name: "policy",
  capability: "policy",
  title: "settings.policy",
  about: "settings.policy_about",
  empty: null,
  read: ({ policy }) => policy === "" ? null : JSON.parse(policy, withListsInOrder),
  toText: (policy) => policy === null ? "" : prettyJson(policy),
  stateWords,
  Form: PolicyForm,
  loadEditing: async () => (await import("./policy_editing.js")).policyEditing,
};

/**
 * @param {PolicyValue} policy
 * @param {{ words?: PolicyWords }} answer
 */
function stateWords(policy, { words }) {
  if (policy === null || words === undefined) return t("settings.policy_state_none");
  const { statements: { length: n }, access, isPublic } = words;
  if (Object.values(access).includes("yes")) return t("settings.policy_state_public", { n });
  return isPublic ? t("settings.policy_state_conditional", { n }) : t("settings.policy_state_private", { n });
}
