import assert from "node:assert/strict";
import type { FaultProxy } from "./fault_proxy.ts";
import type { ActiveRule, ProxiedRequest } from "./fault_rules.ts";
import { type Client, json } from "./http_client.ts";

/** A job as the API shows it. */
export interface JobView {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly user_id: string;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  readonly bytes: number;
  readonly current: string;
  readonly can_retry: boolean;
  readonly error?: { readonly code: string; readonly message: string };
  readonly errors?: readonly { readonly key: string; readonly code: string; readonly message: string }[];
  readonly created_at: string;
  readonly started_at?: string;
  readonly finished_at?: string;
}

/** One event of a job, and when it came, in milliseconds. */
export interface JobEvent {
  readonly name: string;
  readonly job: JobView;
  readonly at: number;
}

/** Starts a job that goes on without its client. */
export async function startJob(
  client: Client,
  path: string,
  body: Record<string, unknown>,
): Promise<JobView> {
  const headers = { prefer: "respond-async" };
  return (await json(client.post(path, { json: body, headers }), 202)).job;
}

/** A job as it stands. */
export function getJob(client: Client, id: string): Promise<JobView> {
  return json(client.get(`/api/jobs/${id}`));
}

/** Opens the events of a job; the answer has begun when this resolves. */
export async function openEvents(
  client: Client,
  id: string,
  signal?: AbortSignal,
): Promise<AsyncGenerator<JobEvent>> {
  const response = await client.get(`/api/jobs/${id}/events`, { signal });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.ok(response.body !== null);
  return parseEvents(response.body);
}

/** All events of a job until their stream ends. */
export async function readEvents(client: Client, id: string): Promise<JobEvent[]> {
  return await Array.fromAsync(await openEvents(client, id));
}

/** Follows a job until it has ended, and returns how. */
export async function ended(client: Client, id: string): Promise<JobView> {
  const last = (await readEvents(client, id)).at(-1);
  assert.equal(last?.name, "end");
  return last.job;
}

/** Requests that a proxy holds back. */
export interface HeldRequests {
  /** Resolves when the first of them has come. */
  readonly reached: Promise<void>;
  /** How many have come. */
  readonly count: number;
  /** Lets them pass, and all that come after them. */
  release(): void;
}

/** Holds back every request that matches, from the `from`-th on. */
export function holdRequests(
  proxy: FaultProxy,
  matches: (request: ProxiedRequest) => boolean,
  from = 1,
): HeldRequests {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const rule = proxy.rule({
    matches,
    from,
    onRequest() {
      reached.resolve();
      return released.promise;
    },
  });
  return {
    reached: reached.promise,
    get count() {
      return rule.applied;
    },
    release() {
      rule.remove();
      released.resolve();
    },
  };
}

/** Makes every request that matches wait for some milliseconds, as a busy upstream does. */
export function slowDown(
  proxy: FaultProxy,
  matches: (request: ProxiedRequest) => boolean,
  milliseconds: number,
): ActiveRule {
  return proxy.rule({
    matches,
    onRequest: () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });
}

/** Whether a request copies an object within its upstream. */
export function isCopy({ headers }: ProxiedRequest): boolean {
  return headers.has("x-amz-copy-source");
}

/** Whether a request lists a prefix. */
export function isListing({ method, key, query }: ProxiedRequest): boolean {
  return method === "GET" && key === "" && query.has("list-type");
}

async function* parseEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<JobEvent> {
  let text = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      if (/^(?:retry: \d+|: .*)$/.test(block)) continue;
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      assert.ok(name !== undefined, `not an event: ${block}`);
      yield { name, job: JSON.parse(data), at: performance.now() };
    }
  }
  assert.equal(text, "", "the stream ends within an event");
}
