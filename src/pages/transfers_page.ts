import { Island as Transfers } from "../../static/islands/transfers.js";
import { t } from "../../static/lib/i18n.js";
import { filterOf } from "../../static/lib/transfers/filter.js";
import { roleIncludes } from "../auth/principal.ts";
import type { UserDirectory } from "../auth/user_directory.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { jobJson } from "../jobs/json.ts";
import type { JobService } from "../jobs/service.ts";
import { forbidden } from "../problem.ts";
import type { Shell } from "./shell.ts";

/** What the page of transfers is made from. */
export interface TransfersPageDeps {
  readonly jobs: Pick<JobService, "list">;
  readonly users: Pick<UserDirectory, "find">;
}

/** Jobs that the page shows at first, as many as a page of the API. */
const firstJobs = 50;

/** The page on which users follow what they transfer, and administrators the jobs of everyone. */
export function transfersPageRoute(shell: Shell, { jobs, users }: TransfersPageDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/transfers",
    guard: "session",
    summary: "Page of the transfers",
    audit: "none",
    page: true,
    handler({ request, url, principal }) {
      const filter = filterOf(url.search);
      const isForAll = filter.scope === "all";
      if (isForAll && !roleIncludes(principal.user.role, "admin")) throw forbidden();
      const found = jobs.list({ userId: isForAll ? undefined : principal.user.id, limit: firstJobs });
      const names = [...new Set(found.map(({ userId }) => userId))]
        .map((id) => [id, users.find(id)?.username] as const)
        .filter(([, name]) => name !== undefined);
      const props = {
        filter,
        jobs: found.map(jobJson),
        next: found.length < firstJobs ? null : found.at(-1)?.id ?? null,
        users: Object.fromEntries(names),
      };
      return shell.respond({ request, principal }, () => ({
        title: t("transfers.title"),
        styles: ["pages.css", "details.css", "lazy.css"],
        island: { name: "transfers", component: Transfers, props },
      }));
    },
  });
}
