import { Island as BucketsIsland } from "../../static/islands/buckets.js";
import type { BucketSummary } from "../../static/lib/browse/bucket_list.js";
import { t } from "../../static/lib/i18n.js";
import { isWholeBucket } from "../../static/lib/places/pins.js";
import { abilities } from "../auth/principal.ts";
import type { CapabilityStore } from "../backends/capabilities.ts";
import { defineRoute, type Route } from "../http/route.ts";
import type { BackendProbe, PlacesViews } from "./deps.ts";
import { firstData, patientAddress } from "./first_data.ts";
import type { Shell } from "./shell.ts";

/** What the buckets page needs of the services. */
export interface BucketsPageDeps {
  /** An enabled backend. Throws 404 `not_found`. */
  describeBackend(id: string): {
    readonly id: string;
    readonly name: string;
    readonly region: string;
    readonly endpoint: string;
  };
  /** What the backend can do, as far as it is known. */
  readonly capabilities: Pick<CapabilityStore, "get">;
  readonly places: Pick<PlacesViews, "pins">;
  /** A backend's last probes, oldest first. */
  probes(id: string): readonly BackendProbe[];
  /** As `GET …/buckets` answers in its array. Throws as it does. */
  listBuckets(backend: string, signal: AbortSignal): Promise<readonly BucketSummary[]>;
}

/** The page of a backend: its buckets. */
export function bucketsPageRoute(shell: Shell, deps: BucketsPageDeps): Route {
  const { describeBackend, listBuckets, capabilities, places, probes } = deps;
  return defineRoute({
    method: "GET",
    path: "/b/{bid}",
    guard: "session",
    summary: "Buckets page",
    audit: "none",
    page: true,
    async handler({ request, url, params, principal }) {
      const { id, name, region, endpoint } = describeBackend(params.bid);
      const { user } = principal;
      const can = abilities(user.role);
      const pins = places.pins(user.id);
      const { data: buckets, error } = await firstData(url, (signal) => listBuckets(id, signal));
      const props = {
        backend: {
          id,
          name,
          region,
          endpoint: can.manage_backends ? endpoint : undefined,
          capabilities: capabilities.get(id),
        },
        probes: can.read_health ? probes(id) : null,
        pinned: pins.filter((pin) => pin.backend_id === id && isWholeBucket(pin))
          .map(({ bucket }) => bucket),
        buckets,
        error,
        again: patientAddress(url),
        query: url.searchParams.get("q") ?? "",
        sort: url.searchParams.get("sort") ?? "name",
        descending: url.searchParams.get("dir") === "desc",
      };
      return shell.respond({ request, principal }, () => ({
        title: name,
        crumbs: [{ label: t("overview.title"), href: "/" }, { label: name }],
        island: { name: "buckets", component: BucketsIsland, props },
        pins,
      }));
    },
  });
}
