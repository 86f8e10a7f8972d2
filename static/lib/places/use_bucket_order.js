// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { bucketFields } from "../browse/bucket_list.js";
import { writeUrlState } from "../url_state.js";

/** @import { BucketField } from "../browse/bucket_list.js" */

/**
 * What the list of buckets is filtered and ordered by, kept in the page's address.
 *
 * @param {{ query: string, sort: string, descending: boolean }} first as the address says it
 */
export function useBucketOrder(first) {
  const [query, setQuery] = useState(first.query);
  const [order, setOrder] = useState({
    field: bucketFields.find((field) => field === first.sort) ?? "name",
    descending: first.descending,
  });
  const type = (/** @type {string} */ text) => {
    setQuery(text);
    writeUrlState({ q: text });
  };
  const sortBy = (/** @type {BucketField} */ field) => {
    const descending = order.field === field ? !order.descending : field !== "name";
    setOrder({ field, descending });
    const sort = field === "name" ? "" : field;
    writeUrlState({ sort, dir: descending ? "desc" : "" }, { commit: true });
  };
  return { query, type, order, sortBy };
}
