// @ts-check
import { contentUrl } from "../../details/addresses.js";
import { t } from "../../i18n.js";
import { Bytes, html, Time } from "../../ui.js";
import { deletedObjects, objectsAt } from "../../versions/as_of.js";
import { KeyLabel } from "../key_label.js";

/** @import { Place } from "../address.js" */
/** @import { Version } from "../../versions/version_list.js" */
/** @import { TableBrowser } from "./table_browser.js" */

/** The first versions of the open object or folder. @typedef {{ versions: Version[], complete: boolean }} FirstVersions */

/**
 * Whether a place shows versions: those of an object, deleted objects, or the folder as it was.
 *
 * @param {Place} place
 */
export function showsVersions({ open, tab, view, at }) {
  return open !== "" ? tab === "versions" : view === "versions" || Boolean(at);
}

/**
 * Versions for readers without script: each can be downloaded.
 * @param {{ browser: TableBrowser, first: FirstVersions, now: number }} props
 */
export function PlainVersions({ browser, first: { versions, complete }, now }) {
  const { open, prefix, at = "" } = browser.place.value;
  const shown = open !== ""
    ? versions
    : (at === "" ? deletedObjects(versions) : objectsAt(versions, Date.parse(at))).map(({ version }) =>
      version
    );
  return html`
    <section class="without-script plain-versions">
      <h2>${open !== ""
        ? t("browse.table_versions", { n: shown.length })
        : at === ""
        ? t("browse.table_deleted", { n: shown.length })
        : t("browse.table_then", { n: shown.length })}</h2>
      ${!complete && html`<p>${t("browse.table_versions_cut")}</p>`}
      <table class="plain-table">
        <thead><tr>
          <th scope="col">${t("common.name")}</th>
          <th scope="col" class="number">${t("common.size")}</th>
          <th scope="col">${t("common.modified")}</th>
          <th scope="col"><span class="visually-hidden">${t("common.actions")}</span></th>
        </tr></thead>
        <tbody>${shown.map(({ key, version_id: id, is_delete_marker: isMarker, size, last_modified: at }) =>
          html`
            <tr key="${id} ${key}">
              <th scope="row" class="plain-name">
                <${KeyLabel} name=${key.slice(prefix.length)} />
              </th>
              <td class="number">${!isMarker && html`<${Bytes} value=${size} />`}</td>
              <td>
                <${Time} at=${at} now=${now} />
              </td>
              <td>${isMarker
                ? t("browse.table_marker")
                : html`<a href=${contentUrl(browser.api, key, "attachment", id)} download>${
                  t(
                    "common.download",
                  )
                }</a>`}</td>
            </tr>
          `
        )}</tbody>
      </table>
    </section>
  `;
}
