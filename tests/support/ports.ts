/**
 * `count` different TCP ports that are free on loopback at the time of the call. For programs that cannot be told to
 * choose a port themselves: another process may take a port before the program does.
 */
export function freePorts(count: number): number[] {
  const listeners = Array.from({ length: count }, () => Deno.listen({ hostname: "127.0.0.1", port: 0 }));
  const ports = listeners.map((listener) => listener.addr.port);
  for (const listener of listeners) listener.close();
  return ports;
}
