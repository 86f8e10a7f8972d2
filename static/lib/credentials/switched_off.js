// @ts-check
import { CopyButton } from "../copy_button.js";
import { t } from "../i18n.js";
import { PageHead } from "../page_head.js";
import { EmptyState, html } from "../ui.js";

/** What the configuration has to say for the S3 endpoint to listen. */
const configuration = `server:
  secret_key_file: ./root.key
s3_proxy:
  enabled: true
  listen: "127.0.0.1:8090"`;

/**
 * What stands in place of the credentials while the S3 endpoint is switched off: how it is switched on.
 * @param {{ all: boolean, me: import("../boot_data.js").Me }} props
 */
export function SwitchedOff({ all, me }) {
  return html`
    <${PageHead} title=${all ? t("credentials.title_all") : t("credentials.title")} />
    <div class="table-box">
      <${EmptyState} icon="plug" title=${t("credentials.off_title")}>
        <p>${t("credentials.off_text")}</p>
        ${me.can.manage_backends
          ? html`
            <p>${t("credentials.off_configure")}</p>
            <div class="credentials-config">
              <pre class="code" tabindex="0">${configuration}</pre>
              <${CopyButton} text=${configuration} label=${t("credentials.copy_configuration")} />
            </div>
          `
          : html`<p>${t("credentials.off_ask")}</p>`}
      <//>
    </div>
  `;
}
