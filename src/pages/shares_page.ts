import type { z } from "zod";
import { Island as Shares } from "../../static/islands/shares.js";
import { t } from "../../static/lib/i18n.js";
import { apiQuery, filterOf } from "../../static/lib/shares/filter.js";
import type { User } from "../auth/principal.ts";
import type { UserDirectory } from "../auth/user_directory.ts";
import type { ClientAddress } from "../http/client_address.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { type ShareList, shareListQuery } from "../shares/routes.ts";
import type { BackendViews } from "./deps.ts";
import type { Shell } from "./shell.ts";

/** What the page of shares is made from. */
export interface SharesPageDeps {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly backends: Pick<BackendViews, "list">;
  readonly users: Pick<UserDirectory, "find">;
  /** As `GET /api/shares` answers. Throws as it does. */
  readonly listShares: (
    query: z.output<typeof shareListQuery>,
    viewer: User,
    client: ClientAddress,
  ) => ShareList;
}

/** The page on which users look after what they share, and administrators after what everyone does. */
export function sharesPageRoute(shell: Shell, { clock, backends, users, listShares }: SharesPageDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/shares",
    guard: "session",
    summary: "Page of the shares",
    audit: "none",
    page: true,
    handler({ request, url, principal, client }) {
      const filter = filterOf(url.search);
      const page = listShares(shareListQuery.parse(apiQuery(filter, clock())), principal.user, client);
      const props = {
        filter,
        page,
        creator: filter.by === "" ? null : users.find(filter.by)?.username ?? null,
        backends: backends.list().map(({ id, name }) => ({ id, name })),
      };
      return shell.respond({ request, principal }, () => ({
        title: t("shares.title"),
        island: { name: "shares", component: Shares, props },
      }));
    },
  });
}
