// @ts-check
import { html } from "../html.js";
import { t } from "../i18n.js";
import { Icon } from "../icons.js";
import { placeDetail, placeIcon, placeName, placePage } from "./pins.js";

/** @import { Place } from "./pins.js" */

/** Pins that the rail has room for. */
const maxShown = 5;

/**
 * The pinned places as the rail shows them. They are in one element, so that drawing them over those that the server drew
 * leaves none of these behind. More than fit there are on the overview.
 *
 * @param {{ pins: readonly Place[], names: Readonly<Record<string, string>> }} props `names`: of the backends, by id
 */
export function PinLinks({ pins, names }) {
  const more = pins.length - maxShown;
  return html`<div>
    ${
    pins.slice(0, maxShown).map((place) => {
      const href = placePage(place);
      const name = placeName(place);
      return html`
        <a class="rail-link" key=${href} href=${href}
          title="${name}: ${placeDetail(
            place,
            names[place.backend_id],
          )}"><${Icon} name=${placeIcon(place)} /><span>${name}</span></a>
      `;
    })
  }
    ${
    more > 0 && html`
      <a class="rail-link" href="/"><${Icon} name="more" /><span>${t("places.more", { n: more })}</span></a>
    `
  }
  </div>`;
}
