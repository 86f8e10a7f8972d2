// @ts-check
import { t } from "../i18n.js";
import { LifecycleForm } from "./lifecycle_form.js";
import { lifecycleWords } from "./lifecycle_words.js";
import { prettyJson } from "./section.js";

/** @import { LifecycleRule } from "./lifecycle_rules.js" */
/** @import { LifecycleValue } from "./lifecycle_form.js" */
/** @import { Section } from "./section.js" */

/** What becomes of objects after some days. @type {Section<LifecycleValue>} */
export const lifecycleSection = {
  name: "lifecycle",
  capability: "lifecycle",
  title: "settings.lifecycle",
  about: "settings.lifecycle_about",
  empty: { rules: [] },
  read: ({ rules }) => ({ rules }),
  toText: prettyJson,
  stateWords: ({ rules }) => stateWords(rules),
  Form: LifecycleForm,
  loadEditing: async () => (await import("./lifecycle_editing.js")).lifecycleEditing,
};

/** @param {readonly LifecycleRule[]} rules */
function stateWords(rules) {
  const active = rules.filter(({ enabled }) => enabled);
  if (rules.length === 0) return t("settings.lifecycle_state_none");
  if (active.length === 0) return t("settings.lifecycle_state_off", { n: rules.length });
  return active.flatMap(lifecycleWords).slice(0, 3).join(" ");
}
