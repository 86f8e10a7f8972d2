import type { BucketSummary } from "../../static/lib/browse/bucket_list.js";
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
  readonly signIn: SignInSettings;
}

/** What the sign-in page offers. */
export interface SignInSettings {
  readonly modes: readonly string[];
  readonly allowSelfRegistration: boolean;
  readonly minPasswordLength: number;
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
  /** Absent before the first probe. */
  readonly last_probe_at?: string;
  readonly last_error?: string;
}

/** One entry of `GET /api/admin/backends/health`; `history` is oldest first. */
export interface BackendHealth {
  readonly id: string;
  readonly name: string;
  readonly healthy: boolean;
  /** Absent before the first probe. */
  readonly last_probe_at?: string;
  readonly last_error?: string;
  readonly latency_ms?: number;
  readonly history: readonly BackendProbe[];
}

/** One probe of a backend. */
export interface BackendProbe {
  readonly at: string;
  readonly healthy: boolean;
  readonly latency_ms: number;
  readonly error?: string;
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
