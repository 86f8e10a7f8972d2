import { type ListenAddress, listenerUrl } from "../config/listen_address.ts";
import type { Logger } from "../logging/logger.ts";
import { Problem } from "../problem.ts";
import { withoutBasePath } from "./base_path.ts";
import { problemResponse } from "./problem_response.ts";
import { requestPath } from "./request_path.ts";
import { setSecurityHeaders } from "./security_headers.ts";

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
  readonly #newRequestId: () => string;
  readonly #basePath: string;
  #handler: Handler | null = null;
  #state: ServerState = "starting";
  #inFlight = 0;
  #idle: PromiseWithResolvers<void> | null = null;

  /**
   * Binds `listen`; throws `Deno.errors.AddrInUse` and its kin. `newRequestId` makes the ids of requests that are answered
   * here; `basePath` is that of `server.public_url`, below which the probes are too.
   */
  constructor(listen: ListenAddress, logger: Logger, newRequestId: () => string, basePath: string) {
    this.#logger = logger;
    this.#newRequestId = newRequestId;
    this.#basePath = basePath;
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
    return listenerUrl(this.#server.addr);
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
    const path = requestPath(withoutBasePath(request.url, this.#basePath));
    if (path === "/healthz") return this.#probe(request, 200, "ok");
    if (path === "/readyz") return this.#probe(request, this.#state === "ready" ? 200 : 503, this.#state);
    if (this.#handler === null || this.#state === "draining") return this.#unavailable();
    this.#inFlight++;
    const done = () => {
      if (--this.#inFlight === 0) this.#idle?.resolve();
    };
    info.completed.then(done, done);
    return this.#handler(request, info);
  }

  #unavailable(): Response {
    const headers = { "retry-after": "5" };
    return this.#finish(problemResponse(
      this.#state === "draining"
        ? new Problem(503, "shutting_down", "The service is shutting down.", {
          headers: { ...headers, connection: "close" },
        })
        : new Problem(503, "store_unavailable", "The service is starting.", { headers }),
    ));
  }

  #probe({ method }: Request, status: number, state: string): Response {
    if (method === "GET" || method === "HEAD") {
      return this.#finish(Response.json({ status: state }, { status }));
    }
    const headers = { allow: "GET, HEAD" };
    return this.#finish(problemResponse(
      new Problem(405, "method_not_allowed", `${method} is not possible here.`, { headers }),
    ));
  }

  /** Answers that are made here, before anything is known of the request, carry the headers of all others. */
  #finish(response: Response): Response {
    setSecurityHeaders(response.headers, this.#newRequestId(), false);
    return response;
  }

  #failed(error: unknown): Response {
    this.#logger.error("the server failed", { error: String(error) });
    return this.#finish(new Response(null, { status: 500 }));
  }
}
