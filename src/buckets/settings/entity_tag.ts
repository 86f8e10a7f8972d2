import { sha256Hex } from "../../sigv4/canonical.ts";
import { Problem } from "../../problem.ts";

/** The header {@link requireMatch} takes, for the OpenAPI document. */
export const ifMatchHeader = {
  "If-Match": "ETag of what was last read: refused with 412 when it has changed since",
};

/** The entity tag of a text: another one as soon as a single byte of it is another. */
export function entityTag(text: string): string {
  return `"${sha256Hex(text).slice(0, 32)}"`;
}

/** Whether the `If-Match` of a request names `tag`: its client has seen what has this tag. */
export function namesTag(ifMatch: string | null, tag: string): boolean {
  return tagsOf(ifMatch).includes(tag);
}

/**
 * Throws 412 `precondition_failed` when the `If-Match` of a request names neither `tag` nor `*`
 * (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1). No header always matches.
 */
export function requireMatch(ifMatch: string | null, tag: string): void {
  if (ifMatch === null || namesTag(ifMatch, tag) || tagsOf(ifMatch).includes("*")) return;
  throw new Problem(412, "precondition_failed", "Somebody else has changed this meanwhile. Load it again.");
}

function tagsOf(ifMatch: string | null): string[] {
  return ifMatch?.split(",").map((text) => text.trim()) ?? [];
}
