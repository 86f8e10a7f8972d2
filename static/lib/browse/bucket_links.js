// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { t } from "../i18n.js";
import { addShortcuts } from "../keys.js";
import { isPinned, loadPins, togglePin } from "../places/pinned.js";
import { html, Icon, IconButton } from "../ui.js";

/** @import { Browser } from "./browser.js" */
/** @import { Place } from "../places/pins.js" */

/**
 * What belongs to the bucket as a whole: its insights and its settings; and the pin of what is shown of it.
 * @param {{ browser: Browser }} props
 */
export function BucketLinks({ browser }) {
  useEffect(() => {
    const abort = new AbortController();
    loadPins(abort.signal);
    const stop = addShortcuts([{
      keys: "P",
      label: t("places.key_pin"),
      group: t("browse.key_group"),
      run: () => togglePin(shownPlace(browser)),
    }]);
    return () => {
      abort.abort();
      stop();
    };
  }, []);
  const place = shownPlace(browser);
  const pinned = isPinned(place);
  return html`
    <div class="bucket-links">
      <${IconButton} icon=${pinned ? "pin-filled" : "pin"} label=${pinLabel(place, pinned)}
        aria-pressed=${pinned ? "true" : "false"} disabled=${pinned === null}
        onClick=${() => togglePin(place)} />
      <a class="icon-button" href="${browser.page}/insights" aria-label=${t("browse.insights")}
        title=${t("browse.insights")}><${Icon} name="chart" /></a>
      <a class="icon-button" href="${browser.page}/settings" aria-label=${t("browse.settings")}
        title=${t("browse.settings")}><${Icon} name="settings" /></a>
    </div>
  `;
}

/**
 * The open folder, with the filter that it is seen through.
 * @param {Browser} browser
 * @returns {Place}
 */
function shownPlace({ backend, bucket, place }) {
  const { prefix, filter } = place.value;
  return { backend_id: backend.id, bucket, prefix, filter };
}

/**
 * @param {Place} place
 * @param {boolean | null} pinned
 */
function pinLabel({ prefix, filter }, pinned) {
  if (filter) return pinned ? t("places.unpin_filter") : t("places.pin_filter");
  if (prefix) return pinned ? t("places.unpin_folder") : t("places.pin_folder");
  return pinned ? t("places.unpin_bucket") : t("places.pin_bucket");
}
