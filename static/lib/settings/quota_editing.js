// @ts-check
import { t } from "../i18n.js";
import { settingCommand } from "./commands.js";
import { isObject, unknownFields } from "./shapes.js";

/** @import { QuotaValue } from "./quota_form.js" */
/** @import { Problem, SectionEditing } from "./section.js" */

/** Setting and removing limits. @type {SectionEditing<QuotaValue>} */
export const quotaEditing = {
  fromJson: (parsed) =>
    isObject(parsed) && isShown(parsed.soft_bytes) && isShown(parsed.hard_bytes)
      ? { soft_bytes: parsed.soft_bytes, hard_bytes: parsed.hard_bytes }
      : undefined,
  problems: quotaProblems,
  toRequest: (json) =>
    json.soft_bytes === 0 && json.hard_bytes === 0 ? { method: "DELETE" } : { method: "PUT", json },
  commands: (value, place) => [
    value.soft_bytes === 0 && value.hard_bytes === 0
      ? settingCommand("DELETE", place, "quota")
      : settingCommand("PUT", place, "quota", value),
  ],
};

/**
 * @param {unknown} limit
 * @returns {limit is number | null}
 */
function isShown(limit) {
  return typeof limit === "number" || limit === null;
}

/**
 * What the server would find wrong with a quota.
 * @param {unknown} value
 * @returns {Problem[]}
 */
export function quotaProblems(value) {
  if (!isObject(value)) return [{ path: "", message: t("settings.problem_rule_object") }];
  const found = unknownFields(value, ["soft_bytes", "hard_bytes"], "");
  for (const field of ["soft_bytes", "hard_bytes"]) {
    const bytes = value[field];
    if (!Number.isSafeInteger(bytes) || Number(bytes) < 0) {
      const message = bytes === null ? t("settings.problem_number") : t("settings.problem_bytes");
      found.push({ path: field, message });
    }
  }
  const { soft_bytes: soft, hard_bytes: hard } = value;
  if (found.length === 0 && Number(hard) > 0 && Number(soft) > Number(hard)) {
    found.push({ path: "soft_bytes", message: t("settings.quota_order") });
  }
  return found;
}
