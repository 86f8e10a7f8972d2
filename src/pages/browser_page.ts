import { Island as BrowserIsland, prepare } from "../../static/islands/browser.js";
import { placeOf, searchOf, titleOf } from "../../static/lib/browse/address.js";
import type { ListingPage } from "../../static/lib/browse/entries.js";
import { firstRows } from "../../static/lib/browse/object_grid.js";
import { bucketPage } from "../../static/lib/browse/object_urls.js";
import { defineRoute, type Route } from "../http/route.ts";
import { firstData, patientAddress } from "./first_data.ts";
import type { Shell } from "./shell.ts";

/** What the object browser's page needs of the services. */
export interface BrowserPageDeps {
  /** An enabled backend. Throws 404 `not_found`. */
  describeBackend(id: string): { readonly id: string; readonly name: string };
  /** One page of up to 1,000 entries, delimited by `/`, as `GET …/objects` answers. Throws as it does. */
  listObjects(
    backend: string,
    bucket: string,
    query: { readonly prefix: string; readonly token?: string },
    signal: AbortSignal,
  ): Promise<ListingPage>;
  /** Called when a user has looked into a bucket. */
  noteVisit(userId: string, backend: string, bucket: string): void;
}

/**
 * The page of a bucket: the object browser with the first listing in it. `from` and `token` page through a folder
 * without script.
 */
export function browserPageRoute(shell: Shell, deps: BrowserPageDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/b/{bid}/{bucket}",
    guard: "session",
    summary: "Object browser page",
    audit: "none",
    page: true,
    async handler({ request, url, params, principal }) {
      const { id, name } = deps.describeBackend(params.bid);
      const { bucket } = params;
      const place = placeOf(url.search);
      const token = url.searchParams.get("token") ?? undefined;
      const from = Math.max(0, Math.trunc(Number(url.searchParams.get("from")) || 0));
      const { data: page, error } = await firstData(
        url,
        (signal) => deps.listObjects(id, bucket, { prefix: place.prefix, token }, signal),
      );
      if (page !== null) deps.noteVisit(principal.user.id, id, bucket);
      const address = bucketPage(id, bucket) + (searchOf(place) || "?p=");
      const props = {
        backend: { id, name },
        bucket,
        place,
        page,
        error,
        from,
        continued: token !== undefined,
        more: error === null ? wayOn(url, address, page, from, token) : null,
      };
      await prepare(props);
      return shell.respond({ request, principal }, {
        title: titleOf(place.prefix, bucket, name),
        crumbs: [{ label: "Overview", href: "/" }, { label: name, href: `/b/${encodeURIComponent(id)}` }, {
          label: bucket,
        }],
        layout: "fill",
        styles: [],
        island: {
          name: "browser",
          component: BrowserIsland,
          props,
          modules: place.open === "" ? [] : ["lib/browse/details.js"],
        },
        status: error?.status,
      });
    },
  });
}

/**
 * Where readers without script go on: to the page that waits for its rows if there are none yet, further down this page of
 * the listing, or to the next one.
 */
function wayOn(url: URL, address: string, page: ListingPage | null, from: number, token?: string) {
  if (page === null) return { label: "Load it again", href: patientAddress(url) };
  const label = `Next ${firstRows}`;
  const here = token === undefined ? address : `${address}&token=${encodeURIComponent(token)}`;
  if (from + firstRows < page.common_prefixes.length + page.objects.length) {
    return { label, href: `${here}&from=${from + firstRows}` };
  }
  if (!page.is_truncated || page.next_continuation_token === undefined) return null;
  return { label, href: `${address}&token=${encodeURIComponent(page.next_continuation_token)}` };
}
