// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { t } from "../i18n.js";
import { toastError } from "../toast.js";
import { Button, html, Icon } from "../ui.js";
import { isSamePlace, pinPlace, placeDetail, placeName, placePage, unpinPlace } from "./pins.js";

/** @import { Place } from "./pins.js" */
/** @import { SearchScope } from "./search_scope.js" */

/**
 * Keeps a search among the pinned places, or takes it away from there.
 *
 * @param {{ query: string, scope: SearchScope, saved: readonly Place[] }} props `saved`: the searches that were pinned when
 *   the page came
 */
export function SaveSearch({ query, scope: { backend, bucket, prefix }, saved: first }) {
  const [saved, setSaved] = useState(first);
  const place = { backend_id: backend, bucket, prefix, search: query };
  const isSaved = saved.some((other) => isSamePlace(other, place));
  const toggle = async () => {
    const others = saved.filter((other) => !isSamePlace(other, place));
    setSaved(isSaved ? others : [...others, place]);
    try {
      await (isSaved ? unpinPlace(place) : pinPlace(place));
    } catch (error) {
      setSaved(saved);
      toastError(t("places.pin_failed"), error);
    }
  };
  return html`
    <${Button} small icon=${isSaved ? "pin-filled" : "pin"} aria-pressed=${isSaved ? "true" : "false"}
      title=${isSaved ? t("places.unsave_search") : undefined} onClick=${toggle}>${isSaved
        ? t("places.saved_search")
        : t("places.save_search")}<//>
  `;
}

/**
 * The searches that the user has pinned, as long as nothing is searched for.
 *
 * @param {{ saved: readonly Place[], names: Readonly<Record<string, string>> }} props `names`: of the backends, by id
 */
export function SavedSearches({ saved, names }) {
  if (saved.length === 0) return null;
  return html`
    <section class="result-group">
      <h2>${t("places.saved_searches")}</h2>
      <ul>
        ${saved.map((place) => {
          const href = placePage(place);
          return html`
            <li key=${href}>
              <a class="result-link" data-result="" href=${href}>
                <${Icon} name="search" />
                <span class="result-name break">${placeName(place)}</span>
                <span class="faint truncate">${placeDetail(place, names[place.backend_id])}</span>
              </a>
            </li>
          `;
        })}
      </ul>
    </section>
  `;
}
