import type { Upstream } from "./upstreams.ts";

/** Method and target of a request's first line, such as `GET` and `/bucket/key?x=1`. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
}

/** What goes over the wire as it is. */
export interface RawAnswer {
  readonly text: string;
  /** Keeps the connection open after it. */
  readonly hold?: boolean;
  /** Bytes of the request's body that are waited for before anything is answered. */
  readonly after?: number;
  /** Bytes of no meaning that follow the text. */
  readonly filler?: number;
}

/** An upstream that says what a test wants, in bytes. */
export interface RawUpstream extends Pick<Upstream, "endpoint" | "region" | "accessKey" | "secretKey"> {
  /** From now on answers each request with what `answer` gives. */
  set(answer: (request: RawRequest) => RawAnswer): void;
  /** How many connections are open. */
  open(): number;
  /** Stops listening and breaks every connection. May be called again. */
  stop(): Promise<void>;
}

const filler = new Uint8Array(256 * 1024);

/** Starts an upstream on a random loopback port. It reads a request's head and answers, without waiting for its body unless told. */
export function startRawUpstream(): RawUpstream {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections = new Set<Deno.TcpConn>();
  let isStopped = false;
  let answer: (request: RawRequest) => RawAnswer = () => ({ text: plain("503 Service Unavailable", "") });

  const serve = async (connection: Deno.TcpConn) => {
    connections.add(connection);
    try {
      const head = await readHead(connection);
      const [method, target] = head.split(" ");
      const { text, hold, after = 0, filler = 0 } = answer({ method, target });
      await discard(connection, after - head.length + head.indexOf("\r\n\r\n") + 4);
      const drained = drain(connection);
      await writeAll(connection, new TextEncoder().encode(text));
      await fill(connection, filler);
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
      if (!isStopped) listener.close();
      isStopped = true;
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

/** Reads `count` bytes. */
async function discard(connection: Deno.TcpConn, count: number): Promise<void> {
  const buffer = new Uint8Array(256 * 1024);
  for (let left = count; left > 0;) left -= await connection.read(buffer) ?? left;
}

/** Sends `count` bytes of no meaning. */
async function fill(connection: Deno.TcpConn, count: number): Promise<void> {
  for (let left = count; left > 0; left -= filler.length) {
    await writeAll(connection, filler.subarray(0, left));
  }
}

async function drain(connection: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    while (await connection.read(buffer) !== null);
  } catch {
    // Closed by either side.
  }
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) written += await connection.write(bytes.subarray(written));
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // Closed already.
  }
}
