// @ts-check
import { t } from "../i18n.js";
import { awsCommand } from "./commands.js";
import { isObject, unknownFields } from "./shapes.js";

/** @import { SectionEditing } from "./section.js" */
/** @import { VersioningValue } from "./versioning_section.js" */

/** Switching versioning on and suspending it. @type {SectionEditing<VersioningValue>} */
export const versioningEditing = {
  fromJson: (parsed) =>
    isObject(parsed) && typeof parsed.enabled === "boolean" ? { enabled: parsed.enabled } : undefined,
  problems: (parsed) =>
    isObject(parsed) && typeof parsed.enabled === "boolean"
      ? unknownFields(parsed, ["enabled"], "")
      : [{ path: "enabled", message: t("settings.versioning_flag") }],
  toRequest: (json) => ({ method: "PUT", json }),
  warning: (before, after) => before.enabled && !after.enabled ? t("settings.versioning_warning") : null,
  commands: ({ enabled }, { bucket }) => [
    awsCommand(
      "put-bucket-versioning",
      bucket,
      "--versioning-configuration",
      `Status=${enabled ? "Enabled" : "Suspended"}`,
    ),
  ],
};
