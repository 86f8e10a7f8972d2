/** A proxy that speaks TLS to clients and plain TCP to the server behind it, as an edge in front of the program does. */
export interface TlsProxy {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a proxy for the server at `target` on a random loopback port. It passes bytes on and reads none of them.
 *
 * @param certificate in PEM, with its key
 */
export function startTlsProxy(target: string, certificate: { cert: string; key: string }): TlsProxy {
  const { hostname, port } = new URL(target);
  const listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, ...certificate });
  const open = new Set<Promise<void>>();
  const connections = new Set<Deno.Conn>();

  const forward = async (client: Deno.TlsConn) => {
    connections.add(client);
    let server: Deno.TcpConn | undefined;
    try {
      server = await Deno.connect({ hostname, port: Number(port) });
      connections.add(server);
      await Promise.race([
        client.readable.pipeTo(server.writable),
        server.readable.pipeTo(client.writable),
      ]);
    } catch {
      // Either side went away; the other one is told below.
    } finally {
      for (const connection of [client, server]) if (connection !== undefined) close(connection, connections);
    }
  };
  const accept = async () => {
    for await (const client of listener) {
      const done = forward(client).finally(() => open.delete(done));
      open.add(done);
    }
  };
  const accepting = accept();

  return {
    url: `https://127.0.0.1:${listener.addr.port}`,
    async stop() {
      listener.close();
      await accepting;
      for (const connection of connections) close(connection, connections);
      await Promise.all(open);
    },
  };
}

function close(connection: Deno.Conn, connections: Set<Deno.Conn>): void {
  connections.delete(connection);
  try {
    connection.close();
  } catch {
    // Closed already.
  }
}
