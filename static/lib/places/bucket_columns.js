// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";

/** @import { MessageKey } from "../i18n.js" */

/** A column that can be left out. @typedef {"region" | "created" | "objects" | "versioning" | "lock"} BucketColumn */

/** @type {Readonly<Record<BucketColumn, MessageKey>>} */
export const columnLabels = {
  region: "buckets.region",
  created: "common.created",
  objects: "buckets.objects",
  versioning: "buckets.versioning",
  lock: "buckets.lock",
};

const columns = /** @type {BucketColumn[]} */ (Object.keys(columnLabels));

/** Where this browser remembers what was chosen. */
const storageKey = "bucket-columns";

/**
 * Which columns the list of buckets has. Until someone chooses, they are those that there is room for: the style sheet says so.
 */
export function useBucketColumns() {
  const [chosen, setChosen] = useState(/** @type {readonly BucketColumn[] | null} */ (null));
  const [visible, setVisible] = useState(/** @type {readonly BucketColumn[]} */ (columns));
  useEffect(() => {
    const kept = localStorage.getItem(storageKey);
    if (kept !== null) setChosen(columns.filter((column) => kept.split(" ").includes(column)));
  }, []);
  const shown = chosen ?? visible;
  const toggle = (/** @type {BucketColumn} */ column) => {
    const next = columns.filter((other) =>
      other === column ? !shown.includes(column) : shown.includes(other)
    );
    setChosen(next);
    localStorage.setItem(storageKey, next.join(" "));
  };
  return { chosen, shown, toggle, look: () => setVisible(visibleColumns()) };
}

/** The columns that can be seen now. */
function visibleColumns() {
  return columns.filter((column) => {
    const head = /** @type {HTMLElement | null} */ (document.querySelector(`th[data-column="${column}"]`));
    return head !== null && head.offsetWidth > 0;
  });
}
