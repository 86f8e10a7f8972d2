import { z } from "zod";
import type { AuditService } from "../audit/service.ts";
import type { User } from "../auth/principal.ts";
import type { UserDirectory } from "../auth/user_directory.ts";
import type { ClientAddress } from "../http/client_address.ts";
import { flagField, integerField } from "../http/query_fields.ts";
import { defineRoute, type RequestContext, type Route } from "../http/route.ts";
import { forbidden, notFound } from "../problem.ts";
import { listAccesses, shareAccessSchema } from "./access.ts";
import { shareChangeSchema, shareCreationSchema, shareRequestOf, shareUpdateOf } from "./fields.ts";
import { type ShareJson, shareJson, shareSchema } from "./json.ts";
import type { ShareFilter } from "../store/shares_repository.ts";
import type { ShareService } from "./service.ts";
import { type Share, shareKinds, shareStates } from "./share.ts";

/** What {@link shareRoutes} needs. */
export interface ShareRoutesDeps {
  readonly shares: ShareService;
  readonly users: UserDirectory;
  readonly audit: AuditService;
  /** Scheme, host and port under which the client's recipients reach the program. */
  readonly origin: (client: ClientAddress) => string;
}

/** What the list of shares is asked for. */
export const shareListQuery = z.object({
  scope: z.enum(["own", "all"], { error: "must be own, or all for administrators" }).default("own"),
  state: z.enum(shareStates, { error: `must be one of ${shareStates.join(", ")}` }).optional(),
  created_by: z.string().optional().meta({ description: "Id of a user; for administrators, or one's own" }),
  expires_before: z.iso.datetime({ offset: true, error: "must be an RFC 3339 time" }).optional(),
  has_password: flagField.optional(),
  backend_id: z.string().optional(),
  bucket: z.string().optional(),
  key: z.string().optional(),
  reaches: z.string().optional().meta({
    description: "An object's key: the shares of it, and of the folders and selections that hold it",
  }),
  kind: z.enum(shareKinds, { error: `must be one of ${shareKinds.join(", ")}` }).optional(),
  limit: integerField(1, 500).default(500),
  before: integerField(1, 999_999_999).optional(),
});

const shareLimitsSchema = z.strictObject({
  open_shares: z.int().meta({ description: "One's own that have neither expired nor been revoked" }),
  max_shares: z.int().nullable().meta({ description: "How many there may be; null for any number" }),
  max_lifetime_seconds: z.int().nullable().meta({
    description: "From when a share is made, however often it is prolonged; null for ever",
  }),
  max_upload_lifetime_seconds: z.int().meta({ description: "Of links for uploads" }),
});

const accessQuery = z.object({
  limit: integerField(1, 200).default(50),
  cursor: z.string().optional(),
});

type SignedInContext = RequestContext<unknown, unknown, "session" | "user">;

/** Routes by which users share objects and folders, and look after what they have shared. */
export function shareRoutes(deps: ShareRoutesDeps): Route[] {
  const { shares } = deps;
  const path = "/api/shares";
  return [
    defineRoute({
      method: "POST",
      path,
      guard: "user",
      summary:
        "Share an object, one of its versions, a folder or a selection, or let files be sent to a folder",
      audit: "share.create",
      body: shareCreationSchema,
      answers: { 201: shareSchema },
      errors: [404, 409, 502, 504],
      async handler(context) {
        const { body, audit, principal, request } = context;
        Object.assign(audit, {
          backend: body.backend_id,
          bucket: body.bucket,
          key: (body.key ?? "").slice(0, 1024),
        });
        const share = await shares.create(principal.user, shareRequestOf(body), request.signal);
        note(context, share);
        return Response.json(shown(deps, share, context), { status: 201 });
      },
    }),
    defineRoute({
      method: "GET",
      path,
      guard: "session",
      summary: "List one's own shares, or everyone's, newest first",
      audit: "none",
      query: shareListQuery,
      answers: {
        200: z.strictObject({
          shares: z.array(shareSchema),
          next_before: z.int().nullable().meta({ description: "`before` of the next page; null at the end" }),
          total: z.int().meta({ description: "How many match, on this page and the others" }),
        }),
      },
      handler(context) {
        return Response.json(listShares(deps, context.query, context.principal.user, context.client));
      },
    }),
    defineRoute({
      method: "GET",
      path: `${path}/limits`,
      guard: "session",
      summary: "How many shares one may have, and how long they may last",
      audit: "none",
      answers: { 200: shareLimitsSchema },
      handler({ principal }) {
        const { open, max } = shares.roomOf(principal.user.id);
        const longest = shares.longestLife("object");
        return Response.json({
          open_shares: open,
          max_shares: max === 0 ? null : max,
          max_lifetime_seconds: longest === Infinity ? null : Math.floor(longest / 1000),
          max_upload_lifetime_seconds: Math.floor(shares.longestLife("upload") / 1000),
        });
      },
    }),
    defineRoute({
      method: "GET",
      path: `${path}/{id}`,
      guard: "session",
      summary: "One share",
      audit: "none",
      answers: { 200: shareSchema },
      handler: (context) =>
        Response.json(shown(deps, shares.get(shareId(context), context.principal.user), context)),
    }),
    defineRoute({
      method: "GET",
      path: `${path}/{id}/access`,
      guard: "session",
      summary: "Who has used a share, newest first, from the audit",
      audit: "none",
      query: accessQuery,
      answers: { 200: shareAccessSchema },
      handler(context) {
        const { query, principal: { user } } = context;
        return Response.json(listAccesses(deps.audit, shares.get(shareId(context), user), user, query));
      },
    }),
    defineRoute({
      method: "PATCH",
      path: `${path}/{id}`,
      guard: "user",
      summary: "Change a share; fields that are left out stay as they are, null takes a limit away",
      audit: "share.update",
      body: shareChangeSchema,
      answers: { 200: shareSchema },
      errors: [409],
      async handler(context) {
        const { body, audit, principal } = context;
        audit.detail.fields = Object.keys(body);
        const share = shares.get(shareId(context), principal.user);
        note(context, share);
        const changed = await shares.update(share.id, principal.user, shareUpdateOf(share.kind, body));
        note(context, changed);
        return Response.json(shown(deps, changed, context));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/{id}`,
      guard: "session",
      summary: "Revoke a share for good",
      audit: "share.revoke",
      answers: { 204: null },
      handler(context) {
        note(context, shares.get(shareId(context), context.principal.user));
        shares.revoke(shareId(context), context.principal.user);
        return new Response(null, { status: 204 });
      },
    }),
  ];
}

/** One page of shares, newest first. */
export interface ShareList {
  readonly shares: readonly ShareJson[];
  /** `before` of the next page; `null` at the end. */
  readonly next_before: number | null;
  /** How many match, on this page and the others. */
  readonly total: number;
}

/** One page of shares as the list answers it. Throws 403 `forbidden` when those of others are asked for by no administrator. */
export function listShares(
  deps: ShareRoutesDeps,
  query: z.output<typeof shareListQuery>,
  viewer: User,
  client: ClientAddress,
): ShareList {
  const { limit, before, state, bucket, key, reaches, kind, expires_before: expiresBefore } = query;
  const createdBy = query.created_by ?? (query.scope === "all" ? undefined : viewer.id);
  if (createdBy !== viewer.id && viewer.role !== "admin") {
    throw forbidden("Only administrators see the shares of others.");
  }
  const filter: ShareFilter = {
    createdBy,
    backendId: query.backend_id,
    bucket,
    key,
    reaches,
    kind,
    state,
    hasPassword: query.has_password,
    expiresBefore: expiresBefore === undefined ? undefined : Date.parse(expiresBefore),
  };
  const found = deps.shares.list(filter, limit + 1, before);
  const page = found.slice(0, limit);
  return {
    shares: page.map((share) => shown(deps, share, { client })),
    next_before: found.length > limit ? page[page.length - 1].id : null,
    total: deps.shares.count(filter),
  };
}

function shown(
  { shares, users, origin }: ShareRoutesDeps,
  share: Share,
  { client }: { client: ClientAddress },
) {
  return shareJson(share, {
    state: shares.stateOf(share),
    creatorName: users.find(share.createdBy)?.username ?? null,
    origin: origin(client),
  });
}

/** Adds to the audit record what the share is of and how it is guarded, never the code, which is the key to it. */
function note({ audit }: SignedInContext, share: Share): void {
  Object.assign(audit, { backend: share.backendId, bucket: share.bucket, key: share.key });
  Object.assign(audit.detail, {
    share_id: share.id,
    kind: share.kind,
    version_id: share.versionId ?? undefined,
    has_password: share.passwordHash !== null,
    max_downloads: share.maxDownloads,
    expires_at: share.expiresAt === null ? null : new Date(share.expiresAt).toISOString(),
    max_uploads: share.upload?.maxUploads,
    max_bytes: share.upload?.maxBytes,
    keep_folders: share.upload?.keepFolders,
  });
}

/** The id in the path; what is none is the id of no share. */
function shareId({ params: { id } }: SignedInContext): number {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound("There is no such share.");
  return Number(id);
}
