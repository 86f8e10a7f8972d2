// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { streamSearch } from "./search_stream.js";

/** @import { SearchScope } from "./search_scope.js" */
/** @import { FoundBucket, FoundObject } from "./search_stream.js" */

/**
 * What was found so far. `answered`: how many backends have told what they have.
 *
 * @typedef {object} Findings
 * @property {"idle" | "searching" | "done" | "failed"} state
 * @property {readonly FoundBucket[]} buckets
 * @property {readonly FoundObject[]} objects
 * @property {readonly { backend_id: string, code: string, detail?: any }[]} errors
 * @property {number} answered
 * @property {boolean} truncated
 * @property {string} error
 */

/** @type {Findings} */
const nothing = {
  state: "idle",
  buckets: [],
  objects: [],
  errors: [],
  answered: 0,
  truncated: false,
  error: "",
};

/** Milliseconds after the last key before a text is searched for. */
const typingPause = 250;

/**
 * Searches for a text as it is typed, and gives what is found as the backends answer.
 *
 * @param {string} query
 * @param {SearchScope} scope
 * @returns {Findings}
 */
export function useSearch(query, scope) {
  const [findings, setFindings] = useState(nothing);
  const { backend, bucket, prefix } = scope;
  useEffect(() => {
    if (query === "") return setFindings(nothing);
    const controller = new AbortController();
    const { signal } = controller;
    setFindings({ ...nothing, state: "searching" });
    const update = (/** @type {(before: Findings) => Partial<Findings>} */ change) =>
      signal.aborted || setFindings((before) => ({ ...before, ...change(before) }));
    const timer = setTimeout(() => {
      streamSearch(
        query,
        scope,
        signal,
        ({ buckets, objects, truncated, errors = [] }) =>
          update((before) => ({
            buckets: [...before.buckets, ...buckets],
            objects: [...before.objects, ...objects],
            errors: [...before.errors, ...errors],
            answered: before.answered + 1,
            // What was not searched is said by itself.
            truncated: before.truncated || (truncated && errors.length === 0),
          })),
      ).then(
        () => update(() => ({ state: "done" })),
        (error) => update(() => ({ state: "failed", error: error.message })),
      );
    }, typingPause);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, backend, bucket, prefix]);
  return findings;
}
