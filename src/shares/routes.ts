import { z } from "zod";
import type { User } from "../auth/principal.ts";
import type { UserDirectory } from "../auth/user_directory.ts";
import type { ClientAddress } from "../http/client_address.ts";
import { flagField, integerField } from "../http/query_fields.ts";
import { defineRoute, type RequestContext, type Route } from "../http/route.ts";
import { versionIdField } from "../objects/object_query.ts";
import { forbidden, notFound } from "../problem.ts";
import { type ShareJson, shareJson, shareSchema } from "./json.ts";
import type { ShareFilter } from "../store/shares_repository.ts";
import type { ShareService } from "./service.ts";
import { type Share, shareStates } from "./share.ts";

/** What {@link shareRoutes} needs. */
export interface ShareRoutesDeps {
  readonly shares: ShareService;
  readonly users: UserDirectory;
  /** Scheme, host and port under which the client's recipients reach the program. */
  readonly origin: (client: ClientAddress) => string;
}

const timeError = { error: 'must be an RFC 3339 time, such as "2030-01-31T12:00:00Z", or null for never' };
const time = z.iso.datetime({ offset: true, ...timeError }).nullable()
  .transform((text) => text === null ? null : Date.parse(text));

/** Longest password, in characters: hashing takes time by its length. */
const maxPasswordLength = 256;

const settings = {
  expires_at: time,
  password: z.string().min(1, "must not be empty: null is for no password").max(
    maxPasswordLength,
    `must not be longer than ${maxPasswordLength} characters`,
  ).nullable(),
  max_downloads: z.int("must be a whole number, or null for any number of downloads")
    .min(1, "must be at least 1, or null for any number of downloads").max(1_000_000_000).nullable(),
  disposition: z.enum(["inline", "attachment"], { error: "must be inline or attachment" }),
  note: z.string().trim().max(500),
};

// A field that is spelt wrong must not be passed over: without its password a share would be open to anyone.
const changeSchema = z.strictObject(settings).partial();
const createSchema = z.strictObject({
  ...settings,
  backend_id: z.string().max(63),
  bucket: z.string(),
  key: z.string().meta({ description: "An object's key, or a folder's prefix, which ends in a slash" }),
  version_id: versionIdField.nullable(),
}).partial().required({ backend_id: true, bucket: true, key: true });

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
  limit: integerField(1, 500).default(500),
  before: integerField(1, 999_999_999).optional(),
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
      summary: "Share an object, one of its versions, or a folder",
      audit: "share.create",
      body: createSchema,
      answers: { 201: shareSchema },
      errors: [404, 502, 504],
      async handler(context) {
        const { body, audit, principal, request } = context;
        Object.assign(audit, { backend: body.backend_id, bucket: body.bucket, key: body.key.slice(0, 1024) });
        const share = await shares.create(principal.user, {
          backendId: body.backend_id,
          bucket: body.bucket,
          key: body.key,
          versionId: body.version_id ?? undefined,
          disposition: body.disposition ?? "attachment",
          note: body.note ?? "",
          password: body.password ?? null,
          maxDownloads: body.max_downloads ?? null,
          expiresAt: body.expires_at ?? null,
        }, request.signal);
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
      path: `${path}/{id}`,
      guard: "session",
      summary: "One share",
      audit: "none",
      answers: { 200: shareSchema },
      handler: (context) =>
        Response.json(shown(deps, shares.get(shareId(context), context.principal.user), context)),
    }),
    defineRoute({
      method: "PATCH",
      path: `${path}/{id}`,
      guard: "user",
      summary: "Change a share; fields that are left out stay as they are, null takes a limit away",
      audit: "share.update",
      body: changeSchema,
      answers: { 200: shareSchema },
      errors: [409],
      async handler(context) {
        const { body, audit, principal } = context;
        audit.detail.fields = Object.keys(body);
        const share = shares.get(shareId(context), principal.user);
        note(context, share);
        const { max_downloads: maxDownloads, expires_at: expiresAt, ...fields } = body;
        const changed = await shares.update(share.id, principal.user, { ...fields, maxDownloads, expiresAt });
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
  const { limit, before, state, bucket, key, expires_before: expiresBefore } = query;
  const createdBy = query.created_by ?? (query.scope === "all" ? undefined : viewer.id);
  if (createdBy !== viewer.id && viewer.role !== "admin") {
    throw forbidden("Only administrators see the shares of others.");
  }
  const filter: ShareFilter = {
    createdBy,
    backendId: query.backend_id,
    bucket,
    key,
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
    version_id: share.versionId ?? undefined,
    has_password: share.passwordHash !== null,
    max_downloads: share.maxDownloads,
    expires_at: share.expiresAt === null ? null : new Date(share.expiresAt).toISOString(),
  });
}

/** The id in the path; what is none is the id of no share. */
function shareId({ params: { id } }: SignedInContext): number {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound("There is no such share.");
  return Number(id);
}
