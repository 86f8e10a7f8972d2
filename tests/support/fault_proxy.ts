import type { Upstream } from "./upstreams.ts";

/**
 * What goes wrong between the program and an upstream. `refuse`: nothing listens. `hang`: the request is taken and never
 * answered. `cut`: the connection ends after {@link cutAfterBytes} of the answer. `html`: a page of some other program, with
 * status 200. `unavailable`: 503 without a body of S3's.
 */
export type Fault = "none" | "refuse" | "hang" | "cut" | "html" | "unavailable";

/** How much of an answer, its head included, comes through before it is cut. */
export const cutAfterBytes = 64 * 1024;

/** A proxy in front of an upstream; can stand for it as a backend. */
export interface FaultProxy extends Pick<Upstream, "endpoint" | "region" | "accessKey" | "secretKey"> {
  /** Ends every open connection; from then on, new ones meet `fault`. */
  set(fault: Fault): void;
  stop(): Promise<void>;
}

const answers = {
  html: answer("200 OK", "text/html", "<!doctype html><title>Router</title><h1>Please sign in</h1>"),
  unavailable: answer("503 Service Unavailable", "text/plain", "try again later"),
};

/** Starts a proxy on a random loopback port. It forwards bytes, so that signatures stay valid. */
export function startFaultProxy(upstream: Upstream): FaultProxy {
  const target = new URL(upstream.endpoint);
  const open = new Set<Deno.TcpConn>();
  let fault: Fault = "none";
  let listener: Deno.TcpListener | undefined = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;

  const handle = async (client: Deno.TcpConn) => {
    open.add(client);
    try {
      if (fault === "none" || fault === "cut") {
        await forward(client, fault === "cut" ? cutAfterBytes : Infinity);
      } else await stall(client, fault === "hang" || fault === "refuse" ? undefined : answers[fault]);
    } catch {
      // Either side went away, which is what this proxy is for.
    } finally {
      open.delete(client);
      close(client);
    }
  };
  const forward = async (client: Deno.TcpConn, limit: number) => {
    const server = await Deno.connect({ hostname: target.hostname, port: Number(target.port) });
    open.add(server);
    try {
      await Promise.race([copy(client, server, Infinity), copy(server, client, limit)]);
    } finally {
      open.delete(server);
      close(server);
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
  return {
    endpoint: `http://127.0.0.1:${port}`,
    region: upstream.region,
    accessKey: upstream.accessKey,
    secretKey: upstream.secretKey,
    set(next) {
      fault = next;
      if (fault === "refuse") stopListening();
      else if (listener === undefined) {
        listener = Deno.listen({ hostname: "127.0.0.1", port });
        accepting = accept(listener);
      }
      open.forEach(close);
    },
    async stop() {
      stopListening();
      open.forEach(close);
      await accepting;
    },
  };
}

function answer(status: string, contentType: string, body: string): Uint8Array {
  const head = [`HTTP/1.1 ${status}`, `content-type: ${contentType}`, `content-length: ${body.length}`];
  return new TextEncoder().encode([...head, "connection: close", "", body].join("\r\n"));
}

/** Passes on at most `limit` bytes. */
async function copy(from: Deno.TcpConn, to: Deno.TcpConn, limit: number): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  for (let left = limit; left > 0;) {
    const count = await from.read(buffer);
    if (count === null) return;
    const bytes = buffer.subarray(0, Math.min(count, left));
    left -= bytes.length;
    await writeAll(to, bytes);
  }
}

/** Takes whatever the client sends; gives the answer, if any, once something came. */
async function stall(client: Deno.TcpConn, bytes: Uint8Array | undefined): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  let answered = bytes === undefined;
  while (await client.read(buffer) !== null) {
    if (!answered && bytes !== undefined) await writeAll(client, bytes);
    answered = true;
  }
}

async function writeAll(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) written += await to.write(bytes.subarray(written));
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // Closed already.
  }
}
