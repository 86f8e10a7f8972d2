// @ts-check
import { apiError, request, send } from "../api.js";
import { t } from "../i18n.js";
import { inWords, runJob } from "../jobs/run.js";
import { queryValue } from "../query_value.js";
import { selectedOf } from "./selection_request.js";

/** @import { Job, JobFailure } from "../jobs/job.js" */
/** @import { Entry } from "./entries.js" */
/** @import { Selected } from "./selection_request.js" */

/** Versions that one request may delete. */
const maxVersions = 1000;

/** Objects that are deleted by one request, for which the page has to stay; more of them are deleted by jobs. */
const maxAtOnce = 100;

/**
 * What a deletion would take away.
 *
 * @typedef {object} Extent
 * @property {number} objects
 * @property {number} bytes
 * @property {string | null} first the first key of what the server has counted
 * @property {string | null} last
 */

/** A version of an object. @typedef {{ key: string, version_id: string }} Version */

/**
 * What a deletion has done.
 *
 * @typedef {object} Deletion
 * @property {string[]} gone the rows of which nothing is left
 * @property {number} deleted objects, or versions where these were meant
 * @property {JobFailure[]} errors in words
 * @property {Version[]} markers the delete markers that hide single objects now
 * @property {{ part: Selected, job: Job }[]} jobs that dealt with folders, with versions and with much
 * @property {string[]} failedIn the ids of the requests and jobs that have failed with some, in words
 */

/**
 * Counts what a deletion of these rows takes away; the server counts what its jobs are to delete.
 *
 * @param {string} api the bucket's address
 * @param {readonly Entry[]} entries
 * @param {{ prefix: string, versions: boolean, signal: AbortSignal }} options `prefix`: the folder of the rows; `versions`:
 *   older versions and delete markers too
 * @returns {Promise<Extent>}
 */
export async function measure(api, entries, { prefix, versions, signal }) {
  /** @type {Extent} */
  const extent = { objects: 0, bytes: 0, first: null, last: null };
  if (!isForJobs(entries, versions)) {
    return { ...extent, objects: entries.length, bytes: entries.reduce((sum, { size }) => sum + size, 0) };
  }
  for (const part of partsOf(prefix, entries)) {
    const { count, bytes, first_key, last_key } = await request("POST", `${api}/objects/delete-prefix`, {
      json: { ...meant(part), versions, dry_run: true },
      signal,
    });
    extent.objects += count;
    extent.bytes += bytes;
    extent.first ??= first_key;
    extent.last = last_key ?? extent.last;
  }
  return extent;
}

/**
 * Deletes rows: some single objects at once, everything else by jobs of the server, which go on without the page.
 *
 * @param {string} api the bucket's address
 * @param {readonly Entry[]} entries
 * @param {{ prefix: string, versions: boolean, label: (entries: number) => string, onJob: (job: Job) => void }} options
 *   `prefix`: the folder of the rows
 * @returns {Promise<Deletion>}
 */
export async function deleteEntries(api, entries, { prefix, versions, label, onJob }) {
  /** @type {Deletion} */
  const result = { gone: [], deleted: 0, errors: [], markers: [], jobs: [], failedIn: [] };
  if (!isForJobs(entries, versions)) {
    await deleteKeys(api, entries.map(({ key }) => key), result);
    return result;
  }
  // All of them are begun before any has ended: none must wait for a page that may be left.
  const ends = await Promise.allSettled(
    partsOf(prefix, entries).map(async (part) => {
      const { keys = [], prefixes = [] } = part;
      const job = await runJob(`${api}/objects/delete-prefix`, { ...meant(part), versions }, {
        label: label(Math.max(1, keys.length + prefixes.length)),
        onStarted: onJob,
      });
      return { part, job };
    }),
  );
  for (const end of ends) {
    if (end.status === "rejected") throw end.reason;
    const { part, job } = end.value;
    const errors = job.errors ?? [];
    result.jobs.push(end.value);
    result.deleted += job.done;
    result.errors.push(...errors);
    if (job.failed > 0) result.failedIn.push(t("jobs.id", { id: job.id }));
    if (job.state === "done" && job.failed === errors.length) result.gone.push(...goneOf(part, errors));
  }
  return result;
}

/**
 * Whether rows are deleted by jobs: how much is in folders, and how many versions there are, is not known before.
 *
 * @param {readonly Entry[]} entries
 * @param {boolean} versions
 */
function isForJobs(entries, versions) {
  return versions || entries.length > maxAtOnce || entries.some(({ folder }) => folder);
}

/**
 * Rows as what jobs delete.
 *
 * @param {string} prefix the folder of the rows
 * @param {readonly Entry[]} entries
 * @returns {Selected[]}
 */
function partsOf(prefix, entries) {
  const [{ key, folder }] = entries;
  if (entries.length === 1) return [folder ? { prefix: key } : { prefix: key, keys: [key] }];
  return selectedOf(prefix, entries.toSorted((one, other) => one.key < other.key ? -1 : 1));
}

/**
 * The rows of which a job has left nothing.
 *
 * @param {Selected} part
 * @param {readonly JobFailure[]} errors all of them
 */
function goneOf({ prefix, keys, prefixes = [] }, errors) {
  const left = new Set(errors.map(({ key }) => key));
  const folders = keys === undefined ? [prefix] : prefixes;
  return [
    ...(keys ?? []).filter((key) => !left.has(key)),
    ...folders.filter((folder) => !errors.some(({ key }) => key.startsWith(folder))),
  ];
}

/**
 * Brings back what a deletion has hidden in a bucket that keeps versions, by removing its delete markers.
 *
 * @param {string} api the bucket's address
 * @param {Deletion} deletion
 * @returns {Promise<number>} objects that are back
 */
export async function undelete(api, { markers, jobs }) {
  let back = 0;
  const remove = async (/** @type {Version[]} */ some) => {
    for (let at = 0; at < some.length; at += maxVersions) {
      const answer = await request("POST", `${api}/objects/delete`, {
        json: { keys: some.slice(at, at + maxVersions) },
      });
      back += answer.deleted.length;
      if (answer.errors.length > 0) throw await apiError({ status: 400, ...answer.errors[0] });
    }
  };
  await remove(markers);
  for (const { part, job } of jobs) await remove(await markersOf(api, part, job));
  return back;
}

/**
 * The delete markers that a job has made: the latest versions of what it dealt with that came while it ran.
 *
 * @param {string} api
 * @param {Selected} part
 * @param {Job} job
 */
async function markersOf(api, { prefix, keys, prefixes = [] }, { started_at: startedAt = "" }) {
  // Storage counts in whole seconds, and by a clock of its own.
  const since = Date.parse(startedAt) - 2000;
  const open = new Set(keys);
  const isMeant = (/** @type {string} */ key) =>
    keys === undefined || open.has(key) || prefixes.some((folder) => key.startsWith(folder));
  const common = keys === undefined ? prefix : commonStart([...keys, ...prefixes]);
  /** @type {Version[]} */
  const markers = [];
  let token;
  do {
    const after = token === undefined ? "" : `&token=${encodeURIComponent(token)}`;
    const page = await request("GET", `${api}/object/versions?prefix=${queryValue(common)}${after}`);
    for (const { key, version_id, is_latest, is_delete_marker, last_modified } of page.versions) {
      if (!is_latest || !isMeant(key)) continue;
      open.delete(key);
      if (is_delete_marker && Date.parse(last_modified) >= since) markers.push({ key, version_id });
    }
    // Of single objects alone, what comes after the last one tells nothing more.
    const isOver = keys !== undefined && prefixes.length === 0 && open.size === 0;
    token = page.is_truncated && !isOver ? page.next_continuation_token : undefined;
  } while (token !== undefined);
  return markers;
}

/**
 * What all texts begin with.
 *
 * @param {readonly string[]} texts one or more
 */
function commonStart(texts) {
  return texts.reduce((start, text) => {
    const characters = [...start];
    while (!text.startsWith(characters.join(""))) characters.pop();
    return characters.join("");
  });
}

/**
 * @param {string} api
 * @param {string[]} keys no more than {@link maxAtOnce}
 * @param {Deletion} result added to
 */
async function deleteKeys(api, keys, result) {
  const response = await send("POST", `${api}/objects/delete`, {
    json: { keys: keys.map((key) => ({ key })) },
  });
  const answer = await response.json();
  if (answer.errors.length > 0) {
    result.failedIn.push(t("common.request_id", { id: response.headers.get("x-request-id") ?? "" }));
  }
  result.errors.push(...await inWords(answer.errors));
  result.deleted += answer.deleted.length;
  for (const { key, delete_marker_version_id: marker } of answer.deleted) {
    result.gone.push(key);
    if (marker !== undefined) result.markers.push({ key, version_id: marker });
  }
}

/**
 * A part as the API takes it for a deletion; everything in a bucket has to be meant.
 *
 * @param {Selected} part
 */
function meant(part) {
  return part.prefix === "" && part.keys === undefined ? { ...part, everything: true } : part;
}
