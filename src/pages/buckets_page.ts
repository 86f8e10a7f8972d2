import { Island as BucketsIsland } from "../../static/islands/buckets.js";
import type { BucketSummary } from "../../static/lib/browse/bucket_list.js";
import { defineRoute, type Route } from "../http/route.ts";
import { firstData, patientAddress } from "./first_data.ts";
import type { Shell } from "./shell.ts";

/** What the buckets page needs of the services. */
export interface BucketsPageDeps {
  /** An enabled backend. Throws 404 `not_found`. */
  describeBackend(id: string): { readonly id: string; readonly name: string; readonly region: string };
  /** As `GET …/buckets` answers in its array. Throws as it does. */
  listBuckets(backend: string, signal: AbortSignal): Promise<readonly BucketSummary[]>;
}

/** The page of a backend: its buckets. */
export function bucketsPageRoute(shell: Shell, { describeBackend, listBuckets }: BucketsPageDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/b/{bid}",
    guard: "session",
    summary: "Buckets page",
    audit: "none",
    page: true,
    async handler({ request, url, params, principal }) {
      const { id, name, region } = describeBackend(params.bid);
      const { data: buckets, error } = await firstData(url, (signal) => listBuckets(id, signal));
      const props = {
        backend: { id, name, region },
        buckets,
        error,
        again: patientAddress(url),
        query: url.searchParams.get("q") ?? "",
        sort: url.searchParams.get("sort") ?? "name",
        descending: url.searchParams.get("dir") === "desc",
      };
      return shell.respond({ request, principal }, {
        title: name,
        crumbs: [{ label: "Overview", href: "/" }, { label: name }],
        island: { name: "buckets", component: BucketsIsland, props },
      });
    },
  });
}
