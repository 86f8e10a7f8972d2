// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { t } from "../i18n.js";
import { Badge, Button, Bytes, html, Time } from "../ui.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { PastObject } from "./as_of.js" */

/** Rows that are drawn at once. */
const rowStep = 500;

/**
 * Objects of the past as rows; those that differ from now can be selected.
 * @param {{
 *   browser: Browser, objects: readonly PastObject[], selected: ReadonlySet<string>, now: number,
 *   onSelect: (selected: ReadonlySet<string>) => void
 * }} props
 */
export function PastList({ browser, objects, selected, now, onSelect }) {
  const [limit, setLimit] = useState(rowStep);
  const { prefix } = browser.place.value;
  const restorable = objects.filter(({ since }) => since !== "same").map(({ version }) => version.key);
  const all = restorable.length > 0 && restorable.every((key) => selected.has(key));
  const toggle = (/** @type {string} */ key) => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect(next);
  };
  return html`
    <div class="past-list" tabindex="0" role="region" aria-label=${t("versions.past_list")}>
      <table>
        <thead><tr>
          ${browser.canWrite &&
            html`
              <th
                class="past-check"><label class="check-cell"><input type="checkbox" aria-label=${t(
                  "common.select_all",
                )} checked=${all}
                          disabled=${restorable.length === 0} onChange=${() =>
                            onSelect(new Set(all ? [] : restorable))} /></label></th>
            `}
          <th scope="col">${t("common.name")}</th>
          <th scope="col" class="number">${t("common.size")}</th>
          <th scope="col" class="past-time">${t("common.modified")}</th>
          <th scope="col">${t("versions.since_then")}</th>
        </tr></thead>
        <tbody>${objects.slice(0, limit).map(({ version, since }) =>
          html`<tr key=${version.key}>
          ${
            browser.canWrite &&
            html`<td class="past-check"><label class="check-cell"><input type="checkbox" checked=${
              selected.has(version.key)
            }
            disabled=${since === "same"} aria-label=${t("versions.select", { key: version.key })}
            onChange=${() => toggle(version.key)} /></label></td>`
          }
          <td class="past-name"><button type="button" class="link-button" title=${version.key} onClick=${() =>
            browser.alter({ open: version.key, version: version.version_id, tab: "" })}><bdi>${
            version.key.slice(prefix.length) || version.key
          }</bdi></button></td>
          <td class="number"><${Bytes} value=${version.size} /></td>
          <td class="past-time"><${Time} at=${version.last_modified} now=${now} /></td>
          <td><${Since} since=${since} /></td>
        </tr>`
        )}</tbody>
      </table>
      ${objects.length > limit && html`
        <p class="past-more">
          <${Button} small=${true} onClick=${() => setLimit(limit + rowStep)}>${t("versions.more_rows", {
            n: objects.length - limit,
          })}<//></p>
      `}
    </div>
  `;
}

/** @param {{ since: PastObject["since"] }} props */
function Since({ since }) {
  if (since === "deleted") return html`<${Badge} kind="bad">${t("versions.since_deleted")}<//>`;
  if (since === "changed") return html`<${Badge} kind="warn">${t("versions.since_changed")}<//>`;
  return html`<span class="faint">${t("versions.since_same")}</span>`;
}
