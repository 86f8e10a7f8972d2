// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../api.js";
import { bucketPage, bucketUrl } from "../browse/object_urls.js";
import { t } from "../i18n.js";
import { visit } from "../navigation.js";
import { toast, toastError } from "../toast.js";
import { pinPlace, unpinPlace } from "./pins.js";

/** @import { BucketSummary } from "../browse/bucket_list.js" */

/** @typedef {{ code: string, message: string }} Failure */

/**
 * The buckets of a backend, and what can be done with them. The dialogs are loaded when they are needed.
 *
 * @param {{
 *   backend: import("./create_bucket.js").BucketBackend, buckets: BucketSummary[] | null, error: Failure | null,
 *   pinned: readonly string[]
 * }} first as they came with the page
 */
export function useBuckets(first) {
  const { backend } = first;
  const [buckets, setBuckets] = useState(first.buckets);
  const [error, setError] = useState(first.error);
  const [pinned, setPinned] = useState(/** @type {ReadonlySet<string>} */ (new Set(first.pinned)));
  // A dialog that is open when the list comes goes by it, too.
  const shown = useRef(buckets);
  shown.current = buckets;
  const load = async () => {
    setError(null);
    try {
      setBuckets((await request("GET", `/api/backends/${encodeURIComponent(backend.id)}/buckets`)).buckets);
    } catch (failure) {
      setError(/** @type {import("../api.js").ApiError} */ (failure));
    }
  };
  const create = async () => {
    const { askNewBucket } = await import("./create_bucket.js");
    const name = await askNewBucket(backend, () => (shown.current ?? []).map((bucket) => bucket.name));
    if (name === undefined) return;
    toast(t("buckets.created", { name }), {
      action: { label: t("common.open"), run: () => visit(bucketPage(backend.id, name)) },
    });
    await load();
  };
  const remove = async (/** @type {BucketSummary} */ { name }) => {
    const { askDeleteBucket } = await import("./delete_bucket.js");
    if (!await askDeleteBucket(backend, name)) return;
    toast(t("buckets.deleted", { name }));
    setBuckets((before) => before && before.filter((bucket) => bucket.name !== name));
  };
  const track = async (/** @type {BucketSummary} */ { name, size_tracked: tracked }) => {
    try {
      await request("PUT", `${bucketUrl(backend.id, name)}/size-tracking`, { json: { enabled: !tracked } });
      toast(tracked ? t("buckets.untracked", { name }) : t("buckets.tracked", { name }));
      await load();
    } catch (failure) {
      toastError(t("buckets.track_failed"), failure);
    }
  };
  const togglePin = async (/** @type {Pick<BucketSummary, "name">} */ { name }) => {
    const place = { backend_id: backend.id, bucket: name };
    const wasPinned = pinned.has(name);
    const show = (/** @type {boolean} */ isPinned) => setPinned((names) => withName(names, name, isPinned));
    show(!wasPinned);
    try {
      await (wasPinned ? unpinPlace(place) : pinPlace(place));
    } catch (failure) {
      show(wasPinned);
      toastError(t("buckets.pin_failed"), failure);
    }
  };
  const notePinned = (/** @type {string} */ name) => setPinned((names) => withName(names, name, true));
  useEffect(() => {
    if (buckets === null && error === null) load();
  }, []);
  return { buckets, error, pinned, load, create, remove, track, togglePin, notePinned };
}

/**
 * @param {ReadonlySet<string>} names
 * @param {string} name
 * @param {boolean} wanted
 */
function withName(names, name, wanted) {
  const changed = new Set(names);
  if (wanted) changed.add(name);
  else changed.delete(name);
  return changed;
}
