import type { Upstream } from "./upstreams.ts";

/** Method and target of a request's first line, such as `GET` and `/bucket/key?x=1`. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
}

/** What goes over the wire as it is; `hold` keeps the connection open after it. */
export interface RawAnswer {
  readonly text: string;
  readonly hold?: boolean;
}

/** An upstream that says what a test wants, in bytes. */
export interface RawUpstream extends Pick<Upstream, "endpoint" | "region" | "accessKey" | "secretKey"> {
  /** From now on answers each request with what `answer` gives. */
  set(answer: (request: RawRequest) => RawAnswer): void;
  /** How many connections are open. */
  open(): number;
  stop(): Promise<void>;
}

/** Starts an upstream on a random loopback port. It reads a request's head and answers without waiting for its body. */
export function startRawUpstream(): RawUpstream {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections = new Set<Deno.TcpConn>();
  let answer: (request: RawRequest) => RawAnswer = () => ({ text: plain("503 Service Unavailable", "") });

  const serve = async (connection: Deno.TcpConn) => {
    connections.add(connection);
    try {
      const [method, target] = (await readHead(connection)).split(" ");
      const { text, hold } = answer({ method, target });
      const drained = drain(connection);
      await writeAll(connection, text);
      if (hold) await drained;
    } catch {
      // The program went away.
    } finally {
      connections.delete(connection);
      close(connection);
    }
  };
  const accepting = (async () => {
    for await (const connection of listener) void serve(connection);
  })();

  return {
    endpoint: `http://127.0.0.1:${listener.addr.port}`,
    region: "us-east-1",
    accessKey: "raw-access-key",
    secretKey: "raw-secret-key",
    set(next) {
      answer = next;
    },
    open: () => connections.size,
    async stop() {
      listener.close();
      connections.forEach(close);
      await accepting;
    },
  };
}

/** An answer with a length and a closed connection. */
export function plain(status: string, body: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ "content-length": String(body.length), connection: "close", ...headers })
    .map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status}`, ...lines, "", body].join("\r\n");
}

async function readHead(connection: Deno.TcpConn): Promise<string> {
  const buffer = new Uint8Array(64 * 1024);
  let head = "";
  while (!head.includes("\r\n\r\n")) {
    const count = await connection.read(buffer);
    if (count === null) throw new Error("no request came");
    head += new TextDecoder("latin1").decode(buffer.subarray(0, count));
  }
  return head;
}

async function drain(connection: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    while (await connection.read(buffer) !== null);
  } catch {
    // Closed by either side.
  }
}

async function writeAll(connection: Deno.TcpConn, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length;) written += await connection.write(bytes.subarray(written));
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // Closed already.
  }
}
