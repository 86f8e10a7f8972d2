// @ts-check
/// <reference lib="dom" />

/** @import { SectionName, SettingsPlace } from "./section.js" */

/**
 * A text of a setting that is kept in this browser.
 * @typedef {{ text: string, at: number }} KeptText
 */

/** Most earlier versions that are kept, over all buckets. */
const maxKept = 24;

/** Longer texts are not kept, in characters. */
const maxLength = 64 * 1024;

const savedPrefix = "settings-saved:";
const draftPrefix = "settings-draft:";

/**
 * What names a setting of a bucket for one user.
 * @param {SettingsPlace} place
 * @param {SectionName} section
 */
function nameOf({ user, backend, bucket }, section) {
  return JSON.stringify([user, backend.id, bucket, section]);
}

/**
 * The changes that were typed and not saved, if there are any. They outlive reloading and signing in again, not the tab.
 * @param {SettingsPlace} place
 * @param {SectionName} section
 * @returns {string | null}
 */
export function readDraft(place, section) {
  return read(sessionStorage, draftPrefix + nameOf(place, section))?.text ?? null;
}

/**
 * Keeps what is being typed; `null` forgets it.
 * @param {SettingsPlace} place
 * @param {SectionName} section
 * @param {string | null} text
 */
export function keepDraft(place, section, text) {
  write(sessionStorage, draftPrefix + nameOf(place, section), text);
}

/**
 * What the setting was before it was last saved from this browser.
 * @param {SettingsPlace} place
 * @param {SectionName} section
 * @returns {KeptText | null}
 */
export function readEarlier(place, section) {
  return read(localStorage, savedPrefix + nameOf(place, section));
}

/**
 * Keeps what the setting was before it is saved, in place of the oldest one when there are too many.
 * @param {SettingsPlace} place
 * @param {SectionName} section
 * @param {string} text
 */
export function keepEarlier(place, section, text) {
  write(localStorage, savedPrefix + nameOf(place, section), text);
  const kept = Object.keys(localStorage).filter((name) => name.startsWith(savedPrefix));
  const byAge = kept.map((name) => ({ name, at: read(localStorage, name)?.at ?? 0 }))
    .sort((one, other) => other.at - one.at);
  for (const { name } of byAge.slice(maxKept)) localStorage.removeItem(name);
}

/**
 * @param {Storage} storage
 * @param {string} name
 * @returns {KeptText | null}
 */
function read(storage, name) {
  try {
    const { text, at } = JSON.parse(storage.getItem(name) ?? "null") ?? {};
    return typeof text === "string" && typeof at === "number" ? { text, at } : null;
  } catch {
    return null;
  }
}

/**
 * @param {Storage} storage
 * @param {string} name
 * @param {string | null} text
 */
function write(storage, name, text) {
  if (text === null || text.length > maxLength) return storage.removeItem(name);
  try {
    storage.setItem(name, JSON.stringify({ text, at: Date.now() }));
  } catch {
    // A full storage must not keep anybody from their work: it is a copy for convenience.
  }
}
