import type { BucketSummary } from "../../static/lib/browse/bucket_list.js";
import type { Pin, PlacedBucket } from "../../static/lib/places/pins.js";
import type { FlatPage } from "../../static/lib/insights/listing_page.js";
import type { UploadPage } from "../../static/lib/insights/upload_list.js";
import type { UsageView } from "../../static/lib/insights/usage_charts.js";
import type { Job } from "../../static/lib/jobs/job.js";
import type { WindowName } from "../activity/dashboard.ts";
import type { Dashboard } from "../activity/schema.ts";
import type { AuditService } from "../audit/service.ts";
import type { SessionService } from "../auth/sessions.ts";
import type { UserService } from "../users/service.ts";

/** What the pages work with: the services behind the API, so that a page's first data is what its script would fetch. */
export interface PageDeps {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly sessions: SessionService;
  readonly users: UserService;
  readonly audit: AuditService;
  /** As `GET /api/admin/dashboard` answers. */
  readonly describeActivity: (window: WindowName) => Dashboard;
  readonly backends: BackendViews;
  readonly places: PlacesViews;
  readonly signIn: SignInSettings;
  /** Whether the S3 endpoint is on, and with it the pages of its credentials. */
  readonly s3Endpoint: boolean;
}

/** A section of a bucket's settings as `GET …/{section}` answers it, and its entity tag; empty for one without. */
export interface SectionView {
  readonly answer: object;
  readonly etag: string;
}

/** What a bucket holds, as the API shows it. Throws as it does. */
export interface InsightsViews {
  /** As `GET …/usage` and `GET …/quota`; no samples of a bucket that nobody counts. */
  usage(backend: string, bucket: string, days: number): Promise<UsageView>;
  /** The first 1,000 objects, whatever their folders. */
  firstObjects(backend: string, bucket: string, signal: AbortSignal): Promise<FlatPage>;
  /** As `GET …/multipart?max_uploads={limit}`. */
  uploads(backend: string, bucket: string, limit: number, signal: AbortSignal): Promise<UploadPage>;
}

/** What the sign-in page offers. */
export interface SignInSettings {
  readonly modes: readonly string[];
  readonly allowSelfRegistration: boolean;
  readonly minPasswordLength: number;
}

/** Where a user was and what they have begun, as the API shows it. */
export interface PlacesViews {
  /** As `GET /api/me/pins`. */
  pins(userId: string): readonly Pin[];
  /** As `GET /api/me/recent-buckets`. */
  recentBuckets(userId: string): readonly PlacedBucket[];
  /** As `GET /api/jobs`. */
  recentJobs(userId: string, limit: number): readonly Job[];
}

/** The backends as the API's lists show them. */
export interface BackendViews {
  /** As `GET /api/backends`. */
  list(): readonly BackendSummary[];
  /** As `GET /api/admin/backends/health`. */
  health(): readonly BackendHealth[];
  /** As `GET /api/admin/backends`. */
  definitions(): readonly BackendDefinition[];
  /** As `GET …/buckets` answers in its array. Throws as it does. */
  buckets(id: string, signal: AbortSignal): Promise<readonly BucketSummary[]>;
}

/** One entry of `GET /api/backends`. */
export interface BackendSummary {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly region: string;
  readonly healthy: boolean;
  readonly capabilities: Readonly<Record<string, boolean | "unknown">>;
  /** Absent before the first probe. */
  readonly last_probe_at?: string;
}

/** One entry of `GET /api/admin/backends/health`; `history` is oldest first. */
export interface BackendHealth {
  readonly id: string;
  readonly name: string;
  readonly healthy: boolean;
  /** Absent before the first probe. */
  readonly last_probe_at?: string;
  readonly last_error?: string;
  readonly last_error_reason?: string;
  readonly latency_ms?: number;
  readonly history: readonly BackendProbe[];
}

/** One probe of a backend. */
export interface BackendProbe {
  readonly at: string;
  readonly healthy: boolean;
  readonly latency_ms: number;
  readonly error?: string;
  readonly reason?: string;
}

/** One entry of `GET /api/admin/backends`. */
export interface BackendDefinition {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly endpoint: string;
  readonly region: string;
  readonly path_style: boolean;
  readonly access_key: string;
  readonly secret_set: boolean;
  readonly enabled: boolean;
  readonly source: "config" | "ui";
}
