import process from "node:process";
import { CallbackMetric } from "./callback_metric.ts";
import type { Metric } from "./exposition.ts";

/** CPU times come in microseconds. */
const microsecondsPerSecond = 1e6;

/**
 * What every Prometheus client tells of its process
 * (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics), as far as the runtime knows it.
 * `startedAt` is in milliseconds since the epoch.
 */
export function processMetrics(startedAt: number): Metric[] {
  return [
    new CallbackMetric({
      name: "process_cpu_seconds_total",
      help: "CPU time of the process, user and system.",
      type: "counter",
      read: () => cpuSeconds(process.cpuUsage()),
    }),
    new CallbackMetric({
      name: "process_start_time_seconds",
      help: "When the process began, in seconds since the epoch.",
      read: () => startedAt / 1000,
    }),
    new CallbackMetric({
      name: "process_resident_memory_bytes",
      help: "Resident memory of the process.",
      read: () => Deno.memoryUsage().rss,
    }),
    new CallbackMetric({
      name: "process_heap_bytes",
      help: "Memory of the JavaScript heap that is in use.",
      read: () => Deno.memoryUsage().heapUsed,
    }),
    new CallbackMetric({
      name: "process_open_fds",
      help: "Open files and sockets; on Linux only.",
      read: countOpenFiles,
    }),
  ];
}

function cpuSeconds({ user, system }: { user: number; system: number }): number {
  return (user + system) / microsecondsPerSecond;
}

function countOpenFiles(): number | undefined {
  try {
    return [...Deno.readDirSync("/proc/self/fd")].length;
  } catch {
    return undefined;
  }
}
