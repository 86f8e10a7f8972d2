import type { ListenAddress } from "../config/listen_address.ts";
import type { Logger } from "../logging/logger.ts";

/** Answers requests once the service is ready. */
export type Handler = (request: Request, info: Deno.ServeHandlerInfo) => Promise<Response>;

/** What a server is doing; `/readyz` tells. */
export type ServerState = "starting" | "ready" | "draining";

/**
 * A listener with health probes and an orderly end. It listens from the start, so that a port in use is found out before
 * anything else happens, and answers 503 until {@link Server.serve} gives it a handler.
 */
export class Server {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #logger: Logger;
  #handler: Handler | null = null;
  #state: ServerState = "starting";
  #inFlight = 0;
  #idle: PromiseWithResolvers<void> | null = null;

  /** Binds `listen`; throws `Deno.errors.AddrInUse` and its kin. */
  constructor(listen: ListenAddress, logger: Logger) {
    this.#logger = logger;
    try {
      this.#server = this.#bind(listen.hostname, listen.port);
    } catch (error) {
      // Every interface of a machine without IPv6.
      if (listen.hostname !== "::" || error instanceof Deno.errors.AddrInUse) throw error;
      this.#server = this.#bind("0.0.0.0", listen.port);
    }
  }

  /** Base URL by which this machine reaches the server. */
  get url(): string {
    const { hostname, port } = this.#server.addr;
    const host = hostname === "::" || hostname === "0.0.0.0" ? "localhost" : hostname;
    return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  }

  /** Starts answering with `handler`. */
  serve(handler: Handler): void {
    this.#handler = handler;
    this.#state = "ready";
  }

  /**
   * Refuses new requests, waits at most `timeout` milliseconds for those in flight, and closes. Returns how many had to be
   * cut off. The listener stays open meanwhile, so that `/readyz` can say why.
   */
  async drain(timeout: number): Promise<number> {
    this.#state = "draining";
    const idle = this.#inFlight === 0
      ? Promise.resolve()
      : (this.#idle = Promise.withResolvers<void>()).promise;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([idle, new Promise<void>((resolve) => timer = setTimeout(resolve, timeout))]);
    clearTimeout(timer);
    const cutOff = this.#inFlight;
    if (cutOff === 0) await this.#server.shutdown();
    return cutOff;
  }

  #bind(hostname: string, port: number): Deno.HttpServer<Deno.NetAddr> {
    const options = { hostname, port, onListen: () => {}, onError: (error: unknown) => this.#failed(error) };
    return Deno.serve(options, (request, info) => this.#route(request, info));
  }

  #route(request: Request, info: Deno.ServeHandlerInfo): Response | Promise<Response> {
    const path = pathOf(request.url);
    if (path === "/healthz") return probe(request, 200, "ok");
    if (path === "/readyz") return probe(request, this.#state === "ready" ? 200 : 503, this.#state);
    if (this.#handler === null || this.#state === "draining") return this.#unavailable();
    this.#inFlight++;
    const done = () => {
      if (--this.#inFlight === 0) this.#idle?.resolve();
    };
    info.completed.then(done, done);
    return this.#handler(request, info);
  }

  #unavailable(): Response {
    const draining = this.#state === "draining";
    const [code, message] = draining
      ? ["shutting_down", "The service is shutting down."]
      : ["store_unavailable", "The service is starting."];
    return Response.json({ error: { code, message } }, {
      status: 503,
      headers: {
        "retry-after": "5",
        "cache-control": "no-store",
        ...(draining ? { connection: "close" } : {}),
      },
    });
  }

  #failed(error: unknown): Response {
    this.#logger.error("the server failed", { error: String(error) });
    return new Response(null, { status: 500 });
  }
}

/** A probe's answer. */
function probe({ method }: Request, status: number, state: string): Response {
  if (method !== "GET" && method !== "HEAD") {
    const error = { code: "method_not_allowed", message: `${method} is not possible here.` };
    return Response.json({ error }, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  return Response.json({ status: state }, { status, headers: { "cache-control": "no-store" } });
}

/** The path of a request's URL without parsing the rest of it, which may not be valid. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  return start < 0 ? "/" : url.slice(start).split(/[?#]/, 1)[0];
}
