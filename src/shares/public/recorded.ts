import { Problem } from "../../problem.ts";
import type { ShareContext } from "./gate.ts";

/** `detail.result` of the audit by the code of an error; any other is an `error`. */
const results: ReadonlyMap<string, string> = new Map([
  ["password_mismatch", "bad_password"],
  ...["password_required", "expired", "revoked", "exhausted", "not_found", "rate_limited"]
    .map((code) => [code, code] as const),
]);

/** What keeps a link and what is behind it out of search engines and of other sites' logs. */
const discreetHeaders = { "x-robots-tag": "noindex, nofollow", "referrer-policy": "no-referrer" };

/** Runs `work`, notes for the audit what came of it, and makes its answer discreet, also when that is an error. */
export async function recorded({ audit }: ShareContext, work: () => Promise<Response>): Promise<Response> {
  try {
    const response = await work();
    audit.detail.result = "ok";
    for (const [name, value] of Object.entries(discreetHeaders)) response.headers.set(name, value);
    return response;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, code, message, detail, headers, cause } = error;
    audit.detail.result = results.get(code) ?? "error";
    throw new Problem(status, code, message, { detail, headers: { ...headers, ...discreetHeaders }, cause });
  }
}
