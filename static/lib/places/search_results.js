// @ts-check
/// <reference lib="dom" />
import { searchOf } from "../browse/address.js";
import { bucketPage } from "../browse/object_urls.js";
import { t } from "../i18n.js";
import { Bytes, html, Icon, Time } from "../ui.js";
import { searchPage } from "./search_scope.js";

/** @import { FoundBucket, FoundObject } from "./search_stream.js" */

/** @typedef {Readonly<Record<string, string>>} BackendNames by id */

/**
 * The buckets whose names hold the text.
 *
 * @param {{ buckets: readonly FoundBucket[], query: string, names: BackendNames }} props
 */
export function FoundBuckets({ buckets, query, names }) {
  return html`
    <section class="result-group">
      <h2>${t("common.buckets", { n: buckets.length })}</h2>
      <ul>
        ${buckets.map(({ backend_id: backend, bucket }) =>
          html`
            <li key="${backend}/${bucket}">
              <a class="result-link" data-result="" href=${bucketPage(backend, bucket)}>
                <${Icon} name="bucket" />
                <span class="result-name break"><${Marked} text=${bucket} query=${query} /></span>
                <span class="faint nowrap">${names[backend] ?? backend}</span>
              </a>
            </li>
          `
        )}
      </ul>
    </section>
  `;
}

/**
 * Objects, grouped by their bucket.
 *
 * @param {{
 *   objects: readonly FoundObject[], query: string, prefix: string, names: BackendNames, now: number
 * }} props `prefix`: what of the keys was not searched, as all of them begin with it
 */
export function FoundObjects({ objects, query, prefix, names, now }) {
  const groups = Map.groupBy(objects, ({ backend_id: backend, bucket }) => `${backend}/${bucket}`);
  return [...groups].map(([place, found]) => {
    const { backend_id: backend, bucket } = found[0];
    return html`
      <section class="result-group" key=${place}>
        <h2><a href=${bucketPage(backend, bucket)}>${bucket}</a> <span class="faint">${names[backend] ??
          backend}</span></h2>
        <ul>
          ${found.map((object) =>
            html`
              <${ResultRow} key=${object.key} object=${object} query=${query} from=${prefix
                .length} now=${now} />
            `
          )}
        </ul>
      </section>
    `;
  });
}

/** @param {{ object: FoundObject, query: string, from: number, now: number }} props */
function ResultRow({ object, query, from, now }) {
  const { backend_id: backend, bucket, key, size, last_modified: modified } = object;
  const prefix = key.slice(0, key.lastIndexOf("/", key.length - 2) + 1);
  // A key that ends in a slash is a folder's own object: its page is the folder.
  const place = key.endsWith("/") ? { prefix: key } : { prefix, open: key };
  return html`
    <li>
      <a class="result-link" data-result="" href="${bucketPage(backend, bucket)}${searchOf(place)}">
        <${Icon} name=${key.endsWith("/") ? "folder" : "file"} />
        <span
          class="result-name break"><bdi dir="ltr"><${Marked} text=${key} query=${query} from=${from} /></bdi></span>
        <span class="result-size"><${Bytes} value=${size} /></span>
        <span class="result-time faint"><${Time} at=${modified} now=${now} /></span>
      </a>
    </li>
  `;
}

/**
 * A text in which what was searched for stands out, in any case.
 *
 * @param {{ text: string, query: string, from?: number }} props `from`: the position at which was searched
 */
function Marked({ text, query, from = 0 }) {
  const at = text.toLowerCase().indexOf(query.toLowerCase(), from);
  // Where small and capital letters differ in length, positions cannot be carried over.
  if (query === "" || at < 0 || text.length !== text.toLowerCase().length) return text;
  const end = at + query.length;
  return html`${text.slice(0, at)}<mark>${text.slice(at, end)}</mark>${text.slice(end)}`;
}

/**
 * The buckets that can be searched through, as links.
 *
 * @param {{ places: readonly FoundBucket[], query: string }} props
 */
export function BucketChoice({ places, query }) {
  return html`
    <ul class="scope-chips" aria-label=${t("search.choose_bucket")}>
      ${places.map(({ backend_id: backend, bucket }) =>
        html`
          <li key="${backend}/${bucket}">
            <a class="scope-chip" href=${searchPage(query, {
              backend,
              bucket,
              prefix: "",
            })}><${Icon} name="bucket" />${bucket}</a>
          </li>
        `
      )}
    </ul>
  `;
}
