// @ts-check
import { apiError, request } from "../api.js";
import { inWords, runJob } from "../jobs/run.js";
import { queryValue } from "../query_value.js";

/** @import { Job, JobFailure } from "../jobs/job.js" */
/** @import { Entry } from "./entries.js" */

/** Keys that one request may delete. */
const maxKeys = 1000;

/**
 * What a deletion would take away.
 *
 * @typedef {object} Extent
 * @property {number} objects
 * @property {number} bytes
 * @property {string | null} first the first key of what is counted in folders
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
 * @property {Job[]} jobs that dealt with folders
 */

/**
 * Counts what a deletion of these rows takes away; what is in folders is counted by the server.
 *
 * @param {string} api the bucket's address
 * @param {readonly Entry[]} entries
 * @param {{ versions: boolean, signal: AbortSignal }} options `versions`: older versions and delete markers too
 * @returns {Promise<Extent>}
 */
export async function measure(api, entries, { versions, signal }) {
  /** @type {Extent} */
  const extent = { objects: 0, bytes: 0, first: null, last: null };
  for (const { folder, key, size } of entries) {
    if (!folder) {
      extent.objects++;
      extent.bytes += size;
      continue;
    }
    const { count, bytes, first_key, last_key } = await request("POST", `${api}/objects/delete-prefix`, {
      json: { ...prefixOf(key), versions, dry_run: true },
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
 * Deletes rows: single objects at once, folders by jobs of the server, which go on without the page.
 *
 * @param {string} api the bucket's address
 * @param {readonly Entry[]} entries
 * @param {{ versions: boolean, label: string, onJob: (job: Job) => void }} options
 * @returns {Promise<Deletion>}
 */
export async function deleteEntries(api, entries, { versions, label, onJob }) {
  /** @type {Deletion} */
  const result = { gone: [], deleted: 0, errors: [], markers: [], jobs: [] };
  const keys = entries.filter(({ folder }) => !folder).map(({ key }) => key);
  for (let at = 0; at < keys.length; at += maxKeys) {
    await deleteKeys(api, keys.slice(at, at + maxKeys), result);
  }
  for (const { key } of entries.filter(({ folder }) => folder)) {
    const job = await runJob(`${api}/objects/delete-prefix`, { ...prefixOf(key), versions }, {
      label,
      onStarted: onJob,
    });
    result.jobs.push(job);
    result.deleted += job.done;
    result.errors.push(...job.errors ?? []);
    if (job.state === "done" && job.failed === 0) result.gone.push(key);
  }
  return result;
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
    for (let at = 0; at < some.length; at += maxKeys) {
      const answer = await request("POST", `${api}/objects/delete`, {
        json: { keys: some.slice(at, at + maxKeys) },
      });
      back += answer.deleted.length;
      if (answer.errors.length > 0) throw await apiError({ status: 400, ...answer.errors[0] });
    }
  };
  await remove(markers);
  for (const job of jobs) await remove(await markersOf(api, job));
  return back;
}

/**
 * The delete markers that a job has made: the latest versions under its prefix that came while it ran.
 *
 * @param {string} api
 * @param {Job} job
 */
async function markersOf(api, { spec, started_at: startedAt = "" }) {
  // Storage counts in whole seconds, and by a clock of its own.
  const since = Date.parse(startedAt) - 2000;
  /** @type {Version[]} */
  const markers = [];
  let token;
  do {
    const after = token === undefined ? "" : `&token=${encodeURIComponent(token)}`;
    const page = await request("GET", `${api}/object/versions?prefix=${queryValue(spec.prefix)}${after}`);
    for (const { key, version_id, is_latest, is_delete_marker, last_modified } of page.versions) {
      if (is_latest && is_delete_marker && Date.parse(last_modified) >= since) {
        markers.push({ key, version_id });
      }
    }
    token = page.is_truncated ? page.next_continuation_token : undefined;
  } while (token !== undefined);
  return markers;
}

/**
 * @param {string} api
 * @param {string[]} keys
 * @param {Deletion} result added to
 */
async function deleteKeys(api, keys, result) {
  const answer = await request("POST", `${api}/objects/delete`, {
    json: { keys: keys.map((key) => ({ key })) },
  });
  result.errors.push(...await inWords(answer.errors));
  result.deleted += answer.deleted.length;
  for (const { key, delete_marker_version_id: marker } of answer.deleted) {
    result.gone.push(key);
    if (marker !== undefined) result.markers.push({ key, version_id: marker });
  }
}

/**
 * A prefix as the API takes it for a deletion; the empty one has to be meant.
 *
 * @param {string} prefix
 */
function prefixOf(prefix) {
  return prefix === "" ? { prefix, everything: true } : { prefix };
}
