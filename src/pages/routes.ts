import { Island as Audit } from "../../static/islands/audit.js";
import { Island as Backends } from "../../static/islands/backends.js";
import { Island as Health } from "../../static/islands/health.js";
import { Island as Me } from "../../static/islands/me.js";
import { Island as Overview, prepare as prepareOverview } from "../../static/islands/overview.js";
import { Island as Usage } from "../../static/islands/usage.js";
import { Island as Users } from "../../static/islands/users.js";
import { apiFilter } from "../../static/lib/admin/audit_filter.js";
import { featuresOf } from "../../static/lib/admin/health_features.js";
import { t } from "../../static/lib/i18n.js";
import { bucketPreview, listsBuckets } from "../../static/lib/places/backend_buckets.js";
import { type Endpoint, vendorOf } from "../../static/lib/places/vendor.js";
import { sessionsJson } from "../account/me_routes.ts";
import { auditFilter, auditFilterQuery } from "../audit/query.ts";
import { abilities } from "../auth/principal.ts";
import { localPath } from "../http/local_path.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { userFilterQuery } from "../users/routes.ts";
import { usersJson } from "../users/user_json.ts";
import type { BackendSummary, BackendViews, PageDeps } from "./deps.ts";
import { firstData, patientAddress } from "./first_data.ts";
import { loginRoute } from "./login_page.ts";
import { readPreferences } from "./preferences.ts";
import { searchPageRoute } from "./search_page.ts";
import type { Shell } from "./shell.ts";

/** Rows of the audit table and users in a page's first data. */
const firstRows = 100;

/** Jobs that the overview shows. */
const recentJobs = 5;

/** The dashboard's pages. Each answers with its first data in it, from the services behind the API. */
export function pageRoutes(shell: Shell, deps: PageDeps): Route[] {
  return [
    loginRoute(shell, deps),
    overviewRoute(shell, deps),
    accountRoute(shell, deps),
    settingsRoute(),
    searchPageRoute(shell, deps),
    ...adminRoutes(shell, deps),
  ];
}

function overviewRoute(shell: Shell, { backends, places }: PageDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/",
    guard: "session",
    summary: "Overview page",
    audit: "none",
    page: true,
    async handler({ request, url, principal }) {
      const { id, role } = principal.user;
      const can = abilities(role);
      const list = backends.list();
      const pins = places.pins(id);
      const props = {
        backends: list,
        health: can.read_health ? backends.health() : [],
        endpoints: can.manage_backends ? endpointsOf(backends) : {},
        pins,
        recent: places.recentBuckets(id),
        jobs: places.recentJobs(id, recentJobs),
        buckets: await firstBuckets(backends, list, url),
        again: patientAddress(url),
      };
      await prepareOverview(props);
      return shell.respond({ request, principal }, () => ({
        title: t("overview.title"),
        island: { name: "overview", component: Overview, props },
        pins,
      }));
    },
  });
}

/** Where the backends are and whose service that is, by their id. */
function endpointsOf(views: BackendViews): Record<string, Endpoint> {
  return Object.fromEntries(
    views.definitions().filter(({ endpoint }) => URL.canParse(endpoint)).map(({ id, endpoint }) => {
      const { host } = new URL(endpoint);
      return [id, { host, vendor: vendorOf(host) }];
    }),
  );
}

/** The buckets of a few backends that answer in time; the page's script asks for the others. */
async function firstBuckets(views: BackendViews, backends: readonly BackendSummary[], url: URL) {
  if (!listsBuckets(backends.length)) return {};
  const lists = await Promise.all(
    backends.filter(({ healthy }) => healthy).map(async ({ id }) => {
      const { data } = await firstData(url, (signal) => views.buckets(id, signal));
      return data === null ? [] : [[id, bucketPreview(data)]];
    }),
  );
  return Object.fromEntries(lists.flat());
}

function accountRoute(shell: Shell, { sessions, signIn }: PageDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/me",
    guard: "session",
    summary: "Account page",
    audit: "none",
    page: true,
    duringPasswordChange: true,
    handler({ request, url, principal }) {
      const props = {
        next: localPath(url.searchParams.get("next")),
        sessions: principal.user.mustChangePassword ? [] : sessionsJson(principal, sessions),
        minPasswordLength: signIn.minPasswordLength,
        language: readPreferences(request.headers).language ?? "",
      };
      return shell.respond({ request, principal }, () => ({
        title: t("account.title"),
        island: { name: "me", component: Me, props },
      }));
    },
  });
}

/** The settings of the user are those of their account. */
function settingsRoute(): Route {
  return defineRoute({
    method: "GET",
    path: "/settings",
    guard: "session",
    summary: "One's own settings: the account page",
    audit: "none",
    page: true,
    duringPasswordChange: true,
    handler: () => new Response(null, { status: 303, headers: { location: "/me" } }),
  });
}

/** The style sheets of pages with charts and tables of administrators. */
const adminStyles = ["pages.css", "admin.css"];

function adminRoutes(
  shell: Shell,
  { backends, users, audit, signIn, describeActivity }: PageDeps,
): Route[] {
  const page = { method: "GET", guard: "admin", audit: "none", page: true } as const;
  return [
    defineRoute({
      ...page,
      path: "/admin/health",
      summary: "Backend health page",
      handler: ({ request, principal }) =>
        shell.respond({ request, principal }, () => ({
          title: t("admin.health_title"),
          styles: adminStyles,
          island: {
            name: "health",
            component: Health,
            props: { backends: backends.health(), features: featuresOf(backends.list()) },
          },
        })),
    }),
    defineRoute({
      ...page,
      path: "/admin/usage",
      summary: "Activity page",
      handler({ request, url, principal }) {
        const dashboard = describeActivity(url.searchParams.get("window") === "day" ? "day" : "hour");
        return shell.respond({ request, principal }, () => ({
          title: t("traffic.title"),
          styles: adminStyles,
          island: { name: "usage", component: Usage, props: { dashboard } },
        }));
      },
    }),
    defineRoute({
      ...page,
      path: "/admin/backends",
      summary: "Backends page",
      handler: ({ request, principal }) =>
        shell.respond({ request, principal }, () => ({
          title: t("backends.title"),
          styles: adminStyles,
          island: {
            name: "backends",
            component: Backends,
            props: { backends: backends.definitions(), health: backends.health() },
          },
        })),
    }),
    defineRoute({
      ...page,
      path: "/admin/users",
      summary: "Users page",
      handler({ request, url, principal }) {
        const asked = Object.fromEntries(url.searchParams);
        // An address with a filter that makes no sense shows everyone.
        const filter = userFilterQuery.safeParse(asked);
        const found = users.list(filter.data ?? {}, firstRows, 0);
        const props = {
          filter: filter.success ? asked : {},
          users: usersJson(found.users, users),
          total: found.total,
          enabledAdmins: users.enabledAdmins(),
          minPasswordLength: signIn.minPasswordLength,
        };
        return shell.respond({ request, principal }, () => ({
          title: t("users.title"),
          island: { name: "users", component: Users, props },
        }));
      },
    }),
    defineRoute({
      ...page,
      path: "/admin/audit",
      summary: "Audit log page",
      handler({ request, url, principal }) {
        const filter = Object.fromEntries(url.searchParams);
        const query = auditFilterQuery.safeParse(filter);
        // A filter that is wrong is said beside the form that it was typed into; an error page would lose it.
        const page = query.success
          ? audit.list(
            auditFilter(auditFilterQuery.parse(apiFilter(filter)), (nameOrId) => audit.userIdOf(nameOrId)),
            firstRows,
          )
          : { events: [], next_cursor: null, total: 0 };
        const props = {
          filter,
          wrong: query.error?.issues.map(({ path }) => String(path[0])) ?? [],
          page,
          backends: backends.list().map(({ id, name }) => ({ id, name })),
        };
        return shell.respond({ request, principal }, () => ({
          title: t("audit.title"),
          styles: adminStyles,
          island: { name: "audit", component: Audit, props },
          status: query.success ? 200 : 400,
        }));
      },
    }),
  ];
}
