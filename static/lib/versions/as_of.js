// @ts-check

/** @import { Version } from "./version_list.js" */

/**
 * An object as it was at some time, and what became of it.
 *
 * @typedef {object} PastObject
 * @property {Version} version the one that was the latest then
 * @property {"same" | "changed" | "deleted"} since
 * @property {Version | null} marker the delete marker that hides it now
 */

/**
 * What was there at a time. What came later is not in it.
 *
 * @param {readonly Version[]} versions by key, the newest first under each
 * @param {number} at milliseconds since the epoch
 * @returns {PastObject[]} by key
 */
export function objectsAt(versions, at) {
  return byKey(versions).flatMap((ofKey) => {
    const version = ofKey.find(({ last_modified }) => Date.parse(last_modified) <= at);
    return version === undefined || version.is_delete_marker ? [] : [pastObject(ofKey, version)];
  });
}

/**
 * What is hidden by a delete marker now, as it was before.
 *
 * @param {readonly Version[]} versions by key, the newest first under each
 * @returns {PastObject[]} by key
 */
export function deletedObjects(versions) {
  return byKey(versions).flatMap((ofKey) => {
    const version = ofKey.find(({ is_delete_marker }) => !is_delete_marker);
    return version === undefined || !ofKey[0].is_delete_marker ? [] : [pastObject(ofKey, version)];
  });
}

/**
 * @param {readonly Version[]} ofKey
 * @param {Version} version
 * @returns {PastObject}
 */
function pastObject(ofKey, version) {
  const [latest, second] = ofKey;
  if (latest.is_delete_marker) {
    // Only where the wanted version is the one right below is taking the marker away enough.
    return { version, since: "deleted", marker: second === version ? latest : null };
  }
  return { version, since: latest === version ? "same" : "changed", marker: null };
}

/**
 * @param {readonly Version[]} versions
 * @returns {Version[][]}
 */
function byKey(versions) {
  /** @type {Version[][]} */
  const groups = [];
  for (const version of versions) {
    const group = groups.at(-1);
    if (group?.[0].key === version.key) group.push(version);
    else groups.push([version]);
  }
  return groups;
}
