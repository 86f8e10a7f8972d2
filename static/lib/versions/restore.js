// @ts-check
import { request } from "../api.js";

/**
 * Brings a version back: by taking away the delete marker right above it, or else by a copy of it on top.
 *
 * @param {string} api the bucket's address
 * @param {{ key: string, version_id: string }} version
 * @param {{ version_id: string } | null} marker the delete marker right above it
 */
export async function restoreVersion(api, { key, version_id }, marker) {
  if (marker !== null) {
    await request("DELETE", `${api}/object`, { query: { key, version_id: marker.version_id } });
  } else await request("POST", `${api}/object/restore`, { json: { key, version_id } });
}

/**
 * Tells the open list that objects below a prefix have changed.
 *
 * @param {{ backend: { id: string }, bucket: string }} browser
 * @param {string} prefix
 */
export function announceChange({ backend, bucket }, prefix) {
  dispatchEvent(new CustomEvent("objects-changed", { detail: { backend: backend.id, bucket, prefix } }));
}
