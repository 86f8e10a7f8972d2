// @ts-check
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { QuotaForm } from "./quota_form.js";
import { prettyJson } from "./section.js";

/** @import { QuotaValue } from "./quota_form.js" */
/** @import { Section } from "./section.js" */

/** How much a bucket may hold. @type {Section<QuotaValue>} */
export const quotaSection = {
  name: "quota",
  title: "settings.quota",
  about: "settings.quota_about",
  empty: { soft_bytes: 0, hard_bytes: 0 },
  read: ({ soft_bytes, hard_bytes }) => ({ soft_bytes, hard_bytes }),
  toText: prettyJson,
  stateWords: ({ soft_bytes, hard_bytes }, { configured }) => {
    const soft = soft_bytes ?? 0;
    const hard = hard_bytes ?? 0;
    if (!configured) return t("settings.quota_state_none");
    if (hard === 0) return t("settings.quota_state_soft", { soft: formatBytes(soft) });
    return soft === 0
      ? t("settings.quota_state_hard", { hard: formatBytes(hard) })
      : t("settings.quota_state_both", { soft: formatBytes(soft), hard: formatBytes(hard) });
  },
  locked: ({ source }) => source === "kubernetes" ? t("settings.quota_kubernetes") : null,
  Form: QuotaForm,
  loadEditing: async () => (await import("./quota_editing.js")).quotaEditing,
};
