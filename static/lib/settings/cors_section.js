// @ts-check
import { t } from "../i18n.js";
import { CorsForm } from "./cors_form.js";
import { prettyJson } from "./section.js";

/** @import { CorsRule } from "./cors_rules.js" */
/** @import { CorsValue } from "./cors_form.js" */
/** @import { Section } from "./section.js" */

/** The CORS rules that the backend keeps. @type {Section<CorsValue>} */
export const corsSection = {
  name: "cors",
  capability: "cors",
  title: "settings.cors",
  about: "settings.cors_about",
  empty: { rules: [] },
  read: ({ rules }) => ({ rules }),
  toText: prettyJson,
  stateWords: ({ rules }) => corsWords(rules),
  Form: CorsForm,
  loadEditing: async () => (await import("./cors_editing.js")).corsEditing,
};

/** The CORS rules that our own S3 endpoint applies. @type {Section<CorsValue>} */
export const proxyCorsSection = {
  ...corsSection,
  name: "proxy-cors",
  capability: undefined,
  title: "settings.proxy_cors",
  about: "settings.proxy_cors_about",
  loadEditing: async () => (await import("./cors_editing.js")).proxyCorsEditing,
};

/** @param {readonly CorsRule[]} rules */
function corsWords(rules) {
  if (rules.length === 0) return t("settings.cors_state_none");
  const origins = [...new Set(rules.flatMap(({ allowed_origins }) => allowed_origins))];
  return origins.includes("*")
    ? t("settings.cors_state_all", { n: rules.length })
    : t("settings.cors_state", { n: rules.length, origins: origins.join(", ") });
}
