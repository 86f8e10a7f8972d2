import { z } from "zod";
import { integerField } from "../http/query_fields.ts";
import { badRequest } from "../problem.ts";
import type { AuditFilter, AuditPosition } from "../store/audit_filter.ts";

/** An RFC 3339 time, or a date, which means its first moment in UTC; milliseconds since the epoch. Empty means any. */
const timeField = z.union([z.iso.datetime({ offset: true }), z.iso.date(), z.literal("")], {
  error: "must be an RFC 3339 time such as 2026-01-31T12:00:00Z, or a date",
}).transform((text) => text === "" ? undefined : Date.parse(text)).optional();

/** An empty field of a form's query string means any. */
const text = z.string().transform((value) => value || undefined).optional();

/** The filters of the audit list, as query parameters. */
export const auditFilterQuery = z.object({
  user: text,
  action: text,
  backend: text,
  bucket: text,
  key: text,
  key_contains: text,
  /** Of a copy or a move. */
  dst_key: text,
  status: text,
  result: text,
  from: timeField,
  to: timeField,
});

/** The list's query parameters: filters, page size and the place to go on from. */
export const auditListQuery = auditFilterQuery.extend({
  limit: integerField(1, 500).default(100),
  cursor: z.string().optional(),
});

/** The histogram's query parameters: filters, and how many steps of time there may be. */
export const auditHistogramQuery = auditFilterQuery.extend({
  steps: integerField(2, 200).default(72),
});

/** Turns query parameters into a filter; `userIdOf` finds the id that goes with a user's name or id. */
export function auditFilter(
  { user, key_contains: keyContains, dst_key: destinationKey, ...filter }: z.output<typeof auditFilterQuery>,
  userIdOf: (nameOrId: string) => string,
): AuditFilter {
  return { ...filter, keyContains, destinationKey, userId: user === undefined ? undefined : userIdOf(user) };
}

/** A cursor for the page after `position`. */
export function encodeCursor({ at, id }: AuditPosition): string {
  return `${at.toString(36)}-${id.toString(36)}`;
}

/** Reads what {@link encodeCursor} wrote; throws 400 `bad_request`. */
export function decodeCursor(cursor: string): AuditPosition {
  const match = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})$/.exec(cursor);
  if (match === null) throw badRequest("cursor: is not one that this list gave out", { field: "cursor" });
  return { at: parseInt(match[1], 36), id: parseInt(match[2], 36) };
}
