// @ts-check
import { t } from "../i18n.js";
import { html, Icon } from "../ui.js";
import { featureNames } from "./feature_names.js";

/**
 * What a backend can do, by feature; `"unknown"` before a probe has found out.
 * @typedef {Readonly<Record<string, boolean | "unknown">>} Features
 */

/**
 * The features of each backend of a list, by its id.
 * @param {ReadonlyArray<{ id: string, capabilities: Features }>} backends
 * @returns {Record<string, Features>}
 */
export function featuresOf(backends) {
  return Object.fromEntries(backends.map(({ id, capabilities }) => [id, capabilities]));
}

/**
 * What a backend has, what it lacks, and what is not known yet.
 * @param {{ features: Features }} props
 */
export function FeatureList({ features }) {
  return html`<ul class="health-features" aria-label=${t("admin.features")}>${
    featureNames.map(([name, label]) => {
      const has = features[name];
      const [icon, word] = has === true
        ? ["check", t("admin.has_feature")]
        : has === false
        ? ["minus", t("admin.lacks_feature")]
        : ["help", t("admin.feature_unknown")];
      return html`
        <li key=${name} class=${has === true ? "" : "faint"} title=${word}><${Icon} name=${icon} />${t(label)}
          <span class="visually-hidden">: ${word}</span></li>
      `;
    })
  }</ul>`;
}
