import { type Client, json } from "../tests/support/http_client.ts";
import { processorMicroseconds, residentBytes } from "./process_stats.ts";

/** What a job cost the program, and how it was followed. */
export interface JobRunFigures {
  /** The job as its last event shows it. */
  readonly job: JobSummary;
  readonly seconds: number;
  readonly processorMicroseconds: number;
  /** The largest resident sets in the first half of the time and in the second, in bytes: equal when memory is flat. */
  readonly residentPeaks: readonly [number, number];
  /** The resident set when the job was started, in bytes. */
  readonly startResident: number;
  readonly events: number;
}

/** What of a job is looked at here. */
export interface JobSummary {
  readonly id: string;
  readonly state: string;
  readonly done: number;
  readonly failed: number;
  readonly bytes: number;
  readonly errors?: readonly { readonly key: string; readonly message: string }[];
}

const sampleIntervalMs = 50;

/** Starts a job with `POST path`, follows its events to the end, and measures the program meanwhile. */
export async function runJob(
  client: Client,
  pid: number,
  path: string,
  body: Record<string, unknown>,
): Promise<JobRunFigures> {
  const samples: number[] = [residentBytes(pid)];
  const timer = setInterval(() => samples.push(residentBytes(pid)), sampleIntervalMs);
  const before = processorMicroseconds(pid);
  const start = performance.now();
  try {
    const headers = { prefer: "respond-async" };
    const { job: { id } } = await json(client.post(path, { json: body, headers }), 202);
    const followed = await followJob(client, id);
    const seconds = (performance.now() - start) / 1000;
    const half = samples.length + 1 >> 1;
    return {
      ...followed,
      seconds,
      processorMicroseconds: processorMicroseconds(pid) - before,
      startResident: samples[0],
      residentPeaks: [Math.max(...samples.slice(0, half)), Math.max(...samples.slice(half - 1))],
    };
  } finally {
    clearInterval(timer);
  }
}

/** Reads a job's events until it has ended. */
async function followJob(
  client: Client,
  id: string,
): Promise<Pick<JobRunFigures, "job" | "events">> {
  let events = 0;
  // The server ends the stream of a long job now and then; a browser comes again, too.
  while (true) {
    const { body } = await client.get(`/api/jobs/${id}/events`);
    if (body === null) throw new Error("the job has no events");
    let text = "";
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + piece).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/m.exec(block) ?? [];
        if (name === undefined) continue;
        events++;
        if (name === "end") return { job: JSON.parse(data), events };
      }
    }
  }
}
