// @ts-check
import { CopyButton } from "./copy_button.js";
import { ErrorWords } from "./error_texts.js";
import { html } from "./html.js";
import { rich, t } from "./i18n.js";

/**
 * Why something failed, and the id by which whoever runs the service finds the request in the log.
 * @param {{ error: any, text?: string }} props `text` in place of the error's own words
 */
export function FailureWords({ error, text }) {
  return html`${text || html`<${ErrorWords} error=${error} />`}${
    error.requestId && html`
      <span
        class="error-id faint mono"><span>${rich("common.request_id", {
          id: error.requestId,
        })}</span><${CopyButton} text=${error.requestId} label=${t("errors.copy_request_id")} /></span>
    `
  }`;
}
