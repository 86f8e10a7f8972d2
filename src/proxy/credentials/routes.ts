import { z } from "zod";
import type { UserDirectory } from "../../auth/user_directory.ts";
import type { ClientAddress } from "../../http/client_address.ts";
import { defineRoute, type RequestContext, type Route } from "../../http/route.ts";
import type { CredentialRecord } from "../../store/virtual_credentials_repository.ts";
import type { CredentialChanges, CredentialService, MintedCredential } from "./service.ts";
import type { CredentialSource } from "./source.ts";
import type { SqliteCredentials } from "./sqlite.ts";
import { trialRoutes } from "./trial_routes.ts";
import type { CredentialUses } from "./uses.ts";
import {
  addressedCredentialSchema,
  credentialJson,
  credentialSchema,
  mergedCredentialJson,
  mergedCredentialSchema,
  mintedCredentialSchema,
} from "./views.ts";

/** What the routes of credentials need. */
export interface CredentialRoutesDeps {
  readonly service: CredentialService;
  readonly stored: SqliteCredentials;
  /** Credentials of every source. */
  readonly all: CredentialSource;
  readonly users: UserDirectory;
  /** URL of the S3 endpoint for a client of the dashboard, without a trailing slash. */
  readonly endpointUrl: (client: ClientAddress) => string;
  /** The same for this program itself. */
  readonly ownEndpointUrl: string;
  readonly uses: CredentialUses;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const timeError = { error: 'must be an RFC 3339 time, such as "2030-01-31T12:00:00Z", or empty for never' };
const time = z.union([z.literal(""), z.iso.datetime({ offset: true, ...timeError })], timeError).nullable()
  .transform((text) => text ? Date.parse(text) : null);

const changes = {
  buckets: z.array(z.string()).min(1, "must name at least one bucket").max(
    100,
    "must not name over 100 buckets",
  ),
  prefix: z.string(),
  read_only: z.boolean(),
  description: z.string().trim().max(500),
  enabled: z.boolean(),
  expires_at: time,
};

// A field that is spelt wrong must not be passed over: without its `read_only` a credential would allow more.
const changeSchema = z.strictObject(changes).partial();
const createSchema = z.strictObject({ ...changes, backend_id: z.string().max(63) }).partial()
  .required({ backend_id: true, buckets: true });
const createForSchema = createSchema.extend({ user_id: z.string().nullable().optional() });

/** What looking for the buckets at their backend may end with. */
const backendErrors = [404, 409, 502, 504];

/** Longest id that the audit repeats: AWS's own have up to 128 characters. */
const maxIdLength = 128;

type SignedInContext = RequestContext<unknown, unknown, "session" | "admin">;

/** Routes by which users handle their own credentials, and administrators everyone's. */
export function credentialRoutes(deps: CredentialRoutesDeps): Route[] {
  const own = "/api/me/s3-credentials";
  const everyone = "/api/admin/s3-credentials";
  return [
    defineRoute({
      method: "POST",
      path: own,
      guard: "session",
      summary: "Make an S3 credential for oneself; the answer is the only one with its secret",
      audit: "s3_credential.create",
      body: createSchema,
      answers: { 201: mintedCredentialSchema },
      errors: backendErrors,
      handler: (context) => create(deps, context, context.body, context.principal.user.id),
    }),
    defineRoute({
      method: "POST",
      path: everyone,
      guard: "admin",
      summary: "Make an S3 credential for a user or for nobody; the answer is the only one with its secret",
      audit: "s3_credential.create",
      body: createForSchema,
      answers: { 201: mintedCredentialSchema },
      errors: backendErrors,
      handler: (context) => create(deps, context, context.body, context.body.user_id || null),
    }),
    ...sharedRoutes(deps, own, "session"),
    ...sharedRoutes(deps, everyone, "admin"),
    defineRoute({
      method: "GET",
      path: "/api/admin/s3-proxy/credentials",
      guard: "admin",
      summary: "List the credentials of every source as the S3 endpoint sees them",
      audit: "none",
      answers: { 200: z.strictObject({ credentials: z.array(mergedCredentialSchema) }) },
      handler: () => Response.json({ credentials: listEffectiveCredentials(deps) }),
    }),
    ...trialRoutes(deps),
  ];
}

/** The routes that are the same for users and administrators but for whose credentials they see. */
function sharedRoutes(deps: CredentialRoutesDeps, path: string, guard: "session" | "admin"): Route[] {
  const { service } = deps;
  const ownerOf = ({ principal }: SignedInContext) => guard === "admin" ? undefined : principal.user.id;
  return [
    defineRoute({
      method: "GET",
      path,
      guard,
      summary: "List S3 credentials",
      audit: "none",
      answers: { 200: z.strictObject({ credentials: z.array(credentialSchema), endpoint_url: z.string() }) },
      handler: (context) =>
        Response.json({
          credentials: listCredentials(deps, ownerOf(context)),
          endpoint_url: deps.endpointUrl(context.client),
        }),
    }),
    defineRoute({
      method: "GET",
      path: `${path}/{akid}`,
      guard,
      summary: "Get an S3 credential",
      audit: "none",
      answers: { 200: addressedCredentialSchema },
      handler: (context) => {
        const record = service.get(context.params.akid, ownerOf(context));
        return Response.json({ ...shown(deps, record), ...addresses(deps, record, context.client) });
      },
    }),
    defineRoute({
      method: "PATCH",
      path: `${path}/{akid}`,
      guard,
      summary: "Change an S3 credential; fields that are left out stay as they are",
      audit: "s3_credential.update",
      body: changeSchema,
      answers: { 200: credentialSchema },
      errors: backendErrors,
      handler: async (context) => {
        const { params, request: { signal }, audit, body } = context;
        audit.detail.access_key_id = params.akid.slice(0, maxIdLength);
        audit.detail.fields = Object.keys(body);
        const record = await service.update(params.akid, changesOf(body), {
          ownerId: ownerOf(context),
          signal,
        });
        note(context, record);
        return Response.json(shown(deps, record));
      },
    }),
    defineRoute({
      method: "POST",
      path: `${path}/{akid}/rotate`,
      guard,
      summary: "Give an S3 credential a new secret, which only this answer has; the old one is void at once",
      audit: "s3_credential.rotate",
      answers: { 200: mintedCredentialSchema },
      errors: [409],
      handler: (context) => {
        context.audit.detail.access_key_id = context.params.akid.slice(0, maxIdLength);
        const minted = service.rotate(context.params.akid, ownerOf(context));
        note(context, minted.record);
        return Response.json(withSecret(deps, minted, context.client));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/{akid}`,
      guard,
      summary: "Delete an S3 credential; it is void at once",
      audit: "s3_credential.delete",
      answers: { 204: null },
      handler: (context) => {
        context.audit.detail.access_key_id = context.params.akid.slice(0, maxIdLength);
        note(context, service.remove(context.params.akid, ownerOf(context)));
        return new Response(null, { status: 204 });
      },
    }),
  ];
}

/** Stored credentials as the API lists them; those of a user, or everyone's without `ownerId`. */
export function listCredentials(deps: CredentialRoutesDeps, ownerId?: string) {
  return deps.service.list(ownerId).map((record) => shown(deps, record));
}

/** The credentials of every source as the API lists them. */
export function listEffectiveCredentials({ all, users, uses, clock }: CredentialRoutesDeps) {
  return [...all.credentials()].map((credential) =>
    mergedCredentialJson(credential, {
      username: users.find(credential.userId)?.username,
      lastUse: uses.lastUse(credential.accessKeyId),
      now: clock(),
    })
  );
}

async function create(
  deps: CredentialRoutesDeps,
  context: SignedInContext,
  body: z.output<typeof createSchema>,
  userId: string | null,
): Promise<Response> {
  const { request, principal, audit, client } = context;
  audit.backend = body.backend_id;
  const input = { ...changesOf(body), backendId: body.backend_id, buckets: body.buckets, userId };
  const minted = await deps.service.create(principal.user.id, input, request.signal);
  note(context, minted.record);
  return Response.json(withSecret(deps, minted, client), { status: 201 });
}

/** Notes for the audit what a credential allows, and whom. */
function note({ audit }: RequestContext, record: CredentialRecord): void {
  audit.backend = record.backendId;
  Object.assign(audit.detail, {
    access_key_id: record.accessKeyId,
    owner_id: record.userId ?? undefined,
    buckets: record.buckets,
    prefix: record.prefix || undefined,
    read_only: record.readOnly,
  });
}

function shown({ stored, users, uses, clock }: CredentialRoutesDeps, record: CredentialRecord) {
  return credentialJson(record, {
    effective: stored.find(record.accessKeyId),
    username: record.userId === null ? undefined : users.find(record.userId)?.username,
    lastUse: uses.lastUse(record.accessKeyId),
    now: clock(),
  });
}

function withSecret(
  deps: CredentialRoutesDeps,
  { record, secretKey }: MintedCredential,
  client: ClientAddress,
) {
  return { ...shown(deps, record), secret_key: secretKey, ...addresses(deps, record, client) };
}

/** Where the credential is good for, path-style. */
function addresses(
  { endpointUrl }: CredentialRoutesDeps,
  { buckets }: CredentialRecord,
  client: ClientAddress,
) {
  const url = endpointUrl(client);
  return {
    endpoint_url: url,
    bucket_urls: Object.fromEntries(buckets.map((bucket) => [bucket, `${url}/${bucket}`])),
  };
}

/** The fields that were given, by the names the service has for them. */
function changesOf(body: z.output<typeof changeSchema>): CredentialChanges {
  const { read_only: readOnly, expires_at: expiresAt, buckets, prefix, description, enabled } = body;
  const all = { buckets, prefix, readOnly, description, enabled, expiresAt };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
