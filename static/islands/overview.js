// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { isDrawn, Kept } from "../lib/kept.js";
import { LazyComponent } from "../lib/lazy_component.js";
import { PageHead } from "../lib/page_head.js";
import { listsBuckets } from "../lib/places/backend_buckets.js";
import { BackendRow, prepareRows } from "../lib/places/backend_row.js";
import { PlaceLists } from "../lib/places/place_lists.js";
import { healthState } from "../lib/health_state.js";
import { pollWhileVisible } from "../lib/poll.js";
import { html, Icon } from "../lib/ui.js";

/** @import { BucketList, BucketPreview } from "../lib/places/backend_buckets.js" */
/** @import { Backend, Health } from "../lib/places/backend_row.js" */

const pollInterval = 60_000;

const noBackends = new LazyComponent(async () => (await import("../lib/places/no_backends.js")).NoBackends);

const storageChart = new LazyComponent(async () =>
  (await import("../lib/places/storage_chart.js")).StorageChart
);

const recentJobs = new LazyComponent(async () => (await import("../lib/places/recent_jobs.js")).RecentJobs);

/**
 * @typedef {object} OverviewProps
 * @property {Backend[]} backends
 * @property {Health[]} health empty for who may not see it
 * @property {Record<string, BucketPreview>} buckets what was there in time, by the id of the backend
 * @property {Record<string, import("../lib/places/vendor.js").Endpoint>} endpoints by the id of the backend; empty for who
 * may not know them
 * @property {import("../lib/places/pins.js").Pin[]} pins
 * @property {import("../lib/places/pins.js").PlacedBucket[]} recent
 * @property {import("../lib/jobs/job.js").Job[]} jobs
 * @property {string} again where the page waits longer for the buckets
 * @property {import("../lib/boot_data.js").Me} me
 * @property {number} now milliseconds since the epoch
 */

/** The elements that hold the chart and the jobs. */
const chartId = "storage";
const jobsId = "recent-jobs";

/**
 * Loads what the page shows only sometimes, and what the server has not drawn yet; to be awaited before it is rendered.
 * @param {{ backends: readonly Backend[], jobs: readonly unknown[] }} props
 */
export async function prepare({ backends, jobs }) {
  await Promise.all([
    backends.length === 0 ? noBackends.load() : isDrawn(chartId) || storageChart.load(),
    jobs.length > 0 && (isDrawn(jobsId) || recentJobs.load()),
    prepareRows(backends),
  ]);
}

/**
 * The first page: every backend, and where the user was.
 * @param {OverviewProps} props
 */
export function Island(props) {
  const { me, now } = props;
  const [backends, setBackends] = useState(props.backends);
  const [health, setHealth] = useState(props.health);
  const [lists, setLists] = useState(() => firstLists(props));
  const mayReadHealth = Boolean(me.can.read_health);
  useEffect(() =>
    pollWhileVisible((options) =>
      Promise.all([
        request("GET", "/api/backends", options).then((list) => setBackends(list.backends)),
        mayReadHealth &&
        request("GET", "/api/admin/backends/health", options).then((probes) => setHealth(probes.backends)),
      ]), pollInterval), []);
  if (backends.length === 0) {
    return html`
      <${PageHead} title=${t("overview.title")} />
      <${noBackends.View} me=${me} />
    `;
  }
  const listed = listsBuckets(backends.length);
  const listOf = (/** @type {Backend} */ { id }) => lists[id] ?? { state: "loading" };
  const isLate = backends.some((backend) => backend.healthy && listOf(backend).state === "loading");
  const down = backends.filter((backend) => healthState(backend).kind === "bad").length;
  const names = Object.fromEntries(backends.map(({ id, name }) => [id, name]));
  return html`
    <${PageHead} title=${t("overview.title")} actions=${me.can.manage_backends && html`
      <a class="button" href="/admin/backends"><${Icon} name="server" />${t("overview.manage")}</a>
    `}>
      ${t("overview.backends", { n: backends.length })}${down > 0 &&
        html`, <strong class="text-bad">${t("overview.unreachable", { n: down })}</strong>`}
    <//>
    <ul class="backend-list card">
      ${backends.map((backend) =>
        html`
          <${BackendRow} key=${backend.id} backend=${backend} endpoint=${props.endpoints[backend.id]}
            health=${health.find(({ id }) => id === backend.id)} list=${listOf(backend)} listed=${listed}
            now=${now} onList=${(/** @type {BucketList} */ list) =>
              setLists((all) => ({ ...all, [backend.id]: list }))} />
        `
      )}
    </ul>
    ${isLate && html`
      <p class="without-script"><a class="button" href=${props.again}>${t("overview.load_again")}</a></p>
    `}
    <div class="overview-parts">
      <${PlaceLists} pins=${props.pins} recent=${props.recent} names=${names} />
      <section class="overview-part">
        <h2>${t("overview.storage")}</h2>
        <div id=${chartId}><${Kept} in=${chartId} part=${storageChart}
          props=${{ backends, lists, waits: isLate, now }} /></div>
      </section>
      <section class="overview-part">
        <h2>${t("overview.transfers")}</h2>
        ${props.jobs.length === 0
          ? html`<p class="muted overview-nothing">${t("overview.transfers_empty")}</p>`
          : html`
            <div id=${jobsId}>
              <${Kept} in=${jobsId} part=${recentJobs} props=${{ jobs: props.jobs, now }} />
            </div>
          `}
      </section>
    </div>
  `;
}

/**
 * @param {OverviewProps} props
 * @returns {Record<string, BucketList>}
 */
function firstLists({ buckets }) {
  return Object.fromEntries(
    Object.entries(buckets).map(([id, preview]) => [id, { state: "loaded", preview }]),
  );
}
