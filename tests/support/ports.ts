/** The kernel gives none of these to who asks for any port: on Linux those begin at 32768. */
const firstPort = 15_000;
const lastPort = 31_999;

/**
 * `count` different TCP ports that are free on loopback at the time of the call. For programs that cannot be told to
 * choose a port themselves. They are drawn from ports that no listener on port 0 gets, so that no other test's program takes
 * one before the program does.
 */
export function freePorts(count: number): number[] {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort + 1));
    if (isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}
