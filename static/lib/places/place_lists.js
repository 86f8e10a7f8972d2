// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { t } from "../i18n.js";
import { toast, toastError } from "../toast.js";
import { html, Icon, IconButton } from "../ui.js";
import {
  isSamePlace,
  isWholeBucket,
  pinPlace,
  placeDetail,
  placeIcon,
  placeName,
  placePage,
  unpinPlace,
} from "./pins.js";

/** @import { Pin, Place, PlacedBucket } from "./pins.js" */

/**
 * The places that the user has pinned and the buckets that they were last in, side by side; either can be moved to the other.
 *
 * @param {{
 *   pins: readonly Pin[], recent: readonly PlacedBucket[], names: Readonly<Record<string, string>>
 * }} props `names`: of the backends, by id
 */
export function PlaceLists({ pins: firstPins, recent, names }) {
  const [pins, setPins] = useState(firstPins);
  const pin = async (/** @type {Place} */ place) => {
    try {
      const added = await pinPlace(place);
      setPins((all) => [...all.filter((other) => !isSamePlace(other, added)), added]);
    } catch (error) {
      toastError(t("overview.pin_failed"), error);
    }
  };
  const unpin = async (/** @type {Place} */ place) => {
    try {
      await unpinPlace(place);
      setPins((all) => all.filter((other) => !isSamePlace(other, place)));
      toast(t("overview.unpinned", { name: placeName(place) }), {
        action: { label: t("common.undo"), run: () => pin(place) },
      });
    } catch (error) {
      toastError(t("overview.unpin_failed"), error);
    }
  };
  const others = recent.filter((place) => !pins.some((one) => isSamePlace(one, place)));
  return html`
    <${Places} title=${t("overview.pinned")} places=${pins} names=${names} pinned=${true}
      empty=${t("overview.pinned_empty")} act=${unpin} />
    <${Places} title=${t("overview.recent")} places=${others} names=${names} pinned=${false}
      empty=${t("overview.recent_empty")} act=${pin} />
  `;
}

/**
 * @param {{
 *   title: string, places: readonly Place[], names: Readonly<Record<string, string>>, pinned: boolean, empty: string,
 *   act: (place: Place) => void
 * }} props
 */
function Places({ title, places, names, pinned, empty, act }) {
  return html`
    <section class="overview-part">
      <h2>${title}</h2>
      ${places.length === 0 ? html`<p class="muted overview-nothing">${empty}</p>` : html`
        <ul class="place-list">
          ${places.map((place) => {
            const href = placePage(place);
            const name = placeName(place);
            return html`
              <li key=${href}>
                <a class="place-link" href=${href}>
                  <${Icon} name=${iconOf(place, pinned)} />
                  <span class="place-name truncate" title=${place.prefix || name}>${name}</span>
                  <span class="faint truncate">${placeDetail(place, names[place.backend_id])}</span>
                </a>
                <${IconButton} icon=${pinned ? "close" : "pin"} class="icon-button-small"
                  label=${pinned ? t("overview.unpin", { name }) : t("overview.pin", { name })}
                  onClick=${() => act(place)} />
              </li>
            `;
          })}
        </ul>
      `}
    </section>
  `;
}

/**
 * @param {Place} place
 * @param {boolean} pinned
 */
function iconOf(place, pinned) {
  if (!isWholeBucket(place)) return placeIcon(place);
  return pinned ? "pin-filled" : "clock";
}
