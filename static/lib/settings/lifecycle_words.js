// @ts-check
import { t } from "../i18n.js";
import { filterWords } from "./lifecycle_filter.js";

/** @import { LifecycleRule } from "./lifecycle_rules.js" */

/**
 * What a lifecycle rule does, one sentence for each thing. What its form does not show is named, never left out.
 * @param {LifecycleRule} rule
 * @returns {string[]}
 */
export function lifecycleWords(rule) {
  const { prefix = "", unmodeled = [] } = rule;
  const hidden = unmodeled.some((name) => name.startsWith("Filter."));
  const which = filterWords(rule);
  const where = which === "" ? placeWords(prefix, hidden) : t("settings.lifecycle_which", {
    where: prefix === "" && !hidden ? t("settings.lifecycle_objects") : placeWords(prefix, hidden),
    which,
  });
  const uploads = prefix === ""
    ? t("settings.lifecycle_uploads")
    : t("settings.lifecycle_uploads_under", { prefix });
  const sentences = [];
  if (isKnown(rule.transition_days) && rule.transition_storage_class !== undefined) {
    sentences.push(
      t("settings.lifecycle_moves", { n: rule.transition_days, where, name: rule.transition_storage_class }),
    );
  }
  if (isKnown(rule.expiration_days)) {
    sentences.push(t("settings.lifecycle_deletes", { n: rule.expiration_days, where }));
  }
  if (isKnown(rule.noncurrent_expire_days)) {
    sentences.push(t("settings.lifecycle_deletes_old", { n: rule.noncurrent_expire_days, where }));
  }
  if (isKnown(rule.noncurrent_keep_versions)) {
    sentences.push(t("settings.lifecycle_keeps", { n: rule.noncurrent_keep_versions }));
  }
  if (isKnown(rule.abort_incomplete_days)) {
    sentences.push(t("settings.lifecycle_aborts", { n: rule.abort_incomplete_days, uploads }));
  }
  if (unmodeled.length > 0) {
    sentences.push(t("settings.lifecycle_more", { names: unmodeled.join(", ") }));
  }
  return sentences;
}

/**
 * @param {string} prefix
 * @param {boolean} hidden whether the form does not show all that the objects are chosen by
 */
function placeWords(prefix, hidden) {
  if (prefix === "") return hidden ? t("settings.lifecycle_some") : t("settings.lifecycle_all");
  return hidden ? t("settings.lifecycle_some_under", { prefix }) : t("settings.lifecycle_under", { prefix });
}

/**
 * Whether there is a number to be said.
 * @param {number | null | undefined} count
 * @returns {count is number}
 */
function isKnown(count) {
  return count !== undefined && count !== null;
}
