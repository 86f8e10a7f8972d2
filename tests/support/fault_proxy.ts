import { type ActiveRule, type FaultRule, FaultRules, type ProxiedRequest } from "./fault_rules.ts";
import { FaultyConnection } from "./faulty_connection.ts";
import type { Upstream } from "./upstreams.ts";

/**
 * What goes wrong between the program and an upstream, whatever is asked for. `refuse`: nothing listens. `hang`: the request
 * is taken and never answered. `cut`: the connection ends after {@link cutAfterBytes} of an answer's body. `html`: a page of
 * some other program, with status 200. `unavailable`: 503 without a body of S3's.
 */
export type Fault = "none" | "refuse" | "hang" | "cut" | "html" | "unavailable";

/** How much of an answer's body comes through before it is cut. */
export const cutAfterBytes = 64 * 1024;

/** A proxy in front of an upstream; can stand for it as a backend. */
export interface FaultProxy extends Pick<Upstream, "endpoint" | "region" | "accessKey" | "secretKey"> {
  /** The requests that have come while no fault was {@link set}, oldest first. */
  readonly requests: readonly ProxiedRequest[];
  /** Ends every open connection; from then on, new ones meet `fault`. */
  set(fault: Fault): void;
  /** Does something to single requests; rules that were added first go first. */
  rule(rule: FaultRule): ActiveRule;
  /** Forgets rules and requests. */
  clear(): void;
  stop(): Promise<void>;
}

const answers = {
  html: answer("200 OK", "text/html", "<!doctype html><title>Router</title><h1>Please sign in</h1>"),
  unavailable: answer("503 Service Unavailable", "text/plain", "try again later"),
};

/** Starts a proxy on a random loopback port. It forwards bytes as they come, so that signatures stay valid. */
export function startFaultProxy(upstream: Upstream): FaultProxy {
  const target = new URL(upstream.endpoint);
  const rules = new FaultRules();
  const requests: ProxiedRequest[] = [];
  const open = new Set<FaultyConnection>();
  let fault: Fault = "none";
  let listener: Deno.TcpListener | undefined = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;

  const handle = async (client: Deno.TcpConn) => {
    const connection = new FaultyConnection(client, { target, rules, requests });
    open.add(connection);
    try {
      if (fault === "none") await connection.forward();
      else if (fault === "cut") await connection.forward({ kind: "truncated", afterBytes: cutAfterBytes });
      else await connection.stall(fault === "hang" || fault === "refuse" ? undefined : answers[fault]);
    } catch {
      // Either side went away, which is what this proxy is for.
    } finally {
      open.delete(connection);
      connection.close();
    }
  };
  const accept = async (from: Deno.TcpListener) => {
    for await (const client of from) void handle(client);
  };
  let accepting = accept(listener);

  const stopListening = () => {
    listener?.close();
    listener = undefined;
  };
  const closeAll = () => open.forEach((connection) => connection.close());
  return {
    endpoint: `http://127.0.0.1:${port}`,
    region: upstream.region,
    accessKey: upstream.accessKey,
    secretKey: upstream.secretKey,
    requests,
    set(next) {
      fault = next;
      if (fault === "refuse") stopListening();
      else if (listener === undefined) {
        listener = Deno.listen({ hostname: "127.0.0.1", port });
        accepting = accept(listener);
      }
      closeAll();
    },
    rule: (rule) => rules.add(rule),
    clear() {
      rules.clear();
      requests.length = 0;
    },
    async stop() {
      stopListening();
      closeAll();
      await accepting;
    },
  };
}

function answer(status: string, contentType: string, body: string): Uint8Array {
  const head = [`HTTP/1.1 ${status}`, `content-type: ${contentType}`, `content-length: ${body.length}`];
  return new TextEncoder().encode([...head, "connection: close", "", body].join("\r\n"));
}
