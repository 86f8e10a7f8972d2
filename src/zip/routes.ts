import { z } from "zod";
import { type BucketScope, bucketScope } from "../backends/bucket_scope.ts";
import { linkSignal } from "../backends/linked_signal.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { clientGoneProblem } from "../backends/upstream_error.ts";
import { defineRoute, type RequestContext, type Route } from "../http/route.ts";
import { contentDisposition } from "../objects/object_headers.ts";
import { type ArchiveOptions, zipSelection } from "./archive.ts";
import { ReadAheadMemory } from "./read_ahead_memory.ts";
import { KeptSelections } from "./kept_selections.ts";
import { makeSelection, type Selection } from "./selection.ts";

/** What {@link zipRoutes} needs. */
export interface ZipRoutesDeps {
  readonly registry: BackendRegistry;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** How many bytes all archives together read ahead. */
const maxReadAhead = 128 << 20;

const path = "/api/backends/{bid}/buckets/{bucket}/objects/zip";
const answers = { 200: { contentType: "application/zip" } };

const selectionBody = z.object({
  keys: z.array(z.string()).default([]),
  prefixes: z.array(z.string()).default([]),
  name: z.string().min(1).max(255).optional(),
});

/** Routes that answer many objects as one zip file. */
export function zipRoutes({ registry, clock }: ZipRoutesDeps): Route[] {
  const kept = new KeptSelections(clock);
  const memory = new ReadAheadMemory(maxReadAhead);
  const respond = (scope: BucketScope, selection: Selection, request: Request, name?: string) =>
    zipResponse({ scope, selection, request, name, memory, now: new Date(clock()) });
  return [
    defineRoute({
      method: "GET",
      path,
      guard: "session",
      summary: "Download all objects under a prefix, or a kept selection, as a zip file",
      answers,
      audit: "none",
      query: z.object({ prefix: z.string().default(""), selection: z.string().optional() }),
      handler: (context) => {
        const { query: { prefix, selection: id }, request } = context;
        const scope = bucketScope(context, registry);
        if (id === undefined) return respond(scope, makeSelection([], [prefix]), request);
        const { selection, name } = kept.get(id, placeOf(context));
        return respond(scope, selection, request, name);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${path}/selection`,
      guard: "session",
      summary: "Keep a selection for a while, to be downloaded by a plain link: GET …/objects/zip?selection=",
      answers: { 201: z.strictObject({ selection: z.string(), expires_at: z.iso.datetime() }) },
      audit: "none",
      body: selectionBody,
      handler: (context) => {
        const { keys, prefixes, name } = context.body;
        bucketScope(context, registry);
        const selection = makeSelection(keys, prefixes);
        const { id, until } = kept.keep({ ...placeOf(context), selection, name });
        return Response.json({ selection: id, expires_at: new Date(until).toISOString() }, { status: 201 });
      },
    }),
    defineRoute({
      method: "POST",
      path,
      guard: "session",
      summary: "Download objects and all under prefixes as a zip file",
      answers,
      audit: "none",
      body: selectionBody,
      handler: (context) => {
        const { keys, prefixes, name } = context.body;
        const selection = makeSelection(keys, prefixes);
        return respond(bucketScope(context, registry), selection, context.request, name);
      },
    }),
  ];
}

/** Whose selection it is, and of which bucket. */
function placeOf({ params, principal }: RequestContext<unknown, unknown, "session">) {
  return { userId: principal.user.id, backend: params.bid, bucket: params.bucket };
}

/** What {@link zipResponse} answers with. */
export interface ZipAnswer extends Omit<ArchiveOptions, "signal"> {
  readonly request: Request;
  /** Name of the file without its ending; after what is selected unless told. */
  readonly name?: string;
}

/**
 * Answers with the archive once it has begun, a HEAD with nothing. When the client goes away or the body is cancelled, all
 * requests to the backend end. Throws as `zipSelection` does.
 */
export async function zipResponse({ request, name, ...options }: ZipAnswer): Promise<Response> {
  const { scope, selection } = options;
  const headers = {
    "content-type": "application/zip",
    "content-disposition": contentDisposition("attachment", fileName(scope, selection, name)),
    "cache-control": "private, no-store, no-transform",
    "x-content-type-options": "nosniff",
  };
  if (request.method === "HEAD") return new Response(null, { headers });
  const { signal, abort } = linkSignal(request.signal);
  const bytes = zipSelection({ ...options, signal });
  let next: IteratorResult<Uint8Array, void> | undefined;
  try {
    next = await bytes.next();
  } catch (error) {
    abort();
    throw request.signal.aborted ? clientGoneProblem() : error;
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      const { done, value } = next ?? await bytes.next();
      next = undefined;
      if (done) stream.close();
      else stream.enqueue(value);
    },
    async cancel() {
      // What is waited for ends first, else the generator would go on waiting.
      abort();
      await bytes.return().catch(() => {});
    },
  }, { highWaterMark: 0 });
  return new Response(body, { headers });
}

function fileName({ bucket }: BucketScope, { keys, prefixes, folder }: Selection, name?: string): string {
  if (name !== undefined) return /\.zip$/i.test(name) ? name : `${name}.zip`;
  const only = keys.length === 0 && prefixes.length === 1 ? prefixes[0] : folder;
  const lastPart = only.replace(/\/+$/, "").split("/").at(-1);
  return `${lastPart || bucket}.zip`;
}
