import type { Transport } from "./connection.ts";

/** Connects to an origin, and with TLS shakes hands, in `timeoutMs` altogether. Throws what the runtime throws. */
export async function connect({ protocol, hostname, port }: URL, timeoutMs: number): Promise<Transport> {
  const secure = protocol === "https:";
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error("the time is over")), timeoutMs);
  try {
    const plain = await Deno.connect({
      hostname: host,
      port: port === "" ? (secure ? 443 : 80) : Number(port),
      signal: controller.signal,
    });
    return secure ? await encrypt(plain, host, controller.signal) : plain;
  } finally {
    clearTimeout(timer);
  }
}

async function encrypt(plain: Deno.TcpConn, hostname: string, signal: AbortSignal): Promise<Deno.TlsConn> {
  plain.setNoDelay(true);
  const encrypted = await Deno.startTls(plain, { hostname, alpnProtocols: ["http/1.1"] });
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([encrypted.handshake(), aborted.promise]);
    return encrypted;
  } catch (error) {
    encrypted.close();
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
