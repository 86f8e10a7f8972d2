// @ts-check
import { presets } from "../admin/backend_presets.js";
import { t } from "../i18n.js";
import { EmptyState, html, Icon } from "../ui.js";

/**
 * What stands on the overview while there is no backend.
 * @param {{ me: import("../boot_data.js").Me }} props
 */
export function NoBackends({ me }) {
  if (!me.can.manage_backends) {
    return html`
      <div class="card">
        <${EmptyState} icon="server" title=${t("overview.empty_title_reader")}>${t(
          "overview.empty_text_reader",
        )}<//>
      </div>
    `;
  }
  const action = html`
    <a class="button button-primary" href="/admin/backends?add=1"><${Icon} name="plus" />${t(
      "overview.connect",
    )}</a>
    <ul class="vendor-list" aria-label=${t("overview.connect_with")}>
      ${presets.map(({ name }) =>
        html`
          <li key=${name}><a class="button button-small"
            href="/admin/backends?add=${encodeURIComponent(name)}">${name}</a></li>
        `
      )}
    </ul>
  `;
  return html`
    <div class="card">
      <${EmptyState} icon="server" title=${t("overview.empty_title")} action=${action}>${t(
        "overview.empty_text",
      )}<//>
    </div>
  `;
}
