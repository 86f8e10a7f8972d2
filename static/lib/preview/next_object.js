// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { request, scheduler } from "../api.js";
import { withBase } from "../base.js";
import { contentUrl } from "../details/addresses.js";
import { savesData } from "../saves_data.js";
import { forgetHeadAhead, headLimit, readHeadAhead } from "./head.js";
import { previewKind } from "./kind.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { ObjectInfo } from "../details/object_info.js" */
/** @import { PreviewKind } from "./kind.js" */

/** Milliseconds for which an object is looked at before the next one is prepared. */
const restTime = 400;

/** Milliseconds for which what was read ahead counts. */
const freshFor = 30_000;

/** Bytes of a picture that is fetched ahead at most: there is no looking at its beginning. */
const pictureLimit = 4 * 1024 * 1024;

/** Kinds of which the beginning is shown. @type {ReadonlySet<PreviewKind>} */
const ofHead = new Set(["csv", "json", "markdown", "text", "hex"]);

/** What is at hand: of one object at a time. @type {{ api: string, info: ObjectInfo, at: number, picture: HTMLImageElement | null } | null} */
let next = null;

/** Key of the object that was looked at before. */
let before = "";

/**
 * What is known of an object, if that was read ahead and the list still shows the same.
 *
 * @param {Browser} browser
 * @param {string} key
 * @returns {ObjectInfo | null}
 */
export function infoAhead({ api, rows }, key) {
  if (next?.api !== api || next.info.key !== key || Date.now() - next.at > freshFor) return null;
  const row = rows.peek().find((entry) => entry.key === key);
  const { size, last_modified: modified = "" } = next.info;
  // A listing tells fractions of a second, an object's head does not.
  const isSame = row?.size === size && Math.abs(row.modified - Date.parse(modified)) < 1000;
  return isSame ? next.info : null;
}

/**
 * Reads the beginning of the object that a further step in the same direction leads to, once one is being looked at.
 *
 * @param {Browser} browser
 * @param {string} key of the object that is shown
 */
export function useNextObject(browser, key) {
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const entry = document.hidden || savesData() ? undefined : nextEntry(browser, key);
      before = key;
      // It is read when it is looked at, if not now.
      if (entry) prepare(browser.api, entry.key, abort.signal).catch(() => {});
    }, restTime);
    addEventListener("object-stored", forget);
    return () => {
      removeEventListener("object-stored", forget);
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
}

/** Forgets what is at hand: it may be of the object that was replaced. */
function forget() {
  next = null;
  forgetHeadAhead();
}

/**
 * @param {Browser} browser
 * @param {string} key
 */
function nextEntry({ rows }, key) {
  const objects = rows.peek().filter(({ folder }) => !folder);
  const index = objects.findIndex((entry) => entry.key === key);
  const step = objects[index + 1]?.key === before ? -1 : 1;
  return index < 0 ? undefined : objects[index + step];
}

/**
 * @param {string} api the bucket's address
 * @param {string} key
 * @param {AbortSignal} signal
 */
async function prepare(api, key, signal) {
  /** @type {ObjectInfo} */
  const info = await request("GET", `${api}/object/info`, {
    query: { key },
    priority: "prefetch",
    background: true,
    signal,
  });
  next = { api, info, at: Date.now(), picture: null };
  const { size, etag, content_type = "" } = info;
  const url = contentUrl(api, key, "inline");
  const kind = previewKind(key, content_type);
  if (kind === "image" && size <= pictureLimit) {
    await scheduler.slot("prefetch", signal);
    next.picture = new Image();
    next.picture.src = withBase(url);
  } else if (ofHead.has(kind)) await readHeadAhead(url, { size, etag, limit: headLimit(kind), signal });
}
