import type { Problem } from "../../problem.ts";

/** What the recipient's page is to say after a form that failed, as its query. */
export function failureQuery({ code, headers, detail }: Problem): URLSearchParams {
  const query = new URLSearchParams({ error: code });
  const retryAfter = headers?.["retry-after"];
  if (retryAfter !== undefined) query.set("retry_after", retryAfter);
  if (detail?.tries_left !== undefined) query.set("left", String(detail.tries_left));
  return query;
}

/** Sends a browser on, after a form, with cookies to keep. */
export function redirect(location: string, cookies = new Headers()): Response {
  const headers = new Headers(cookies);
  headers.set("location", location);
  return new Response(null, { status: 303, headers });
}
