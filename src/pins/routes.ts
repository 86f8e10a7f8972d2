import { z } from "zod";
import { defineRoute, type Route } from "../http/route.ts";
import type { Pin, Place } from "../store/pins_repository.ts";
import type { RecentBucket } from "../store/recent_buckets_repository.ts";
import type { PinService } from "./pins.ts";
import type { RecentBuckets } from "./recent_buckets.ts";

/** What {@link pinRoutes} needs. */
export interface PinRoutesDeps {
  readonly pins: PinService;
  readonly recent: RecentBuckets;
}

/** What a pin has besides its bucket is left out where it has none. */
const pinSchema = z.strictObject({
  /** Empty for a search of everything. */
  backend_id: z.string(),
  /** Empty for a search of a whole backend, or of everything. */
  bucket: z.string(),
  prefix: z.string().optional(),
  filter: z.string().optional(),
  search: z.string().optional(),
  created_at: z.iso.datetime(),
});

const recentBucketSchema = z.strictObject({ backend_id: z.string(), bucket: z.string() });

const text = (maximum: number) =>
  z.string().max(maximum).refine((value) => value.isWellFormed() && !value.includes("\0"), {
    error: "must be valid Unicode without NUL",
  }).default("");

/** What of a place is below its bucket. */
const insideFields = {
  /** The folder; keys begin with it. */
  prefix: text(1024),
  /** What the names in the folder are filtered by. */
  filter: text(1024),
  /** What is searched for there. */
  search: text(200),
};

const bodySchema = z.object({
  backend_id: z.string().default(""),
  bucket: z.string().default(""),
  ...insideFields,
}).refine(({ backend_id, bucket, search }) => bucket === "" ? search !== "" : backend_id !== "", {
  error: "A backend and a bucket are needed, unless a search is pinned.",
}).refine(
  ({ bucket, prefix, filter, search }) =>
    bucket === "" ? prefix + filter === "" : filter === "" || search === "",
  {
    error: "A prefix needs a bucket, and a search has no filter.",
  },
);

const wideSearch = z.object({ search: text(200), backend_id: z.string().default("") });

/** Routes of the places that a user has pinned, and of the buckets that they were last in. */
export function pinRoutes({ pins, recent }: PinRoutesDeps): Route[] {
  const path = "/api/me/pins";
  return [
    defineRoute({
      method: "GET",
      path,
      guard: "session",
      summary: "List one's own pinned buckets, folders, filters and searches",
      answers: { 200: z.strictObject({ pins: z.array(pinSchema) }) },
      audit: "none",
      handler: ({ principal }) => Response.json({ pins: pins.list(principal.user.id).map(pinJson) }),
    }),
    defineRoute({
      method: "POST",
      path,
      guard: "session",
      summary: "Pin a bucket, a folder of it, either with a filter, or a search",
      answers: { 200: pinSchema, 201: pinSchema },
      errors: [404, 409, 502, 504],
      audit: "none",
      body: bodySchema,
      handler: async ({ principal, body: { backend_id: backend, ...place } }) => {
        const { pin, isNew } = await pins.add(principal.user.id, { backend, ...place });
        return Response.json(pinJson(pin), { status: isNew ? 201 : 200 });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/{bid}/{bucket}`,
      guard: "session",
      summary: "Take the pin of a bucket away, or of what the query names in it",
      answers: { 204: null },
      audit: "none",
      query: z.object(insideFields),
      handler: ({ principal, params, query }) => {
        pins.remove(principal.user.id, { backend: params.bid, bucket: params.bucket, ...query });
        return new Response(null, { status: 204 });
      },
    }),
    defineRoute({
      method: "DELETE",
      path,
      guard: "session",
      summary: "Take the pin of a search over a backend, or over everything, away",
      answers: { 204: null },
      audit: "none",
      query: wideSearch,
      handler: ({ principal, query: { backend_id: backend, search } }) => {
        pins.remove(principal.user.id, { backend, bucket: "", prefix: "", filter: "", search });
        return new Response(null, { status: 204 });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/me/recent-buckets",
      guard: "session",
      summary: "List the buckets that one was last in, the last first",
      answers: { 200: z.strictObject({ buckets: z.array(recentBucketSchema) }) },
      audit: "none",
      handler: ({ principal }) =>
        Response.json({ buckets: recent.list(principal.user.id).map(recentBucketJson) }),
    }),
  ];
}

/** A bucket that a user was in, as the API shows it. */
export function recentBucketJson({ backend, bucket }: RecentBucket): z.output<typeof recentBucketSchema> {
  return { backend_id: backend, bucket };
}

/** A pin as the API shows it. */
export function pinJson({ backend, bucket, createdAt, ...place }: Pin): z.output<typeof pinSchema> {
  return { backend_id: backend, bucket, ...inside(place), created_at: new Date(createdAt).toISOString() };
}

function inside({ prefix, filter, search }: Pick<Place, "prefix" | "filter" | "search">) {
  return {
    prefix: prefix || undefined,
    filter: filter || undefined,
    search: search || undefined,
  };
}
