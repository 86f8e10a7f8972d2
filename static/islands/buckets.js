// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../lib/api.js";
import { askDeleteBucket, askNewBucket } from "../lib/browse/bucket_dialogs.js";
import { arranged, bucketFields } from "../lib/browse/bucket_list.js";
import { bucketPage } from "../lib/browse/object_urls.js";
import { rescueFocus } from "../lib/dialog.js";
import { formatNumber } from "../lib/format.js";
import { plural } from "../lib/i18n.js";
import { addShortcuts } from "../lib/keys.js";
import { PageHead } from "../lib/page_head.js";
import { toast } from "../lib/toast.js";
import { Button, Bytes, EmptyState, html, Icon, Menu, Skeleton, Time } from "../lib/ui.js";
import { writeUrlState } from "../lib/url_state.js";

/** @import { BucketField, BucketSummary } from "../lib/browse/bucket_list.js" */

/**
 * @typedef {object} BucketsProps
 * @property {{ id: string, name: string, region: string }} backend
 * @property {BucketSummary[] | null} buckets `null` when they were not there in time
 * @property {{ code: string, message: string } | null} error
 * @property {string} again where the page waits longer for them
 * @property {string} query
 * @property {string} sort
 * @property {boolean} descending
 * @property {import("../lib/boot_data.js").Me} me
 * @property {number} now milliseconds since the epoch
 */

/**
 * The buckets of a backend.
 * @param {BucketsProps} props
 */
export function Island(props) {
  const { backend, me, now } = props;
  const [buckets, setBuckets] = useState(props.buckets);
  const [error, setError] = useState(props.error);
  const [query, setQuery] = useState(props.query);
  const [order, setOrder] = useState({
    field: bucketFields.find((field) => field === props.sort) ?? "name",
    descending: props.descending,
  });
  const load = async () => {
    setError(null);
    try {
      setBuckets((await request("GET", `/api/backends/${encodeURIComponent(backend.id)}/buckets`)).buckets);
    } catch (failure) {
      setError(/** @type {import("../lib/api.js").ApiError} */ (failure));
    }
  };
  const create = async () => {
    const name = await askNewBucket(backend, (buckets ?? []).map((bucket) => bucket.name));
    if (name === undefined) return;
    toast(`Bucket ${name} created`, {
      action: { label: "Open", run: () => location.assign(bucketPage(backend.id, name)) },
    });
    await load();
  };
  const remove = async (/** @type {string} */ name) => {
    if (!await askDeleteBucket(backend.id, name)) return;
    toast(`Bucket ${name} deleted`);
    setBuckets((shown) => shown && shown.filter((bucket) => bucket.name !== name));
    rescueFocus();
  };
  useEffect(() => {
    if (buckets === null && error === null) load();
    return addShortcuts([
      { keys: "/", label: "Filter", group: "Buckets", run: () => document.getElementById("filter")?.focus() },
    ]);
  }, []);
  useEffect(
    () =>
      writeUrlState({
        q: query,
        sort: order.field === "name" ? "" : order.field,
        dir: order.descending ? "desc" : "",
      }),
    [query, order],
  );
  const sortBy = (/** @type {BucketField} */ field) =>
    setOrder({ field, descending: order.field === field ? !order.descending : field !== "name" });

  const add = me.can.create_buckets && error === null &&
    html`<${Button} kind="primary" icon="plus" onClick=${create}>Create bucket<//>`;
  return html`
    <${PageHead} title=${backend.name} actions=${add}>
      ${buckets === null ? "Buckets" : plural(buckets.length, "bucket", "buckets")}${backend.region &&
        ` in ${backend.region}`}
    <//>
    ${buckets === null
      ? html`<div class="table-box">${
        error ? html`<${Failure} error=${error} retry=${load} manages=${me.can.manage_backends} />` : html`
          <${Skeleton} rows=${6} />
          <p class="without-script"><a class="button" href=${props.again}>Load it again</a></p>
        `
      }</div>`
      : buckets.length === 0
      ? html`
        <div class="table-box">
          <${EmptyState} icon="bucket" title="No bucket yet" action=${add}>${me.can.create_buckets
            ? "A bucket holds objects. Create the first one."
            : "An administrator can create one."}<//></div>
      `
      : html`
        <div class="toolbar">
          <div
            class="search-box"><${Icon} name="search" /><input id="filter" class="input" type="search" placeholder="Filter buckets"
            aria-label="Filter buckets" value=${query} onInput=${(/** @type {any} */ event) =>
              setQuery(event.target.value)} /></div>
        </div>
        <${BucketTable} backend=${backend.id} buckets=${arranged(
          buckets,
          query,
          order.field,
          order.descending,
        )} order=${order}
          sortBy=${sortBy} remove=${me.can.create_buckets ? remove : null} clear=${() =>
            setQuery("")} now=${now} />
      `}
  `;
}

/**
 * @param {{
 *   backend: string, buckets: BucketSummary[], order: { field: BucketField, descending: boolean }, now: number,
 *   sortBy: (field: BucketField) => void, remove: ((name: string) => void) | null, clear: () => void
 * }} props
 */
function BucketTable({ backend, buckets, order, sortBy, remove, clear, now }) {
  if (buckets.length === 0) {
    return html`
      <div class="table-box">
        <${EmptyState} icon="search" title="No bucket matches"
          action=${html`<${Button} onClick=${clear}>Clear the filter<//>`}>Change the filter to see others.<//></div>
    `;
  }
  const head = (
    /** @type {BucketField} */ field,
    /** @type {string} */ label,
    /** @type {string} */ style = "",
  ) => {
    const sorted = order.field === field;
    return html`<th scope="col" class=${style} aria-sort=${
      sorted ? order.descending ? "descending" : "ascending" : undefined
    }>
      <button type="button" class="sort-button" onClick=${() => sortBy(field)}>${label}${
      sorted && html`<${Icon} name=${order.descending ? "sort-down" : "sort-up"} />`
    }</button></th>`;
  };
  return html`
    <div class="table-box">
      <table class="table table-cards">
        <thead>
          <tr>${head("name", "Name")}${head(
            "size",
            "Size",
            "number",
          )}<th scope="col" class="number">Objects</th>
            ${head("created", "Created")}${remove &&
              html`<th scope="col"><span class="visually-hidden">Actions</span></th>`}</tr>
        </thead>
        <tbody>${buckets.map((bucket) =>
          html`<tr key=${bucket.name}>
        <td class="cell-head"><a class="bucket-link" href=${
            bucketPage(backend, bucket.name)
          }><${Icon} name="bucket" />
          <span class="break">${bucket.name}</span></a></td>
        <td class="number" data-label="Size"><${Size} bucket=${bucket} now=${now} /></td>
        <td class="number" data-label="Objects">${
            bucket.object_count === undefined
              ? html`<span class="faint">–</span>`
              : formatNumber(bucket.object_count)
          }</td>
        <td data-label="Created">${
            bucket.created_at
              ? html`<${Time} at=${bucket.created_at} now=${now} />`
              : html`<span class="faint">–</span>`
          }</td>
        ${
            remove && html`
              <td class="actions">
                <${Menu} label="Actions for ${bucket.name}" items=${[
                  { label: "Delete bucket", icon: "trash", danger: true, run: () => remove(bucket.name) },
                ]} />
              </td>
            `
          }
      </tr>`
        )}</tbody>
      </table>
    </div>
  `;
}

/** @param {{ bucket: BucketSummary, now: number }} props */
function Size({ bucket, now }) {
  const { size_bytes, computed_at, size_tracked } = bucket;
  if (size_bytes === undefined) {
    return html`<span class="faint">${size_tracked ? "counting…" : "not tracked"}</span>`;
  }
  return html`<${Bytes} value=${size_bytes} />${
    computed_at && html`<span class="cell-sub">as of <${Time} at=${computed_at} now=${now} /></span>`
  }`;
}

/** @param {{ error: { code: string, message: string }, retry: () => void, manages: boolean }} props */
function Failure({ error, retry, manages }) {
  const forbidden = error.code === "forbidden";
  const ways = html`
    <div class="row">
      <${Button} icon="refresh" onClick=${retry}>Try again<//>${manages && html`
        <a class="button" href="/admin/backends">Backends</a>
      `}</div>
  `;
  return html`
    <${EmptyState} icon=${forbidden ? "lock" : "alert"} action=${ways}
      title=${forbidden
        ? "The buckets of this backend cannot be listed"
        : "The buckets could not be listed"}>${forbidden
        ? "The backend's key may not list buckets."
        : error.message}<//>
  `;
}
