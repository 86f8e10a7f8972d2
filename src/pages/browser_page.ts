import { Island as BrowserIsland, prepare } from "../../static/islands/browser.js";
import { Island as TableIsland } from "../../static/islands/object_table.js";
import { type Place, placeOf, searchOf, titleOf } from "../../static/lib/browse/address.js";
import type { ListingPage } from "../../static/lib/browse/entries.js";
import type { BrowserProps } from "../../static/lib/browse/folder.js";
import { firstRows } from "../../static/lib/browse/object_grid.js";
import { bucketPage } from "../../static/lib/browse/object_urls.js";
import { type FirstVersions, showsVersions } from "../../static/lib/browse/table/plain_versions.js";
import {
  asksForTable,
  type TablePage,
  tablePageOf,
  tablePlaceOf,
} from "../../static/lib/browse/table/table_place.js";
import { t } from "../../static/lib/i18n.js";
import { patience } from "../../static/lib/patience.js";
import { defineRoute, type Route } from "../http/route.ts";
import { type FirstData, firstData, patientAddress } from "./first_data.ts";
import { readPreferences } from "./preferences.ts";
import { redirectToSettings } from "./settings_page.ts";
import type { PageIsland, Shell } from "./shell.ts";

/** What the object browser's page needs of the services. */
export interface BrowserPageDeps {
  /** An enabled backend. Throws 404 `not_found`. */
  describeBackend(id: string): { readonly id: string; readonly name: string };
  /** One page of entries, delimited by `/`, as `GET …/objects` answers. Throws as it does. */
  listObjects(
    backend: string,
    bucket: string,
    query: { readonly prefix: string; readonly token?: string; readonly maxKeys: number },
    signal: AbortSignal,
  ): Promise<ListingPage>;
  /** The first versions of an object, or of everything under a prefix, as `GET …/object/versions` answers. Throws as it does. */
  listVersions(
    backend: string,
    bucket: string,
    of: { readonly key: string } | { readonly prefix: string },
    signal: AbortSignal,
  ): Promise<FirstVersions>;
  /** Whether this service's S3 endpoint is on. */
  readonly s3Endpoint: boolean;
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
      const section = url.searchParams.get("settings");
      if (section !== null) return redirectToSettings(id, bucket, section);
      const isTable = asksForTable(url.search) || readPreferences(request.headers).list === "table";
      const place = isTable ? tablePlaceOf(url.search) : placeOf(url.search);
      const tablePage = tablePageOf(url.search);
      const token = url.searchParams.get("token") || undefined;
      const query = isTable
        ? { prefix: place.prefix + place.filter, token, maxKeys: tablePage.rows }
        : { prefix: place.prefix, token, maxKeys: 1000 };
      const { data: page, error } = await firstData(
        url,
        (signal) => deps.listObjects(id, bucket, query, signal),
      );
      const versions = asksForTable(url.search) ? await firstVersions(url, id, bucket, place, deps) : null;
      if (page !== null) deps.noteVisit(principal.user.id, id, bucket);
      const props = { backend: { id, name }, bucket, place, page, error, s3Endpoint: deps.s3Endpoint };
      await prepare(props);
      const describe = (): PageIsland =>
        isTable ? tableIsland(url, props, tablePage, versions) : gridIsland(url, props);
      return shell.respond({ request, principal }, () => ({
        title: titleOf(place.prefix, bucket, name),
        crumbs: [{ label: t("browse.overview"), href: "/" }, {
          label: name,
          href: `/b/${encodeURIComponent(id)}`,
        }, {
          label: bucket,
        }],
        layout: "fill",
        styles: ["browser.css", ...isTable || place.open !== "" ? ["details.css"] : []],
        island: {
          ...describe(),
          modules: place.open === "" ? [] : ["lib/details/details.js"],
        },
        status: error?.status,
      }));
    },
  });
}

type Props = Omit<BrowserProps, "continued" | "me" | "now">;

/** The versions that a place shows, for readers without script; `null` where it shows none. */
async function firstVersions(
  url: URL,
  backend: string,
  bucket: string,
  place: Place,
  { listVersions }: BrowserPageDeps,
): Promise<FirstData<FirstVersions> | null> {
  if (!showsVersions(place)) return null;
  const of = place.open === "" ? { prefix: place.prefix } : { key: place.open };
  return await firstData(url, (signal) => listVersions(backend, bucket, of, signal));
}

/** The list that scrolls through a folder of any length. */
function gridIsland(url: URL, props: Props): PageIsland {
  const token = url.searchParams.get("token") || undefined;
  const from = Math.max(0, Math.trunc(Number(url.searchParams.get("from")) || 0));
  const more = props.error === null ? waysOn(url, props, from, token) : [];
  return {
    name: "browser",
    component: BrowserIsland,
    props: { ...props, from, continued: token !== undefined, more },
  };
}

/** The plain table, a page at a time. */
function tableIsland(
  url: URL,
  props: Props,
  tablePage: TablePage,
  versions: FirstData<FirstVersions> | null,
): PageIsland {
  const isLate = [{ data: props.page, error: props.error }, versions].some((first) =>
    first !== null && first.data === null && first.error === null
  );
  const again = isLate ? patientAddress(url) : null;
  return {
    name: "object_table",
    component: TableIsland,
    props: { ...props, continued: false, tablePage, again, versions: versions?.data ?? null },
  };
}

/**
 * Where readers without script go on: to the page that waits for its rows if there are none yet, further down this page of
 * the listing, or to the next one; and to the plain table, which has pages to go back to and a filter. All of them wait.
 */
function waysOn(url: URL, { backend, bucket, place, page }: Props, from: number, token?: string) {
  if (page === null) return [{ label: t("browse.load_again"), href: patientAddress(url) }];
  const address = `${bucketPage(backend.id, bucket)}${searchOf(place) || "?p="}&${patience}=1`;
  const plain = { label: t("browse.as_plain_table"), href: `${address}&list=table` };
  const deleted = { label: t("browse.show_deleted"), href: `${address}&list=table&view=versions` };
  const label = t("browse.next_rows", { n: firstRows });
  const here = token === undefined ? address : `${address}&token=${encodeURIComponent(token)}`;
  if (from + firstRows < page.common_prefixes.length + page.objects.length) {
    return [{ label, href: `${here}&from=${from + firstRows}` }, plain, deleted];
  }
  if (!page.is_truncated || page.next_continuation_token === undefined) return [plain, deleted];
  return [
    { label, href: `${address}&token=${encodeURIComponent(page.next_continuation_token)}` },
    plain,
    deleted,
  ];
}
