import { z } from "zod";
import type { PasswordHasher } from "../../auth/passwords.ts";
import type { BackendRegistry } from "../../backends/registry.ts";
import { isForm } from "../../http/parse.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import { downloadHeaders } from "../../objects/download.ts";
import { Problem } from "../../problem.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { ReadAheadMemory } from "../../zip/read_ahead_memory.ts";
import { answerArchive } from "./archive.ts";
import { answerContent } from "./content.ts";
import { describeShare, shareDescriptionSchema } from "./description.ts";
import { listFolder, shareListingSchema } from "./folder.ts";
import type { SelectedKeys } from "./folder.ts";
import { failureQuery, redirect } from "./form_answer.ts";
import type { ShareContext, ShareGate } from "./gate.ts";
import type { SharePasses } from "./passes.ts";
import type { SelectedObjects } from "./selected_objects.ts";
import { Places } from "./places.ts";
import { recorded } from "./recorded.ts";
import { ShareUnlocking } from "./unlocking.ts";

/** What {@link publicShareRoutes} needs. */
export interface PublicShareRoutesDeps {
  readonly registry: BackendRegistry;
  readonly keysOf: SelectedKeys;
  readonly selected: SelectedObjects;
  readonly hasher: PasswordHasher;
  readonly gate: ShareGate;
  readonly passes: SharePasses;
  /** Seals the places in listings at which their next pages begin. */
  readonly sealer: Sealer;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** How many bytes the archives of all recipients together read ahead. */
const maxReadAhead = 32 << 20;

/** How many archives of recipients may be under way. */
const archiveLimits = { total: 12, perClient: 4 };

const lockedSchema = z.strictObject({
  has_password: z.literal(true),
  error: z.strictObject({ code: z.literal("password_required"), message: z.string() }),
});
const folderQuery = z.object({ path: z.string().default("") });
const errors = [401, 410, 429, 502, 504];

/** The routes by which recipients reach what is shared: `/s/{code}/…`. */
export function publicShareRoutes(deps: PublicShareRoutesDeps): Route[] {
  return [
    descriptionRoute(deps),
    unlockRoute(deps),
    contentRoute(deps),
    listingRoute(deps),
    archiveRoute(deps),
  ];
}

function descriptionRoute({ gate, registry }: PublicShareRoutesDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/s/{code}/info",
    guard: "public",
    summary: "What is shared, for its recipients",
    audit: "share.access",
    auditDetail: { request: "info", result: "error" },
    answers: { 200: shareDescriptionSchema, 401: lockedSchema },
    errors,
    async handler(context) {
      try {
        return await recorded(context, async () => {
          const share = gate.admit(context, "access");
          return Response.json(await describeShare(share, registry, context.request.signal));
        });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "password_required") throw error;
        const { code, message, status, headers } = error;
        context.audit.detail.code = code;
        return Response.json({ has_password: true, error: { code, message } }, { status, headers });
      }
    },
  });
}

function unlockRoute(deps: PublicShareRoutesDeps): Route {
  const unlocking = new ShareUnlocking(deps);
  const answerUnlock = async (context: ShareContext, password: string | undefined): Promise<Response> => {
    const cookie = await unlocking.unlock(context, password);
    const response = new Response(null, { status: 204 });
    if (cookie !== null) response.headers.append("set-cookie", cookie);
    return response;
  };
  return defineRoute({
    method: "POST",
    path: "/s/{code}/unlock",
    guard: "public",
    summary: "Give the password of a share, which sets a cookie",
    audit: "share.access",
    auditDetail: { request: "unlock", result: "error" },
    body: z.object({ password: z.string().optional() }),
    form: true,
    answers: { 204: null, 303: null },
    errors: [401, 410, 429],
    async handler(context) {
      const { request, params, audit, body } = context;
      const form = isForm(request);
      const page = `/s/${encodeURIComponent(params.code)}`;
      try {
        const response = await recorded(context, () => answerUnlock(context, body.password));
        return form ? redirect(page, response.headers) : response;
      } catch (error) {
        if (!form || !(error instanceof Problem)) throw error;
        audit.status = "error";
        audit.detail.code = error.code;
        return redirect(`${page}?${failureQuery(error)}`);
      }
    },
  });
}

function contentRoute(deps: PublicShareRoutesDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/s/{code}/raw",
    guard: "public",
    errorPages: true,
    summary: "Download what is shared, or one file of a shared folder or selection, whole or a range of it",
    audit: "share.access",
    auditDetail: { request: "raw", result: "error" },
    query: z.object({
      path: z.string().optional().meta({
        description: "The file in a shared folder or selection, relative to it",
      }),
      disposition: z.enum(["inline", "attachment"]).optional(),
    }),
    headers: downloadHeaders,
    answers: { 200: { contentType: "*/*" }, 206: { contentType: "*/*" }, 304: null },
    errors: [...errors, 412, 416],
    handler: (context) => recorded(context, () => answerContent(deps, context, context.query)),
  });
}

function listingRoute({ gate, registry, keysOf, selected, sealer }: PublicShareRoutesDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/s/{code}/list",
    guard: "public",
    summary: "List one level of a shared folder, or a selection",
    audit: "share.access",
    auditDetail: { request: "list", result: "error" },
    query: folderQuery.extend({ token: z.string().min(1).optional() }),
    answers: { 200: shareListingSchema },
    errors,
    handler: (context) =>
      recorded(context, async () => {
        const share = gate.admit(context, "browsing");
        const { signal } = context.request;
        const folderDeps = { registry, keysOf, selected, sealer, signal };
        return Response.json(await listFolder(share, context.query, folderDeps));
      }),
  });
}

function archiveRoute({ registry, keysOf, gate, clock }: PublicShareRoutesDeps): Route {
  const memory = new ReadAheadMemory(maxReadAhead);
  const places = new Places(archiveLimits);
  return defineRoute({
    method: "GET",
    path: "/s/{code}/zip",
    guard: "public",
    errorPages: true,
    summary: "Download a shared folder or selection, or a folder in it, as a zip file",
    audit: "share.access",
    auditDetail: { request: "zip", result: "error" },
    query: folderQuery,
    answers: { 200: { contentType: "application/zip" } },
    errors,
    handler: (context) =>
      recorded(
        context,
        () => answerArchive({ registry, keysOf, gate, memory, places, clock }, context, context.query.path),
      ),
  });
}
