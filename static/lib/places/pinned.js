// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { request } from "../api.js";
import { t } from "../i18n.js";
import { toast, toastError } from "../toast.js";
import { isSamePlace, pinPlace, placeName, unpinPlace } from "./pins.js";

/** @import { Place } from "./pins.js" */

/** What the user has pinned; `null` until that is known. */
const pins = signal(/** @type {readonly Place[] | null} */ (null));

/**
 * Asks what is pinned; without an answer that stays unknown.
 * @param {AbortSignal} abort
 */
export async function loadPins(abort) {
  try {
    pins.value = (await request("GET", "/api/me/pins", { priority: "prefetch", signal: abort })).pins;
  } catch {
    // The buttons that need it stay off.
  }
}

/**
 * Whether a place is pinned; `null` while that is not known.
 * @param {Place} place
 */
export function isPinned(place) {
  return pins.value === null ? null : pins.value.some((pin) => isSamePlace(pin, place));
}

/**
 * Pins a place or takes its pin away, and says so.
 * @param {Place} place
 */
export async function togglePin(place) {
  const before = pins.value;
  if (before === null) return;
  const wasPinned = isPinned(place);
  const others = before.filter((pin) => !isSamePlace(pin, place));
  pins.value = wasPinned ? others : [...others, place];
  try {
    await (wasPinned ? unpinPlace(place) : pinPlace(place));
    const name = placeName(place);
    toast(wasPinned ? t("places.unpinned", { name }) : t("places.pinned", { name }), {
      action: { label: t("common.undo"), run: () => togglePin(place) },
    });
  } catch (error) {
    pins.value = before;
    toastError(t("places.pin_failed"), error);
  }
}
