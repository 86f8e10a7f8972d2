import { ListBucketsCommand } from "@aws-sdk/client-s3";
import type { Logger } from "../logging/logger.ts";
import { Problem } from "../problem.ts";
import type { CapabilityStore } from "./capabilities.ts";
import { failureReason } from "./failure_reason.ts";
import type { BackendRegistry } from "./registry.ts";
import type { S3Connection } from "./s3_client.ts";
import { errorMessage } from "../error_message.ts";

/** How many results are kept for each backend, as the specification says. */
const historyLength = 20;

/** Time between two rounds of probes, in milliseconds. */
const intervalMs = 30_000;

/** Time a backend has to answer a probe, in milliseconds. */
export const probeTimeoutMs = 5_000;

/** Outcome of one probe. */
export interface ProbeResult {
  /** When the probe began, in milliseconds since the epoch. */
  readonly at: number;
  readonly healthy: boolean;
  readonly latencyMs: number;
  /** Why the probe failed. */
  readonly error?: string;
  /** The same as a code: see {@link failureReason}. */
  readonly reason?: string;
}

/** What one look at a backend found. */
export interface ConnectionTest extends ProbeResult {
  /** Names of the buckets; absent when the backend's key may not list them, which is no failure. */
  readonly buckets?: string[];
  /** The same as `error`, with its details. */
  readonly failure?: Problem;
}

/** What {@link HealthMonitor} needs. */
export interface HealthMonitorDeps {
  readonly registry: BackendRegistry;
  readonly capabilities: CapabilityStore;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** A result by the order in which probes began. */
interface NumberedResult {
  readonly number: number;
  readonly result: ProbeResult;
}

/** Asks each backend for its buckets, now and then, and remembers the last 20 results. */
export class HealthMonitor {
  readonly #deps: HealthMonitorDeps;
  readonly #histories = new Map<string, NumberedResult[]>();
  #begun = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(deps: HealthMonitorDeps) {
    this.#deps = deps;
    deps.registry.onChange((id) => {
      this.#histories.delete(id);
      deps.capabilities.forget(id);
      if (this.#timer !== undefined && this.#isEnabled(id)) void this.probe(id);
    });
  }

  /** Probes every backend at once, and again each 30 seconds until {@link stop}. */
  start(): void {
    const round = () => {
      for (const { id, enabled } of this.#deps.registry.list()) if (enabled) void this.probe(id);
    };
    this.#timer = setInterval(round, intervalMs);
    round();
  }

  /** Ends the schedule. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The results of a backend's last probes, in the order in which these began. */
  history(id: string): readonly ProbeResult[] {
    return (this.#histories.get(id) ?? []).map(({ result }) => result);
  }

  /** The result of a backend's last probe. */
  last(id: string): ProbeResult | undefined {
    return this.#histories.get(id)?.at(-1)?.result;
  }

  /** Probes one backend now and records the result. Never throws for a backend that is there. */
  async probe(id: string): Promise<ProbeResult> {
    const number = ++this.#begun;
    const { buckets: _, failure: __, ...result } = await this.#look(id);
    const before = this.last(id);
    if (this.#isEnabled(id)) this.#record(id, { number, result });
    const now = this.last(id);
    if (now !== undefined && before?.healthy !== now.healthy) {
      this.#deps.logger[now.healthy ? "info" : "warn"]("backend health changed", {
        backend: id,
        healthy: now.healthy,
        error: now.error,
      });
    }
    return result;
  }

  /** Keeps a result. One that took long to come says less than those of the probes that began after it. */
  #record(id: string, added: NumberedResult): void {
    const results = [...this.#histories.get(id) ?? [], added].sort((a, b) => a.number - b.number);
    this.#histories.set(id, results.slice(-historyLength));
  }

  async #look(id: string): Promise<ConnectionTest> {
    const { registry, capabilities, clock } = this.#deps;
    let connection: S3Connection;
    try {
      connection = registry.connect(id);
    } catch (error) {
      return { at: clock(), healthy: false, latencyMs: 0, ...describeFailure(error) };
    }
    const result = await testConnection(connection, clock);
    if (result.buckets?.length && !capabilities.isProbed(id)) {
      await capabilities.probe(connection, result.buckets[0], probeTimeoutMs);
    }
    return result;
  }

  #isEnabled(id: string): boolean {
    return this.#deps.registry.list().some((backend) => backend.id === id && backend.enabled);
  }
}

/**
 * Asks a backend for its buckets. A backend that answers but denies its key the list is healthy: keys that are bound to
 * some buckets are common.
 */
export async function testConnection(connection: S3Connection, clock: () => number): Promise<ConnectionTest> {
  const at = clock();
  try {
    const { Buckets = [] } = await connection.call(
      (sdk, options) => sdk.send(new ListBucketsCommand({}), options),
      { timeoutMs: probeTimeoutMs, answer: "ListAllMyBucketsResult" },
    );
    const buckets = Buckets.flatMap(({ Name }) => Name ?? []);
    return { at, healthy: true, latencyMs: clock() - at, buckets };
  } catch (error) {
    const latencyMs = clock() - at;
    if (error instanceof Problem && error.detail?.upstream_code === "AccessDenied") {
      return { at, healthy: true, latencyMs };
    }
    const failure = error instanceof Problem ? error : undefined;
    return { at, healthy: false, latencyMs, ...describeFailure(error), failure };
  }
}

function describeFailure(error: unknown): Pick<ProbeResult, "error" | "reason"> {
  return { error: errorMessage(error), reason: failureReason(error) };
}
