import assert from "node:assert/strict";
import type { EndpointKeys } from "../../support/endpoint.ts";
import { type Client, json } from "../../support/http_client.ts";
import { until } from "../../support/poll.ts";
import { type Program, withProgram } from "../../support/program.ts";
import { plain, type RawAnswer, type RawUpstream, startRawUpstream } from "../../support/raw_upstream.ts";

/** The program with an upstream behind its S3 endpoint that says what a test wants. */
export interface RawEndpoint extends EndpointKeys {
  readonly url: string;
  readonly upstream: RawUpstream;
  readonly program: Program;
  /** Signed in to the dashboard as an administrator. */
  readonly client: Client;
  /** From now on every request for an object is answered so. */
  answer(answer: RawAnswer): void;
  /** Waits until the upstream has so many connections. */
  connections(count: number): Promise<void>;
  /** Details of the audit records of an operation, newest first. */
  // deno-lint-ignore no-explicit-any
  audited(operation: string): Promise<any[]>;
}

/** Asserts that nothing is left of the requests, here or upstream, and that none of them met what nobody had expected. */
async function assertNothingLeft(program: Program, upstream: RawUpstream): Promise<void> {
  if (program.child.hasExited()) return;
  await until(async () => {
    const metrics = await (await fetch(`${program.url}/metrics`)).text();
    return upstream.open() === 0 && /^service_s3_inflight_requests 0$/m.test(metrics);
  }, { what: "the end of every request" });
  assert.deepEqual(program.logs().filter(({ level }) => level === "error"), []);
}

/** Runs `body`, which has to end all of its requests, with a raw upstream behind the real program, and a credential for the bucket `bucket`. */
export async function withRawEndpoint(
  body: (endpoint: RawEndpoint) => Promise<void>,
  config: Record<string, unknown> = {},
): Promise<void> {
  const upstream = startRawUpstream();
  upstream.set(() => ({ text: plain("200 OK", "") }));
  const s3_proxy = { enabled: true, listen: "127.0.0.1:0" };
  const options = { backends: [{ id: "main", upstream }], config: { s3_proxy, ...config } };
  try {
    await withProgram(options, async (program) => {
      const client = await program.signedIn();
      const scope = { backend_id: "main", buckets: ["bucket"] };
      const made = await json(client.post("/api/admin/s3-credentials", { json: scope }), 201);
      await body({
        accessKey: made.access_key,
        secretKey: made.secret_key,
        url: await program.proxyUrl(),
        upstream,
        program,
        client,
        answer: (answer) =>
          upstream.set(({ target }) =>
            /^\/bucket\/[^?]/.test(target) ? answer : { text: plain("200 OK", "") }
          ),
        connections: async (count) => {
          await until(() => upstream.open() === count, { what: `${count} connections to the upstream` });
        },
        audited: async (operation) => {
          const { events } = await json(client.get(`/api/admin/audit?action=s3.proxy.${operation}`));
          return events.map(({ detail }: { detail: unknown }) => detail);
        },
      });
      await assertNothingLeft(program, upstream);
    });
  } finally {
    await upstream.stop();
  }
}
