// @ts-check
import { request } from "../api.js";

/**
 * What a backend offers for new objects: the storage classes that it is known to have, its usual one first, and whether they
 * can have tags, as far as that is known.
 * @typedef {{ storageClasses: readonly string[], tagging: boolean }} BackendOffers
 */

/**
 * Asks what a backend offers.
 * @param {string} backend its id
 * @param {AbortSignal} [signal]
 * @returns {Promise<BackendOffers>}
 */
export async function backendOffers(backend, signal) {
  const path = `/api/backends/${encodeURIComponent(backend)}`;
  const [{ storage_classes }, { capabilities }] = await Promise.all([
    request("GET", `${path}/storage-classes`, { priority: "visible", signal }),
    request("GET", path, { priority: "visible", signal }),
  ]);
  return { storageClasses: storage_classes, tagging: capabilities.tagging !== false };
}
