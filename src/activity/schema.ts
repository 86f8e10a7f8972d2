import { z } from "zod";

const time = z.iso.datetime();
const count = z.int().nonnegative();

const latencySchema = z.strictObject({ p50: z.number(), p95: z.number(), p99: z.number() });

const totals = {
  requests: count,
  client_errors: count,
  server_errors: count,
  bytes_in: z.number(),
  bytes_out: z.number(),
  latency_ms: latencySchema.optional(),
};

const trafficSchema = z.strictObject({
  ...totals,
  requests_per_minute: z.number(),
  error_rate: z.number().min(0).max(1),
  points: z.array(z.strictObject({ at: time, ...totals })),
});

const storageSchema = z.strictObject({
  backend_id: z.string(),
  name: z.string(),
  bytes: z.number(),
  objects: z.number(),
  as_of: time.optional(),
  tracked_buckets: count,
  uncounted_buckets: count,
});

const bucketSizeSchema = z.strictObject({
  backend_id: z.string(),
  bucket: z.string(),
  bytes: z.number(),
  objects: z.number(),
  computed_at: time,
});

const bucketRequestsSchema = z.strictObject({ backend_id: z.string(), bucket: z.string(), requests: count });

const failureSchema = z.strictObject({
  at: time,
  listener: z.enum(["dashboard", "s3"]),
  request_id: z.string(),
  operation: z.string(),
  status: z.int(),
  code: z.string(),
  backend_id: z.string(),
  bucket: z.string(),
  user_id: z.string(),
  username: z.string().optional(),
  access_key: z.string(),
  audited: z.boolean(),
});

/** The answer of `GET /api/admin/dashboard`. */
export const dashboardSchema = z.strictObject({
  generated_at: time,
  program: z.strictObject({ version: z.string(), started_at: time, uptime_seconds: z.number() }),
  window: z.strictObject({
    name: z.enum(["hour", "day"]),
    from: time,
    to: time,
    step_seconds: z.int(),
    counted_since: time,
  }),
  traffic: z.strictObject({ dashboard: trafficSchema, s3: trafficSchema.optional() }),
  storage: z.strictObject({
    bytes: z.number(),
    objects: z.number(),
    backends: z.array(storageSchema),
  }),
  top_buckets: z.strictObject({
    by_size: z.array(bucketSizeSchema),
    by_requests: z.array(bucketRequestsSchema),
  }),
  failures: z.array(failureSchema),
  sessions_active: count,
  s3_credentials: count.optional(),
  jobs: z.strictObject({ queued: count, running: count, stopping: count }),
  audit: z.strictObject({ queue_depth: count, rows_lost: count }),
  database_bytes: z.number(),
});

/** What an administrator sees of the service: see {@link dashboardSchema}. */
export type Dashboard = z.input<typeof dashboardSchema>;
