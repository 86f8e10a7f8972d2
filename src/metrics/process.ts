import process from "node:process";
import { CallbackMetric } from "./callback_metric.ts";
import type { Metric } from "./exposition.ts";

/** CPU times come in microseconds. */
const microsecondsPerSecond = 1e6;

/**
 * What every Prometheus client tells of its process
 * (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics), as far as the runtime and the kernel know
 * it. `startedAt` is in milliseconds since the epoch.
 */
export function processMetrics(startedAt: number): Metric[] {
  return [...cpuMetrics(), ...memoryMetrics(), ...fileMetrics(), startTime(startedAt)];
}

function cpuMetrics(): Metric[] {
  const seconds = (name: string, help: string, read: (usage: { user: number; system: number }) => number) =>
    new CallbackMetric({
      name,
      help,
      type: "counter",
      read: () => read(process.cpuUsage()) / microsecondsPerSecond,
    });
  return [
    seconds("process_cpu_user_seconds_total", "CPU time of the process in its own code.", ({ user }) => user),
    seconds(
      "process_cpu_system_seconds_total",
      "CPU time of the process in the kernel.",
      ({ system }) => system,
    ),
    seconds(
      "process_cpu_seconds_total",
      "CPU time of the process, user and system.",
      ({ user, system }) => user + system,
    ),
  ];
}

function memoryMetrics(): Metric[] {
  return [
    new CallbackMetric({
      name: "process_resident_memory_bytes",
      help: "Resident memory of the process.",
      read: () => Deno.memoryUsage().rss,
    }),
    new CallbackMetric({
      name: "process_virtual_memory_bytes",
      help: "Virtual memory of the process; on Linux only.",
      read: readVirtualMemory,
    }),
    new CallbackMetric({
      name: "process_heap_bytes",
      help: "Memory of the JavaScript heap that is in use.",
      read: () => Deno.memoryUsage().heapUsed,
    }),
  ];
}

function fileMetrics(): Metric[] {
  return [
    new CallbackMetric({
      name: "process_open_fds",
      help: "Open files and sockets; on Linux only.",
      read: countOpenFiles,
    }),
    new CallbackMetric({
      name: "process_max_fds",
      help: "Most files and sockets that may be open; on Linux only.",
      read: readOpenFilesLimit,
    }),
  ];
}

function startTime(startedAt: number): Metric {
  return new CallbackMetric({
    name: "process_start_time_seconds",
    help: "When the process began, in seconds since the epoch.",
    read: () => startedAt / 1000,
  });
}

function countOpenFiles(): number | undefined {
  try {
    return [...Deno.readDirSync("/proc/self/fd")].length;
  } catch {
    return undefined;
  }
}

function readVirtualMemory(): number | undefined {
  const kibibytes = readNumber("/proc/self/status", /^VmSize:\s*(\d+) kB$/m);
  return kibibytes === undefined ? undefined : kibibytes * 1024;
}

function readOpenFilesLimit(): number | undefined {
  return readNumber("/proc/self/limits", /^Max open files\s+(\d+)/m);
}

function readNumber(path: string, pattern: RegExp): number | undefined {
  try {
    const match = pattern.exec(Deno.readTextFileSync(path));
    return match === null ? undefined : Number(match[1]);
  } catch {
    return undefined;
  }
}
