import { z } from "zod";
import { isBucketName, requirePrefix } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { BucketService } from "../buckets/service.ts";
import { integerField } from "../http/query_fields.ts";
import { defineRoute, type Route } from "../http/route.ts";
import type { PinService } from "../pins/pins.ts";
import type { RecentBuckets } from "../pins/recent_buckets.ts";
import { type BackendFindings, searchBackends } from "./search.ts";

/** What {@link searchRoutes} needs. */
export interface SearchRoutesDeps {
  readonly registry: BackendRegistry;
  readonly buckets: BucketService;
  readonly pins: PinService;
  readonly recent: RecentBuckets;
}

const maxLimit = 100;
const defaultLimit = 20;

const querySchema = z.object({
  q: z.string().min(1).max(200).refine((text) => !text.includes("\0"), { error: "must not hold NUL" }),
  limit: integerField(1, maxLimit).default(defaultLimit),
  /** The id of the only backend that is searched. */
  backend: z.string().min(1).max(63).optional(),
  /** The only bucket of it that is looked into, pinned or not. */
  bucket: z.string().refine(isBucketName, { error: "is not the name of a bucket" }).optional(),
  /** The folder of that bucket in which keys are looked for: what follows it begins with `q`. */
  prefix: z.string().min(1).optional(),
}).refine(({ backend, bucket }) => bucket === undefined || backend !== undefined, {
  path: ["backend"],
  error: "is needed to tell whose bucket it is",
}).refine(({ bucket, prefix }) => prefix === undefined || bucket !== undefined, {
  path: ["bucket"],
  error: "is needed to tell whose folder it is",
});

const answerSchema = z.strictObject({
  query: z.string(),
  buckets: z.array(z.strictObject({ backend_id: z.string(), bucket: z.string() })),
  objects: z.array(z.strictObject({
    backend_id: z.string(),
    bucket: z.string(),
    key: z.string(),
    size: z.int(),
    last_modified: z.iso.datetime(),
  })),
  truncated: z.boolean(),
  errors: z.array(z.strictObject({
    backend_id: z.string(),
    code: z.string(),
    detail: z.record(z.string(), z.unknown()).optional(),
  })).optional(),
});

type SearchAnswer = z.output<typeof answerSchema>;

/** Media type of one JSON text a line: https://github.com/ndjson/ndjson-spec */
const jsonLines = "application/x-ndjson";

/**
 * The route that searches every backend. It answers with one JSON, or, to who accepts {@link jsonLines}, with one of the same
 * form for each backend as soon as that has answered.
 */
export function searchRoutes({ registry, buckets, pins, recent }: SearchRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/search",
      guard: "session",
      summary: "Search the buckets of every backend, and the objects of pinned and recent buckets by prefix",
      answers: { 200: [answerSchema, { contentType: jsonLines }] },
      audit: "none",
      query: querySchema,
      async handler({ request, query: { q, limit, backend, bucket, prefix }, principal }) {
        if (prefix !== undefined) requirePrefix(prefix);
        const { id } = principal.user;
        const within = backend !== undefined && bucket !== undefined
          ? new Map([[backend, [bucket]]])
          : byBackend([...pins.list(id), ...recent.list(id)]);
        const headers = { "cache-control": "private, no-store", vary: "accept" };
        const search = { text: q, limit, within, prefix, backend, signal: request.signal };
        const searches = searchBackends({ registry, buckets }, search);
        const results = new Results(q, limit);
        if (acceptsLines(request)) {
          const lines = ReadableStream.from(linesOf(searches, results)).pipeThrough(new TextEncoderStream());
          return new Response(lines, { headers: { ...headers, "content-type": jsonLines } });
        }
        return Response.json(results.take(await Promise.all(searches)), { headers });
      },
    }),
  ];
}

/** Findings as the API answers them, up to a limit in all. */
class Results {
  #bucketsLeft: number;
  #objectsLeft: number;

  constructor(readonly query: string, limit: number) {
    this.#bucketsLeft = limit;
    this.#objectsLeft = limit;
  }

  take(findings: readonly BackendFindings[]): SearchAnswer {
    const buckets = findings.flatMap(({ backend, buckets }) =>
      buckets.map((bucket) => ({ backend_id: backend, bucket }))
    );
    const objects = findings.flatMap(({ backend, objects }) =>
      objects.map(({ lastModified, ...object }) => ({
        backend_id: backend,
        ...object,
        last_modified: lastModified,
      }))
    );
    const errors = findings.flatMap(({ backend, problem }) =>
      problem === undefined ? [] : [{ backend_id: backend, code: problem.code, detail: problem.detail }]
    );
    const isCut = buckets.length > this.#bucketsLeft || objects.length > this.#objectsLeft;
    const answer = {
      query: this.query,
      buckets: buckets.slice(0, this.#bucketsLeft),
      objects: objects.slice(0, this.#objectsLeft),
      truncated: isCut || errors.length > 0 || findings.some(({ isTruncated }) => isTruncated),
      errors: errors.length > 0 ? errors : undefined,
    };
    this.#bucketsLeft -= answer.buckets.length;
    this.#objectsLeft -= answer.objects.length;
    return answer;
  }
}

/** A line for each search, in the order in which they end. */
async function* linesOf(
  searches: readonly Promise<BackendFindings>[],
  results: Results,
): AsyncGenerator<string> {
  const open = new Map(searches.map((search, index) => [
    index,
    search.then((findings) => ({ index, findings })),
  ]));
  while (open.size > 0) {
    const { index, findings } = await Promise.race(open.values());
    open.delete(index);
    yield `${JSON.stringify(results.take([findings]))}\n`;
  }
}

function byBackend(all: readonly { readonly backend: string; readonly bucket: string }[]) {
  const buckets = new Map<string, Set<string>>();
  for (const { backend, bucket } of all) {
    // A search that is pinned may be of no single bucket.
    if (bucket === "") continue;
    buckets.set(backend, (buckets.get(backend) ?? new Set()).add(bucket));
  }
  return new Map([...buckets].map(([backend, names]) => [backend, [...names]]));
}

function acceptsLines({ headers }: Request): boolean {
  return headers.get("accept")?.toLowerCase().includes(jsonLines) ?? false;
}
