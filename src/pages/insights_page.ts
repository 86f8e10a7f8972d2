import { Island as Insights, prepare } from "../../static/islands/insights.js";
import { t } from "../../static/lib/i18n.js";
import { emptyComposition, toEntries, withObjects } from "../../static/lib/insights/scan.js";
import { uploadsPerPage } from "../../static/lib/insights/upload_list.js";
import { usageDays } from "../../static/lib/insights/usage_days.js";
import { defineRoute, type Route } from "../http/route.ts";
import { bucketCrumbs } from "./bucket_crumbs.ts";
import type { InsightsViews } from "./deps.ts";
import { firstData, patientAddress } from "./first_data.ts";
import type { BucketPageDeps } from "./settings_page.ts";
import type { Shell } from "./shell.ts";

/** What the page of what a bucket holds needs of the services. */
export interface InsightsPageDeps extends BucketPageDeps {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly views: InsightsViews;
}

/** The page that shows what a bucket holds and how that came about. */
export function insightsPageRoute(shell: Shell, { clock, describeBackend, views }: InsightsPageDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/b/{bid}/{bucket}/insights",
    guard: "session",
    summary: "Page of what a bucket holds",
    audit: "none",
    page: true,
    async handler({ request, url, params: { bid, bucket }, principal }) {
      const backend = describeBackend(bid);
      const wanted = Number(url.searchParams.get("days"));
      const days = usageDays.find((span) => span === wanted) ?? usageDays[0];
      const [usage, scan, uploads] = await Promise.all([
        firstData(url, () => views.usage(backend.id, bucket, days)),
        firstData(url, async (signal) => {
          const { objects, next } = await views.firstObjects(backend.id, bucket, signal);
          return { composition: toEntries(withObjects(emptyComposition, objects, clock())), next };
        }),
        firstData(url, (signal) => views.uploads(backend.id, bucket, uploadsPerPage, signal)),
      ]);
      const props = { backend, bucket, days, usage, scan, uploads, again: patientAddress(url) };
      await prepare(props);
      return shell.respond({ request, principal }, () => ({
        title: [t("insights.title"), bucket, backend.name].join(" · "),
        crumbs: bucketCrumbs(backend, bucket, t("insights.title")),
        styles: ["pages.css", "settings.css"],
        island: { name: "insights", component: Insights, props },
        status: scan.error?.status,
      }));
    },
  });
}
