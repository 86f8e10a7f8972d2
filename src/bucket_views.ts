import type { SectionName } from "../static/lib/settings/section.js";
import { requireBucket } from "./backends/bucket_exists.ts";
import { findBucket } from "./backends/bucket_scope.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import type { ProxyCorsStore } from "./buckets/proxy_cors.ts";
import { bucketJson } from "./buckets/routes.ts";
import type { BucketService } from "./buckets/service.ts";
import type { SettingsDocuments } from "./buckets/settings/documents.ts";
import { describePolicy } from "./buckets/settings/policy_routes.ts";
import { corsRules, describeRules, lifecycleRules } from "./buckets/settings/rule_routes.ts";
import { describeVersioning } from "./buckets/settings/versioning_routes.ts";
import { uploadPageJson } from "./multipart/json.ts";
import type { UploadRecords } from "./multipart/records.ts";
import { listUnfinished } from "./multipart/unfinished_uploads.ts";
import { listObjects } from "./objects/listing.ts";
import type { InsightsViews, SectionView } from "./pages/deps.ts";
import { Problem } from "./problem.ts";
import type { QuotaLedger } from "./quotas/ledger.ts";
import { quotaJson } from "./quotas/routes.ts";
import type { QuotaService } from "./quotas/service.ts";

/** What {@link settingReader} needs. */
export interface SettingReaderDeps {
  readonly registry: BackendRegistry;
  readonly buckets: BucketService;
  readonly documents: SettingsDocuments;
  readonly cors: ProxyCorsStore;
  readonly quotas: QuotaService;
}

/** Reads a section of a bucket's settings as the API answers it, for a page. */
export type ReadSetting = (
  backend: string,
  bucket: string,
  section: SectionName,
  signal: AbortSignal,
) => Promise<SectionView>;

/** Makes what reads sections. It throws what the API's routes of the sections throw. */
export function settingReader(
  { registry, buckets, documents, cors, quotas }: SettingReaderDeps,
): ReadSetting {
  return async (backend, bucket, section, signal) => {
    const scope = findBucket(registry, backend, bucket);
    switch (section) {
      case "general":
        return { answer: bucketJson(await buckets.describe(scope, signal)), etag: "" };
      case "versioning":
        return { answer: await describeVersioning(documents, scope), etag: "" };
      case "cors":
        return await describeRules(corsRules, documents, scope);
      case "lifecycle":
        return await describeRules(lifecycleRules, documents, scope);
      case "policy":
        return await describePolicy(documents, scope);
      case "quota":
        return { answer: quotaJson(await quotas.describe(scope)), etag: "" };
      case "proxy-cors":
        await requireBucket(scope);
        return { answer: { rules: cors.list(scope.connection.backend.id, scope.bucket) }, etag: "" };
    }
  };
}

/** What {@link insightsViews} needs. */
export interface InsightsViewsDeps {
  readonly registry: BackendRegistry;
  readonly quotas: QuotaService;
  readonly records: UploadRecords;
  readonly ledger: QuotaLedger;
}

/** Makes what the page about the content of a bucket begins with. All of it throws what the API's routes throw. */
export function insightsViews({ registry, quotas, records, ledger }: InsightsViewsDeps): InsightsViews {
  return {
    async usage(backend, bucket, days) {
      const scope = findBucket(registry, backend, bucket);
      const { limits } = await quotas.describe(scope);
      const samples = await quotas.samples(scope, days).catch((error) => {
        if (error instanceof Problem && error.code === "size_tracking_disabled") return [];
        throw error;
      });
      return {
        samples: samples.map(({ day, bytes, objects }) => ({ day, bytes, object_count: objects })),
        limits: { soft_bytes: limits?.softBytes ?? 0, hard_bytes: limits?.hardBytes ?? 0 },
      };
    },
    async firstObjects(backend, bucket, signal) {
      const query = { prefix: "", delimiter: "", maxKeys: 1000 };
      const page = await listObjects(findBucket(registry, backend, bucket), query, signal);
      return { objects: page.objects, next: page.is_truncated ? page.next_continuation_token : undefined };
    },
    async uploads(backend, bucket, limit, signal) {
      const scope = { ...findBucket(registry, backend, bucket), records, ledger };
      return uploadPageJson(await listUnfinished(scope, { prefix: "", limit }, signal));
    },
  };
}
