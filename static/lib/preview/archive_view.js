// @ts-check
/// <reference lib="dom" />
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { Badge, html, Icon, Notice } from "../ui.js";
import { readRange } from "./head.js";
import { HeadPreview } from "./head_view.js";
import { useReading } from "./reading.js";
import { PreviewWait } from "./unshown.js";
import { directoryOf64, findDirectory, zipEntries, zipTail } from "./zip.js";

/** @import { PreviewProps } from "./preview.js" */

/** Entries that are listed, and bytes of the directory that are read for them. */
const maxEntries = 1000;
const maxDirectory = 1024 * 1024;

/**
 * What a zip archive says is in it; only its end is read.
 * @param {PreviewProps} props
 */
export function ArchivePreview(props) {
  const { url, size } = props;
  const { value, error } = useReading((signal) => readDirectory(url, size, signal), [url]);
  if (error) return html`<${Notice} kind="bad">${error}<//>`;
  if (value === undefined) return html`<${PreviewWait} />`;
  if (value === null) return html`<${HeadPreview} ...${props} kind="hex" />`;
  const { entries, count } = value;
  const bytes = entries.reduce((sum, entry) => sum + entry.size, 0);
  return html`
    <div class="preview preview-table" tabindex="0" role="region" aria-label=${t("preview.archive_of", {
      name: props.name,
    })}>
      <table>
        <thead>
          <tr>
            <th scope="col">${t("common.name")}</th>
            <th scope="col" class="number">${t("common.size")}</th>
          </tr>
        </thead>
        <tbody>${entries.map((entry, index) =>
          html`
            <tr key=${index}>
              <td><span class="archive-name"><${Icon} name=${entry.folder ? "folder" : "file"} /><bdi>${entry
                .name}</bdi>${entry.encrypted && html`
                <${Badge} kind="neutral">${t("preview.encrypted")}<//>
              `}</span></td>
              <td class="number">${entry.folder ? "" : formatBytes(entry.size)}</td>
            </tr>
          `
        )}</tbody>
      </table>
    </div>
    <p class="preview-note">${entries.length < count
      ? t("preview.first_entries", { n: entries.length, all: count })
      : t("preview.entries", { n: count, size: formatBytes(bytes) })}</p>
  `;
}

/**
 * @param {string} url
 * @param {number} size
 * @param {AbortSignal} signal
 */
async function readDirectory(url, size, signal) {
  const part = (/** @type {number} */ from, /** @type {number} */ to) => readRange(url, { from, to, signal });
  let place = findDirectory(await part(Math.max(0, size - zipTail), size), size);
  if (place !== null && "end64" in place) {
    place = directoryOf64(await part(place.end64, place.end64 + 56), size);
  }
  if (place === null) return null;
  const { offset, length, count } = place;
  const bytes = length === 0 ? new Uint8Array() : await part(offset, offset + Math.min(length, maxDirectory));
  const entries = zipEntries(bytes, maxEntries);
  // How many there are is only what the archive says: where all of it was read, what was found counts.
  const all = length <= maxDirectory && entries.length < maxEntries;
  return { entries, count: all ? entries.length : Math.max(count, entries.length) };
}
