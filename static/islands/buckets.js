// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { arranged } from "../lib/browse/bucket_list.js";
import { bucketPage } from "../lib/browse/object_urls.js";
import { FailureWords } from "../lib/failure_words.js";
import { useFilterKey } from "../lib/filter_key.js";
import { t } from "../lib/i18n.js";
import { addShortcuts } from "../lib/keys.js";
import { Menu } from "../lib/menu.js";
import { visit } from "../lib/navigation.js";
import { PageHead } from "../lib/page_head.js";
import { columnLabels, useBucketColumns } from "../lib/places/bucket_columns.js";
import { BucketTable } from "../lib/places/bucket_table.js";
import { bucketTotals } from "../lib/places/bucket_totals.js";
import { NamedBuckets } from "../lib/places/named_buckets.js";
import { useBucketProperties } from "../lib/places/use_bucket_properties.js";
import { useBuckets } from "../lib/places/use_buckets.js";
import { useBucketOrder } from "../lib/places/use_bucket_order.js";
import { ProbeStrip } from "../lib/probe_strip.js";
import { Button, EmptyState, html, Icon, Skeleton } from "../lib/ui.js";
import { commitTyped } from "../lib/typed_address.js";

/** @import { BucketSummary } from "../lib/browse/bucket_list.js" */
/** @import { BucketColumn } from "../lib/places/bucket_columns.js" */
/** @import { BucketAction } from "../lib/places/bucket_table.js" */

/**
 * @typedef {object} BucketsProps
 * @property {{
 *   id: string, name: string, region: string, capabilities: Record<string, boolean | "unknown">, endpoint?: string
 * }} backend `endpoint` for who may know it
 * @property {import("../lib/probe_strip.js").Probe[] | null} probes `null` for who may not read them
 * @property {BucketSummary[] | null} buckets `null` when they were not there in time
 * @property {{ code: string, message: string } | null} error
 * @property {string} again where the page waits longer for them
 * @property {string[]} pinned names
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
  const { backend, probes, me, now } = props;
  const { buckets, error, pinned, load, create, remove, track, togglePin, notePinned } = useBuckets(props);
  const { query, type, order, sortBy } = useBucketOrder(props);
  const clear = () => {
    type("");
    commitTyped();
  };
  const shown = arranged(buckets ?? [], query, order.field, order.descending);
  const properties = useBucketProperties(backend.id, shown.map(({ name }) => name));
  const columns = useBucketColumns();
  useFilterKey(t("buckets.title"));
  useEffect(() => {
    if (!me.can.create_buckets) return;
    return addShortcuts([{
      keys: "n",
      label: t("buckets.create"),
      group: t("buckets.title"),
      run: create,
    }]);
  }, [buckets]);
  const actions = (/** @type {BucketSummary} */ bucket) =>
    actionsOf(bucket, { backend: backend.id, me, track, remove });
  const add = me.can.create_buckets && error === null && html`
    <${Button} kind="primary" icon="plus" onClick=${create}>${t("buckets.create")}<//>
  `;
  const strip = probes && html`<${ProbeStrip} history=${probes} name=${backend.name} />`;
  return html`
    <${PageHead} title=${backend.name} mark=${strip} actions=${add}>${factsOf(backend, buckets)}<//>
    ${error?.code === "forbidden"
      ? html`
        <${NamedBuckets} backend=${backend
          .id} pinned=${pinned} togglePin=${togglePin} onNamed=${notePinned} />
      `
      : buckets === null
      ? html`<div class="table-box">${
        error ? html`<${Failure} error=${error} retry=${load} manages=${me.can.manage_backends} />` : html`
          <${Skeleton} rows=${6} />
          <p class="without-script"><a class="button" href=${props.again}>${t("buckets.load_again")}</a></p>
        `
      }</div>`
      : buckets.length === 0
      ? html`
        <div class="table-box">
          <${EmptyState} icon="bucket" title=${t("buckets.empty_title")} action=${add}>${me.can.create_buckets
            ? t("buckets.empty_text")
            : t("buckets.empty_text_reader")}<//>
        </div>
      `
      : html`
        <div class="toolbar">
          <${FilterBox} query=${query} onType=${type} />
          ${query !== "" && html`<span class="muted" role="status">${
            t("buckets.matches", {
              n: buckets.length,
              shown: shown.length,
            })
          }</span>`}
          <${ColumnMenu} ...${columns} />
        </div>
        ${shown.length === 0 ? html`<${NoMatch} clear=${clear} />` : html`
          <${BucketTable} backend=${backend.id} buckets=${shown} total=${bucketTotals(buckets).bytes}
            properties=${properties} chosen=${columns.chosen} pinned=${pinned} order=${order} sortBy=${sortBy}
            togglePin=${togglePin}
            track=${me.can.write_bucket_settings ? track : null} actions=${actions} now=${now} />
        `}
      `}
  `;
}

/**
 * @param {BucketsProps["backend"]} backend
 * @param {readonly BucketSummary[] | null} buckets
 */
function factsOf({ region }, buckets) {
  if (buckets === null) return t("buckets.title");
  const n = buckets.length;
  return region ? t("buckets.count_in", { n, region }) : t("common.buckets", { n });
}

/**
 * What can be done with a bucket. What the user may not do is left out.
 * @param {BucketSummary} bucket
 * @param {{
 *   backend: string, me: import("../lib/boot_data.js").Me, track: (bucket: BucketSummary) => void,
 *   remove: (bucket: BucketSummary) => void
 * }} does
 * @returns {BucketAction[]}
 */
function actionsOf(bucket, { backend, me, track, remove }) {
  const page = bucketPage(backend, bucket.name);
  const goTo = (/** @type {string} */ href) => () => visit(href);
  return [
    { label: t("common.open"), icon: "bucket", run: goTo(page) },
    { label: t("buckets.settings"), icon: "settings", run: goTo(`${page}/settings/general`) },
    { label: t("buckets.insights"), icon: "chart", run: goTo(`${page}/insights`) },
    ...me.can.write_bucket_settings
      ? [{
        label: bucket.size_tracked ? t("buckets.untrack") : t("buckets.track"),
        icon: "pulse",
        run: () => track(bucket),
      }]
      : [],
    ...me.can.create_buckets
      ? [{ label: t("buckets.delete"), icon: "trash", danger: true, run: () => remove(bucket) }]
      : [],
  ];
}

/** @param {{ query: string, onType: (query: string) => void }} props */
function FilterBox({ query, onType }) {
  return html`
    <div class="search-box">
      <${Icon} name="search" />
      <input id="filter" class="input" type="search" placeholder=${t("buckets.filter")} aria-label=${t(
        "buckets.filter",
      )}
        value=${query}
        onInput=${(/** @type {any} */ event) => onType(event.target.value)} onChange=${commitTyped} />
    </div>
  `;
}

/** @param {{ clear: () => void }} props */
function NoMatch({ clear }) {
  return html`
    <div class="table-box">
      <${EmptyState} icon="search" title=${t("buckets.no_match")} action=${html`
        <${Button} onClick=${clear}>${t("buckets.clear_filter")}<//>
      `}>${t("buckets.no_match_text")}<//>
    </div>
  `;
}

/** @param {Omit<ReturnType<typeof useBucketColumns>, "chosen">} props */
function ColumnMenu({ shown, toggle, look }) {
  const items = Object.entries(columnLabels).map(([name, label]) => {
    const column = /** @type {BucketColumn} */ (name);
    return { label: t(label), icon: "check", checked: shown.includes(column), run: () => toggle(column) };
  });
  return html`<span class="column-menu"><${Menu} label=${t("buckets.columns")} icon="columns" onOpen=${look}
    items=${items} /></span>`;
}

/** @param {{ error: { code: string, message: string }, retry: () => void, manages: boolean }} props */
function Failure({ error, retry, manages }) {
  const ways = html`
    <div class="row">
      <${Button} icon="refresh" onClick=${retry}>${t("common.retry")}<//>
      ${manages && html`<a class="button" href="/admin/backends">${t("buckets.backends")}</a>`}
    </div>
  `;
  return html`
    <${EmptyState} icon="alert" action=${ways} title=${t("buckets.failed")}>
      <${FailureWords} error=${error} />
      <//>
  `;
}
