// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../api.js";
import { defaultClass } from "../browse/entries.js";
import { infoAhead } from "../preview/next_object.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { Entry } from "../browse/entries.js" */

/**
 * An object as `GET …/object/info` describes it.
 *
 * @typedef {object} ObjectInfo
 * @property {string} key
 * @property {number} size bytes
 * @property {string} etag
 * @property {string} [content_type]
 * @property {string} [content_encoding]
 * @property {string} [content_language]
 * @property {string} [content_disposition]
 * @property {string} [cache_control]
 * @property {string} [expires]
 * @property {string} [last_modified]
 * @property {string} [version_id]
 * @property {string} [storage_class]
 * @property {Record<string, string>} [metadata]
 * @property {number} [tag_count]
 * @property {Record<string, string>} [checksums] by their algorithm
 * @property {{ algorithm: string, key_id?: string }} [encryption]
 * @property {{ mode?: string, retain_until?: string, legal_hold?: boolean }} [lock]
 */

/** Milliseconds that a step to the next object waits for a further one before anything is fetched. */
const stepPause = 90;

/**
 * What is known about an object, or one of its versions.
 * @param {Browser} browser
 * @param {string} key
 * @param {string} version its latest one when empty
 * @returns {{ info: ObjectInfo | null, failure: { code: string, message: string } | null,
 *   reload: () => Promise<void> }} `reload` ends when it has been read anew, whether that has worked or not
 */
export function useObjectInfo(browser, key, version) {
  const [info, setInfo] = useState(() => version === "" ? infoAhead(browser, key) : null);
  const [failure, setFailure] = useState(/** @type {{ code: string, message: string } | null} */ (null));
  const [round, setRound] = useState(0);
  const waiting = useRef(/** @type {Array<() => void>} */ ([]));
  useEffect(() => {
    if (info !== null && round === 0) return;
    const abort = new AbortController();
    const served = waiting.current.splice(0);
    const tell = () => served.forEach((done) => done());
    const query = { key, version_id: version };
    const timer = setTimeout(() => {
      setFailure(null);
      request("GET", `${browser.api}/object/info`, { query, signal: abort.signal }).then(setInfo, (error) => {
        if (!abort.signal.aborted) setFailure(error);
      }).finally(tell);
    }, round === 0 ? stepPause : 0);
    return () => {
      clearTimeout(timer);
      abort.abort();
      tell();
    };
  }, [key, version, round]);
  const reload = () =>
    new Promise((/** @type {(value: void) => void} */ resolve) => {
      waiting.current.push(resolve);
      setRound((before) => before + 1);
    });
  return { info, failure, reload };
}

/**
 * An object as a row of the list.
 * @param {ObjectInfo} info
 * @param {string} prefix the open folder
 * @returns {Entry}
 */
export function entryOf({ key, size, last_modified, storage_class = defaultClass }, prefix) {
  return {
    key,
    name: key.startsWith(prefix) ? key.slice(prefix.length) : key,
    folder: false,
    size,
    modified: Date.parse(last_modified ?? "") || 0,
    storageClass: storage_class,
  };
}
