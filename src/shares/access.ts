import { z } from "zod";
import type { AuditService } from "../audit/service.ts";
import type { AuditEventJson } from "../audit/event_json.ts";
import { decodeCursor, encodeCursor } from "../audit/query.ts";
import { roleIncludes, type User } from "../auth/principal.ts";
import type { Share } from "./share.ts";

/** One request of a recipient, as the API shows it. */
const accessSchema = z.strictObject({
  id: z.int(),
  at: z.iso.datetime(),
  result: z.string().meta({
    description:
      "`ok`, `password_required`, `bad_password`, `expired`, `revoked`, `exhausted`, `not_found`, " +
      "`rate_limited` or `error`",
  }),
  counted: z.boolean().meta({
    description: "Whether it counted as a download, or stored files that were sent",
  }),
  path: z.string().optional().meta({
    description: "The file that was stored, below the folder of the share",
  }),
  files: z.int().optional().meta({ description: "How many files were stored" }),
  size: z.int().optional().meta({ description: "How many bytes were stored" }),
  user_agent: z.string(),
  ip: z.string().optional().meta({ description: "For administrators, who see it in the audit log too" }),
});

/** One page of a share's access log, newest first. */
export const shareAccessSchema = z.strictObject({
  accesses: z.array(accessSchema),
  next_cursor: z.string().nullable().meta({
    description: "Where to go on; null at the end. A page may be shorter than `limit`, or empty, before it",
  }),
});

/** What is recorded of recipients, and of those who send files. */
const recipientActions: ReadonlySet<string> = new Set(["share.access", "share.upload"]);

/** Audit rows that are looked at for one page: others of the same object may lie between those of the share. */
const rowsPerRead = 500;

/**
 * The requests of a share's recipients, newest first, from its audit rows. Where a recipient was is told to administrators
 * alone: a link's maker has no need of it.
 */
export function listAccesses(
  audit: AuditService,
  share: Share,
  viewer: User,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string },
): z.output<typeof shareAccessSchema> {
  const place = { backend: share.backendId, bucket: share.bucket };
  // What was sent is recorded with the keys that it was stored under.
  const filter = share.kind === "upload"
    ? { action: "share.*", ...place }
    : { action: "share.access", ...place, key: share.key };
  const position = cursor === undefined ? undefined : decodeCursor(cursor);
  const page = audit.list(filter, rowsPerRead, position);
  const found = page.events.filter(({ action, detail }) =>
    detail.share_id === share.id && recipientActions.has(action)
  );
  const events = found.slice(0, limit);
  const last = events.at(-1);
  const isFull = found.length > limit && last !== undefined;
  return {
    accesses: events.map((event) => accessJson(event, roleIncludes(viewer.role, "admin"))),
    next_cursor: isFull ? encodeCursor({ at: Date.parse(last.timestamp), id: last.id }) : page.next_cursor,
  };
}

function accessJson(event: AuditEventJson, tellsAddress: boolean): z.output<typeof accessSchema> {
  const { id, timestamp, action, detail, user_agent, ip } = event;
  const access = {
    id,
    at: timestamp,
    result: String(detail.result ?? "error"),
    counted: detail.counted === true,
    user_agent,
    ip: tellsAddress ? ip : undefined,
  };
  if (action !== "share.upload" || detail.counted !== true) return access;
  const named = Array.isArray(detail.paths) ? detail.paths.length : 1;
  const files = typeof detail.files === "number" ? detail.files : named;
  return { ...access, path: String(detail.path), files, size: Number(detail.size) };
}
