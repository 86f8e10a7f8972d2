// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
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
  return { query, setQuery, order, sortBy };
}
