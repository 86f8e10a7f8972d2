import type { PageData } from "../../static/lib/page_data.js";

/** The request header by which our script asks for a page's data in place of its document. */
export const pageDataHeader = "x-page-data";

/**
 * Whether a request wants a page as data. No other origin can: it would need our consent to send the header. Where the
 * browser says who asks, it must be ourselves.
 */
export function asksForPageData({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  return headers.get(pageDataHeader) === "1" && (site === null || site === "same-origin");
}

/** A page as data. It shows one user's things: nothing keeps it, and nobody else gets to read it. */
export function pageDataResponse(
  data: PageData,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(data, {
    status,
    headers: {
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
      ...headers,
      [pageDataHeader]: "1",
      "vary": pageDataHeader,
    },
  });
}
