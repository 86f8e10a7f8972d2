// @ts-check
import { t } from "../i18n.js";
import { Button, EmptyState, html } from "../ui.js";
import { UploadCommand } from "./upload_command.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/**
 * That a folder holds nothing, and how something comes into it.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function EmptyFolder({ browser, actions }) {
  const { canWrite } = browser;
  const ways = canWrite && html`
    <div class="row">
      <${Button} kind="primary" icon="upload" onClick=${() => actions.pickFiles()}>${t(
        "browse.upload_files",
      )}<//>
      <${Button} icon="folder-plus" onClick=${() => actions.newFolder()}>${t("browse.new_folder")}<//>
    </div>
    <${UploadCommand} browser=${browser} />
  `;
  return html`
    <div class="list-state">
      <${EmptyState} icon="folder" title=${browser.place.value.prefix === ""
        ? t("browse.bucket_empty")
        : t("browse.folder_empty")}
        action=${ways}>${canWrite ? t("browse.empty_drop") : t("browse.empty_read")}<//></div>
  `;
}
