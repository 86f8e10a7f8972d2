import { CallbackSeries } from "./callback_series.ts";
import type { Metric } from "./exposition.ts";

const openStates = ["queued", "running", "stopping"] as const;
const endStates = ["done", "failed", "stopped", "interrupted"] as const;

/** How many jobs are in each state: of those that have ended, how many did since the program began. */
export type JobCounts = Readonly<Record<typeof openStates[number] | typeof endStates[number], number>>;

/** The metrics of jobs. */
export function jobMetrics(counts: () => JobCounts): Metric[] {
  const read = (states: readonly (keyof JobCounts)[]) => () => {
    const now = counts();
    return states.map((state) => [state, now[state]] as const);
  };
  return [
    new CallbackSeries({
      name: "service_jobs",
      help: "Jobs that have not ended.",
      label: "state",
      read: read(openStates),
    }),
    new CallbackSeries({
      name: "service_jobs_ended_total",
      help: "Jobs that have ended, by how they did.",
      type: "counter",
      label: "state",
      read: read(endStates),
    }),
  ];
}
