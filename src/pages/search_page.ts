import { z } from "zod";
import { Island as SearchIsland } from "../../static/islands/search.js";
import { t } from "../../static/lib/i18n.js";
import { isSameBucket, type PlacedBucket } from "../../static/lib/places/pins.js";
import { defineRoute, type Route } from "../http/route.ts";
import type { PageDeps } from "./deps.ts";
import type { Shell } from "./shell.ts";

const query = z.object({
  q: z.string().max(200).optional().catch(undefined),
  /** See `parseScope`. */
  scope: z.string().max(1400).optional().catch(undefined),
  /** Whether every key of the scope's bucket is gone through. */
  scan: z.literal("1").optional().catch(undefined),
});

/** Buckets that are offered to be searched through. */
const maxPlaces = 12;

/** The search page. What is found, its script asks for: backends answer one after the other. */
export function searchPageRoute(shell: Shell, { backends, places }: PageDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/search",
    guard: "session",
    summary: "Search page",
    audit: "none",
    page: true,
    query,
    handler({ request, principal, query: { q = "", scope = "", scan } }) {
      const { id } = principal.user;
      const pins = places.pins(id);
      const props = {
        query: q,
        scope,
        scan: scan !== undefined,
        backends: backends.list().map(({ id, name }) => ({ id, name })),
        places: bucketsOf([...pins, ...places.recentBuckets(id)]).slice(0, maxPlaces),
        saved: pins.filter(({ search }) => search !== undefined),
      };
      return shell.respond({ request, principal }, () => ({
        title: q === "" ? t("search.title") : `${q} · ${t("search.title")}`,
        crumbs: [{ label: t("search.title") }],
        styles: ["pages.css", "search.css"],
        island: { name: "search", component: SearchIsland, props },
        pins,
      }));
    },
  });
}

/** The buckets of places, each once. */
function bucketsOf(places: readonly PlacedBucket[]): PlacedBucket[] {
  return places.filter((place, index) =>
    place.bucket !== "" && places.findIndex((other) => isSameBucket(other, place)) === index
  ).map(({ backend_id, bucket }) => ({ backend_id, bucket }));
}
