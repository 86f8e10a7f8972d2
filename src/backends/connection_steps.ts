import { isIP } from "node:net";
import { lookup } from "node:dns/promises";
import { z } from "zod";
import { capabilityNames, probeCapability } from "./capabilities.ts";
import { failureReason, signatureReason } from "./failure_reason.ts";
import { type ConnectionTest, probeTimeoutMs, testConnection } from "./probe.ts";
import type { S3Connection } from "./s3_client.ts";
import { transportProblem } from "./upstream_error.ts";

/** What a test of a backend looks at, in this order. */
export const stepNames = ["resolve", "connect", "tls", "sign", "list", ...capabilityNames] as const;

/** One step of a test, as the API shows it. */
export const stepSchema = z.strictObject({
  name: z.enum(stepNames),
  state: z.enum(["ok", "failed", "missing", "unknown", "skipped"]).meta({
    description:
      "`missing`: the backend says that it does not have the feature. `unknown`: it answered neither yes nor no, " +
      "or does not let this key ask",
  }),
  latency_ms: z.number().optional(),
  reason: z.string().optional().meta({ description: "Why it is not `ok`, as a code" }),
  clock_difference_seconds: z.int().optional().meta({
    description: "How far the backend's clock is ahead of ours, where that may be why it refused a signature",
  }),
});

/** A step as {@link stepSchema} has it. */
export type ConnectionStep = z.output<typeof stepSchema>;

/** What a test found, and step by step how. */
export interface SteppedTest extends ConnectionTest {
  readonly steps: readonly ConnectionStep[];
}

/**
 * Tests a connection as {@link testConnection} does, and goes the way there step by step, so that one sees where it ends.
 * What comes after a step that failed is skipped. Never throws.
 */
export async function testStepByStep(connection: S3Connection, clock: () => number): Promise<SteppedTest> {
  const way = await tryWay(new URL(connection.backend.endpoint), clock);
  const test = await testConnection(connection, clock);
  const isBlocked = !test.healthy && way.some(({ state }) => state === "failed");
  const requests = isBlocked
    ? [skipped("sign"), skipped("list")]
    : await describeRequests(connection, test, clock);
  // A proxy of the environment leads there although this program itself finds no way.
  const steps = test.healthy ? way.map(asOtherWay) : way;
  const features = test.healthy
    ? await tryFeatures(connection, test.buckets?.[0], clock)
    : capabilityNames.map((name) => skipped(name));
  return { ...test, steps: [...steps, ...requests, ...features] };
}

/** Finds the address, connects, and agrees on encryption. */
async function tryWay(endpoint: URL, clock: () => number): Promise<ConnectionStep[]> {
  const hostname = endpoint.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(endpoint.port) || (endpoint.protocol === "https:" ? 443 : 80);
  const resolved = isIP(hostname) !== 0
    ? { step: { name: "resolve", state: "ok", latency_ms: 0 } as const }
    : await attempt("resolve", clock, () => lookup(hostname));
  if (resolved.step.state !== "ok") return [resolved.step, skipped("connect"), skipped("tls")];
  const connected = await attempt("connect", clock, () => Deno.connect({ hostname, port }), closeQuietly);
  if (connected.result === undefined) return [resolved.step, connected.step, skipped("tls")];
  const { result: tcp } = connected;
  if (endpoint.protocol !== "https:") {
    closeQuietly(tcp);
    return [resolved.step, connected.step, skipped("tls", "not_encrypted")];
  }
  const secured = await attempt("tls", clock, async () => {
    const tls = await Deno.startTls(tcp, { hostname });
    try {
      await tls.handshake();
    } finally {
      closeQuietly(tls);
    }
  });
  return [resolved.step, connected.step, secured.step];
}

/**
 * Does one step and says how it went. A result that comes after the time is up is given to `discard`.
 */
async function attempt<T>(
  name: ConnectionStep["name"],
  clock: () => number,
  run: () => Promise<T>,
  discard: (late: T) => void = () => {},
): Promise<{ step: ConnectionStep; result?: T }> {
  const begin = clock();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("timed out")), probeTimeoutMs);
  const running = run();
  try {
    const result = await Promise.race([running, expired]);
    return { step: { name, state: "ok", latency_ms: clock() - begin }, result };
  } catch (error) {
    running.then(discard, () => {});
    const known = String(transportProblem(error).detail?.reason);
    // What the runtime says of names and certificates differs from system to system: the step itself tells.
    const reason = { resolve: "name_not_resolved", tls: "tls" }[name as string] ?? known;
    return { step: { name, state: "failed", latency_ms: clock() - begin, reason } };
  } finally {
    clearTimeout(timer);
  }
}

/** What the answer to the list of buckets says about the signature and about the list. */
async function describeRequests(
  connection: S3Connection,
  { healthy, latencyMs, buckets, failure }: ConnectionTest,
  clock: () => number,
): Promise<ConnectionStep[]> {
  const signed = connection.backend.credentials === undefined
    ? skipped("sign", "unsigned")
    : { name: "sign", state: "ok" } as const;
  const latency = { latency_ms: latencyMs };
  if (healthy) {
    const list = buckets === undefined
      ? { name: "list", state: "unknown", reason: "denied", ...latency } as const
      : { name: "list", state: "ok", ...latency } as const;
    return [signed, list];
  }
  const reason = signatureReason(failure);
  if (reason !== undefined) {
    const difference = await clockDifference(connection.backend.endpoint, clock);
    const sign = { name: "sign", state: "failed", reason, ...latency } as const;
    return [
      difference === undefined ? sign : { ...sign, clock_difference_seconds: difference },
      skipped("list"),
    ];
  }
  return [skipped("sign"), { name: "list", state: "failed", reason: failureReason(failure), ...latency }];
}

/** How many seconds the clock behind an endpoint is ahead of ours, as its answers say. */
async function clockDifference(endpoint: string, clock: () => number): Promise<number | undefined> {
  try {
    const signal = AbortSignal.timeout(probeTimeoutMs);
    const response = await fetch(endpoint, { method: "HEAD", redirect: "manual", signal });
    await response.body?.cancel();
    const date = Date.parse(response.headers.get("date") ?? "");
    return Number.isNaN(date) ? undefined : Math.round((date - clock()) / 1000);
  } catch {
    return undefined;
  }
}

/** Asks a bucket for what not every server has. */
async function tryFeatures(
  connection: S3Connection,
  bucket: string | undefined,
  clock: () => number,
): Promise<ConnectionStep[]> {
  return await Promise.all(capabilityNames.map(async (name): Promise<ConnectionStep> => {
    if (bucket === undefined) return skipped(name, "no_bucket");
    const begin = clock();
    const found = await probeCapability(connection, name, bucket, probeTimeoutMs);
    const state = found === "unknown" ? "unknown" : found ? "ok" : "missing";
    return { name, state, latency_ms: clock() - begin };
  }));
}

function skipped(name: ConnectionStep["name"], reason?: string): ConnectionStep {
  return reason === undefined ? { name, state: "skipped" } : { name, state: "skipped", reason };
}

function asOtherWay(step: ConnectionStep): ConnectionStep {
  return step.state === "failed" ? skipped(step.name, "other_way") : step;
}

function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // It is closed already, by an end of its own.
  }
}
