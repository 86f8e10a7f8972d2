import type { AuditService } from "./audit/service.ts";
import type { SessionService } from "./auth/sessions.ts";
import { findBucket } from "./backends/bucket_scope.ts";
import type { CapabilityStore } from "./backends/capabilities.ts";
import type { HealthMonitor } from "./backends/probe.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import { adminView, healthView, publicView } from "./backends/views.ts";
import { bucketJson } from "./buckets/routes.ts";
import type { BucketService } from "./buckets/service.ts";
import type { Config } from "./config/schema.ts";
import type { ErrorPageContext } from "./http/pipeline.ts";
import type { Route } from "./http/route.ts";
import { firstVersions } from "./objects/first_versions.ts";
import { listObjects } from "./objects/listing.ts";
import { type BrowserPageDeps, browserPageRoute } from "./pages/browser_page.ts";
import { bucketsPageRoute } from "./pages/buckets_page.ts";
import { type CredentialsPageDeps, credentialsPageRoutes } from "./pages/credentials_page.ts";
import type { PageDeps } from "./pages/deps.ts";
import { errorPage } from "./pages/error_page.ts";
import { type InsightsPageDeps, insightsPageRoute } from "./pages/insights_page.ts";
import { pageRoutes } from "./pages/routes.ts";
import { type SettingsPageDeps, settingsPageRoutes } from "./pages/settings_page.ts";
import { SharePages, type SharePagesDeps } from "./pages/share_page.ts";
import { type SharesPageDeps, sharesPageRoute } from "./pages/shares_page.ts";
import { pathOf, Shell } from "./pages/shell.ts";
import type { StaticFiles } from "./pages/static_files.ts";
import { type TransfersPageDeps, transfersPageRoute } from "./pages/transfers_page.ts";
import type { Problem } from "./problem.ts";
import type { UserService } from "./users/service.ts";

/** What {@link buildPages} works with. */
export interface PagesDeps {
  readonly config: Config;
  readonly files: StaticFiles;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly sessions: SessionService;
  readonly users: UserService;
  readonly audit: AuditService;
  readonly registry: BackendRegistry;
  readonly monitor: HealthMonitor;
  readonly capabilities: CapabilityStore;
  readonly buckets: BucketService;
  readonly allowSelfRegistration: boolean;
  readonly noteVisit: BrowserPageDeps["noteVisit"];
  readonly places: PageDeps["places"];
  readonly describeActivity: PageDeps["describeActivity"];
  readonly readSetting: SettingsPageDeps["readSetting"];
  readonly insights: InsightsPageDeps["views"];
  readonly listShares: SharesPageDeps["listShares"];
  readonly transfers: TransfersPageDeps;
  /** `null` while the S3 endpoint is switched off. */
  readonly s3Credentials: CredentialsPageDeps["views"];
  /** What the pages of those who were given a link are made from. */
  readonly sharePages: Omit<SharePagesDeps, "files" | "clock">;
}

/** The pages of the dashboard. */
export interface Pages {
  readonly routes: readonly Route[];
  /** The page that tells of a problem. */
  readonly errorPage: (problem: Problem, context: ErrorPageContext) => Response;
}

/** Builds the pages and gives them their first data. */
export function buildPages(deps: PagesDeps): Pages {
  const { config: { auth }, registry, monitor, capabilities, buckets } = deps;
  const pageDeps: PageDeps = {
    clock: deps.clock,
    sessions: deps.sessions,
    users: deps.users,
    audit: deps.audit,
    describeActivity: deps.describeActivity,
    places: deps.places,
    backends: {
      list: () =>
        registry.list().filter(({ enabled }) => enabled)
          .map((backend) => publicView(backend, monitor, capabilities)),
      health: () => registry.list().map((backend) => healthView(backend, monitor)),
      definitions: () => registry.list().map(adminView),
      buckets: async (id, signal) => (await buckets.list(registry.connect(id), signal)).map(bucketJson),
    },
    signIn: {
      modes: auth.modes,
      allowSelfRegistration: deps.allowSelfRegistration,
      minPasswordLength: auth.local.password.min_length,
    },
    s3Endpoint: deps.config.s3_proxy.enabled,
  };
  const shell = new Shell(deps.files, pageDeps);
  const sharePages = new SharePages({ ...deps.sharePages, files: deps.files, clock: deps.clock });
  const describeBackend = (id: string) => registry.connect(id).backend;
  const describeForPage = (id: string) => publicView(describeBackend(id), monitor, capabilities);
  const routes = [
    ...pageRoutes(shell, pageDeps),
    bucketsPageRoute(shell, {
      describeBackend,
      capabilities,
      places: deps.places,
      listBuckets: pageDeps.backends.buckets,
      probes: (id) => healthView(describeBackend(id), monitor).history,
    }),
    browserPageRoute(shell, {
      describeBackend,
      listObjects: (id, bucket, { prefix, token, maxKeys }, signal) => {
        const query = { prefix, token, maxKeys, delimiter: "/", etags: false };
        return listObjects(findBucket(registry, id, bucket), query, signal);
      },
      listVersions: (id, bucket, of, signal) => firstVersions(findBucket(registry, id, bucket), of, signal),
      s3Endpoint: pageDeps.s3Endpoint,
      noteVisit: deps.noteVisit,
    }),
    ...settingsPageRoutes(shell, { describeBackend: describeForPage, readSetting: deps.readSetting }),
    insightsPageRoute(shell, { clock: deps.clock, describeBackend: describeForPage, views: deps.insights }),
    sharesPageRoute(shell, {
      clock: deps.clock,
      backends: pageDeps.backends,
      users: deps.transfers.users,
      listShares: deps.listShares,
    }),
    ...credentialsPageRoutes(shell, { backends: pageDeps.backends, views: deps.s3Credentials }),
    transfersPageRoute(shell, deps.transfers),
    sharePages.route(),
  ];
  return {
    routes,
    errorPage: (problem, context) =>
      pathOf(context.request).startsWith("/s/")
        ? sharePages.problem(problem, context.request)
        : errorPage(shell, problem, context),
  };
}
