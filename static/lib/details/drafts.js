// @ts-check
import { useState } from "preact/hooks";

/** @import { Browser } from "../browse/browser.js" */

/**
 * What was typed and not saved yet, by what it is for: stepping to another object and back loses nothing.
 * @type {WeakMap<Browser, Map<string, any>>}
 */
const drafts = new WeakMap();

/**
 * Something that is being edited, kept while the browser is open.
 * @template T
 * @param {Browser} browser
 * @param {string} name what it is for, such as `tags a.txt`
 * @returns {[T | null, (value: T | null) => void, (saved: T | null) => void]} `null` while nothing was changed; what keeps
 *   a change; what drops the one that was saved, unless somebody has typed more since
 */
export function useDraft(browser, name) {
  const known = drafts.get(browser) ?? new Map();
  drafts.set(browser, known);
  const [draft, setDraft] = useState(/** @type {T | null} */ (known.get(name) ?? null));
  const keep = (/** @type {T | null} */ value) => {
    if (value === null) known.delete(name);
    else known.set(name, value);
    setDraft(value);
  };
  const settle = (/** @type {T | null} */ saved) => {
    if ((known.get(name) ?? null) === saved) keep(null);
  };
  return [draft, keep, settle];
}
