import type { AuditWriter } from "./audit/writer.ts";
import type { UserDirectory } from "./auth/user_directory.ts";
import type { CapabilityStore } from "./backends/capabilities.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import { insightsViews, type ReadSetting, settingReader } from "./bucket_views.ts";
import type { ProxyCorsStore } from "./buckets/proxy_cors.ts";
import { proxyCorsRoutes } from "./buckets/proxy_cors_routes.ts";
import { bucketRoutes } from "./buckets/routes.ts";
import type { BucketService } from "./buckets/service.ts";
import { SettingsDocuments } from "./buckets/settings/documents.ts";
import { bucketSettingsRoutes } from "./buckets/settings/routes.ts";
import { makeCopyObject } from "./copies/copy_object.ts";
import { copyRoutes } from "./copies/routes.ts";
import { copyRunner } from "./copies/runner.ts";
import type { Route } from "./http/route.ts";
import { jobJson } from "./jobs/json.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { JobService } from "./jobs/service.ts";
import type { Logger } from "./logging/logger.ts";
import { UploadRecords } from "./multipart/records.ts";
import { multipartRoutes } from "./multipart/routes.ts";
import { metadataRoutes } from "./objects/metadata_routes.ts";
import { presignRoutes } from "./objects/presign_routes.ts";
import { objectRoutes } from "./objects/routes.ts";
import type { UploadJournal } from "./objects/upload_journal.ts";
import { tagRoutes } from "./objects/tag_routes.ts";
import { versionRoutes } from "./objects/version_routes.ts";
import type { InsightsViews, PlacesViews } from "./pages/deps.ts";
import { PinService } from "./pins/pins.ts";
import { RecentBuckets } from "./pins/recent_buckets.ts";
import { pinJson, pinRoutes, recentBucketJson } from "./pins/routes.ts";
import { prefixRoutes } from "./prefixes/routes.ts";
import { prefixRunners } from "./prefixes/runners.ts";
import type { Quotas } from "./quotas/quotas.ts";
import { quotaRoutes } from "./quotas/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import type { Database } from "./store/database.ts";
import { countOpenJobs } from "./store/jobs_repository.ts";
import { zipRoutes } from "./zip/routes.ts";

/** What {@link buildStorage} works with. */
export interface StorageDeps {
  readonly database: Database;
  readonly registry: BackendRegistry;
  readonly capabilities: CapabilityStore;
  readonly buckets: BucketService;
  readonly cors: ProxyCorsStore;
  readonly quotas: Quotas;
  readonly journal: UploadJournal;
  readonly users: UserDirectory;
  readonly audit: AuditWriter;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A new id, unguessable. */
  readonly newId: () => string;
}

/** What the dashboard does to buckets and objects. */
export interface Storage {
  readonly routes: readonly Route[];
  readonly jobs: JobService;
  /** Notes that a user has looked into a bucket. */
  readonly noteVisit: (userId: string, backend: string, bucket: string) => void;
  readonly places: PlacesViews;
  readonly readSetting: ReadSetting;
  readonly insights: InsightsViews;
}

/** Builds what the dashboard does to buckets and objects, at once and in jobs. */
export function buildStorage(deps: StorageDeps): Storage {
  const {
    database,
    registry,
    capabilities,
    buckets,
    cors,
    quotas,
    users,
    audit,
    logger,
    journal,
    clock,
    newId,
  } = deps;
  const { ledger } = quotas;
  const copy = makeCopyObject({ ledger, logger, journal });
  const single = copyRunner({ registry, copy });
  const prefixDeps = { registry, copy, ledger, logger, clock };
  const runners = { copy: single, transfer: single, ...prefixRunners(prefixDeps) };
  const jobs = new JobService({ database, users, audit, logger, clock, newId, runners });
  const pins = new PinService({ database, registry, buckets, clock });
  // Jobs under way look at their user again and again, and break off by themselves when there is none.
  users.addBelongings("jobs", { count: (userId) => countOpenJobs(database, userId) });
  users.addBelongings("pins", { count: (userId) => pins.list(userId).length });
  const recent = new RecentBuckets({ database, registry, buckets, logger, clock });
  const places: PlacesViews = {
    pins: (userId) => pins.list(userId).map(pinJson),
    recentBuckets: (userId) => recent.list(userId).map(recentBucketJson),
    recentJobs: (userId, limit) => jobs.list({ userId, limit }).map(jobJson),
  };
  const noteVisit: Storage["noteVisit"] = (...visit) => recent.note(...visit);
  const documents = new SettingsDocuments(capabilities);
  const records = new UploadRecords(database, clock);
  buckets.onDelete((backend, bucket) => records.forget(backend, bucket));
  const routes = [
    ...bucketRoutes({ registry, buckets }),
    ...bucketSettingsRoutes({ registry, documents, capabilities, buckets, clock }),
    ...proxyCorsRoutes({ registry, cors }),
    ...quotaRoutes({ registry, quotas: quotas.service }),
    ...objectRoutes({ registry, ledger, logger, journal, noteVisit }),
    ...versionRoutes({ registry, copy }),
    ...tagRoutes({ registry, capabilities }),
    ...metadataRoutes({ registry, copy }),
    ...presignRoutes({ registry, ledger, clock }),
    ...multipartRoutes({ registry, capabilities, ledger, records }),
    ...copyRoutes({ registry, jobs, copy }),
    ...prefixRoutes({ ...prefixDeps, jobs }),
    ...zipRoutes({ registry, clock }),
    ...searchRoutes({ registry, buckets, pins, recent }),
    ...pinRoutes({ pins, recent }),
    ...jobRoutes({ jobs, users }),
  ];
  return {
    routes,
    jobs,
    noteVisit,
    places,
    readSetting: settingReader({ registry, buckets, documents, cors, quotas: quotas.service }),
    insights: insightsViews({ registry, quotas: quotas.service, records, ledger }),
  };
}
