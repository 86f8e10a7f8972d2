import { Island as Audit } from "../../static/islands/audit.js";
import { Island as Backends } from "../../static/islands/backends.js";
import { Island as Health } from "../../static/islands/health.js";
import { Island as Me } from "../../static/islands/me.js";
import { bucketPreview, Island as Overview, listsBuckets } from "../../static/islands/overview.js";
import { Island as Usage } from "../../static/islands/usage.js";
import { Island as Users } from "../../static/islands/users.js";
import { apiFilter } from "../../static/lib/admin/audit_filter.js";
import { sessionsJson } from "../account/me_routes.ts";
import { auditFilter, auditFilterQuery } from "../audit/query.ts";
import { abilities } from "../auth/principal.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { usersJson } from "../users/user_json.ts";
import type { BackendSummary, BackendViews, PageDeps } from "./deps.ts";
import { firstData, patientAddress } from "./first_data.ts";
import { loginRoute } from "./login_page.ts";
import type { Shell } from "./shell.ts";

/** Rows of the audit table and users in a page's first data. */
const firstRows = 100;

/** The dashboard's pages. Each answers with its first data in it, from the services behind the API. */
export function pageRoutes(shell: Shell, deps: PageDeps): Route[] {
  return [
    loginRoute(shell, deps),
    overviewRoute(shell, deps),
    accountRoute(shell, deps),
    ...adminRoutes(shell, deps),
  ];
}

function overviewRoute(shell: Shell, { backends }: PageDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/",
    guard: "session",
    summary: "Overview page",
    audit: "none",
    page: true,
    async handler({ request, url, principal }) {
      const health = abilities(principal.user.role).read_health ? backends.health() : [];
      const list = backends.list();
      const buckets = await firstBuckets(backends, list, url);
      const props = { backends: list, health, buckets, again: patientAddress(url) };
      return shell.respond({ request, principal }, {
        title: "Overview",
        island: { name: "overview", component: Overview, props },
      });
    },
  });
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
    handler({ request, principal }) {
      const props = {
        sessions: principal.user.mustChangePassword ? [] : sessionsJson(principal, sessions),
        minPasswordLength: signIn.minPasswordLength,
      };
      return shell.respond({ request, principal }, {
        title: "Your account",
        island: { name: "me", component: Me, props },
      });
    },
  });
}

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
        shell.respond({ request, principal }, {
          title: "Health",
          island: { name: "health", component: Health, props: { backends: backends.health() } },
        }),
    }),
    defineRoute({
      ...page,
      path: "/admin/usage",
      summary: "Activity page",
      handler({ request, url, principal }) {
        const dashboard = describeActivity(url.searchParams.get("window") === "day" ? "day" : "hour");
        return shell.respond({ request, principal }, {
          title: "Activity",
          island: { name: "usage", component: Usage, props: { dashboard } },
        });
      },
    }),
    defineRoute({
      ...page,
      path: "/admin/backends",
      summary: "Backends page",
      handler: ({ request, principal }) =>
        shell.respond({ request, principal }, {
          title: "Backends",
          island: {
            name: "backends",
            component: Backends,
            props: { backends: backends.definitions(), health: backends.health() },
          },
        }),
    }),
    defineRoute({
      ...page,
      path: "/admin/users",
      summary: "Users page",
      handler({ request, principal }) {
        const found = users.list({}, firstRows, 0);
        const props = {
          users: usersJson(found.users, users),
          total: found.total,
          minPasswordLength: signIn.minPasswordLength,
        };
        return shell.respond({ request, principal }, {
          title: "Users",
          island: { name: "users", component: Users, props },
        });
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
        return shell.respond({ request, principal }, {
          title: "Audit log",
          island: { name: "audit", component: Audit, props },
          status: query.success ? 200 : 400,
        });
      },
    }),
  ];
}
