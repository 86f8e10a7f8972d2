import { Buffer } from "node:buffer";

/** One side of a connection as a script sees it: texts of one character for each byte. */
export interface ScriptedPeer {
  /** Reads until `mark` has come, and gives everything up to there. Throws at the end of the connection. */
  until(mark: string): Promise<string>;
  /** Reads up to the end of the connection. */
  rest(): Promise<string>;
  send(text: string): Promise<void>;
  close(): void;
}

/** A server that does on each connection what a script says. */
export interface ScriptedServer {
  readonly origin: string;
  /** How many connections there have been. */
  count(): number;
}

/** What a script is run with: the number of the connection, from 1. */
export type Script = (peer: ScriptedPeer, number: number) => Promise<void>;

/** Runs `body` with a server that follows `script` on each connection, and closes it after that. */
export async function withScript(
  script: Script,
  body: (server: ScriptedServer) => Promise<void>,
  tls?: { cert: string; key: string },
): Promise<void> {
  const address = { hostname: "127.0.0.1", port: 0 };
  const listener = tls === undefined ? Deno.listen(address) : Deno.listenTls({ ...address, ...tls });
  const peers = new Set<ReturnType<typeof peerOf>>();
  const running: Promise<void>[] = [];
  const accepting = (async () => {
    for await (const connection of listener as AsyncIterable<Deno.Conn>) {
      const peer = peerOf(connection);
      peers.add(peer);
      // A script ends where the connection does.
      running.push(script(peer, peers.size).catch(() => {}).finally(peer.close));
    }
  })();
  const { port } = listener.addr as Deno.NetAddr;
  try {
    await body({
      origin: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
      count: () => peers.size,
    });
  } finally {
    listener.close();
    await accepting.catch(() => {});
    for (const peer of peers) peer.close();
    await Promise.all(running);
  }
}

/** Reads the head of a request. */
export function readHead(peer: ScriptedPeer): Promise<string> {
  return peer.until("\r\n\r\n");
}

/** A script that answers every request that has no body with the same bytes. */
export function answering(text: string): Script {
  return async (peer) => {
    while (true) {
      await readHead(peer);
      await peer.send(text);
    }
  };
}

function peerOf(connection: Deno.Conn): ScriptedPeer {
  const buffer = new Uint8Array(64 * 1024);
  let received = "";
  const fill = async () => {
    const count = await connection.read(buffer);
    if (count !== null) received += Buffer.from(buffer.buffer, 0, count).toString("latin1");
    return count !== null;
  };
  const take = (count: number) => {
    const text = received.slice(0, count);
    received = received.slice(count);
    return text;
  };
  return {
    async until(mark) {
      while (!received.includes(mark)) if (!await fill()) throw new Error("the connection has ended");
      return take(received.indexOf(mark) + mark.length);
    },
    async rest() {
      try {
        while (await fill());
      } catch {
        // Reset, or closed here.
      }
      return take(received.length);
    },
    async send(text) {
      const bytes = Buffer.from(text, "latin1");
      for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
    },
    close() {
      try {
        connection.close();
      } catch {
        // Closed already.
      }
    },
  };
}
