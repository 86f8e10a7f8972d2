import { isLoopback, type ListenAddress, listenerUrl } from "../config/listen_address.ts";
import { requestPath } from "../http/request_path.ts";
import { setSecurityHeaders } from "../http/security_headers.ts";
import type { Logger } from "../logging/logger.ts";
import { badRequest, forbidden, notFound, Problem } from "../problem.ts";
import { CpuProfiler } from "./cpu_profile.ts";
import { HeapSampler } from "./heap_profile.ts";
import { indexPage } from "./index_page.ts";
import { encodePprof, type StackProfile } from "./pprof.ts";

/** What {@link ProfilingListener} works with. */
export interface ProfilingOptions {
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newRequestId: () => string;
}

/** Makes a profile; `signal` ends one that takes time. */
type Profiler = (query: URLSearchParams, signal: AbortSignal) => Promise<StackProfile>;

const folder = "/debug/pprof/";

/** Seconds that a profile takes unless told, as in Go, and at most. */
const defaultSeconds = 30;
const maxSeconds = 300;

/**
 * Serves profiles of this process in the format of pprof, on a listener of its own and without sign-in. Paths are those of
 * Go: https://pkg.go.dev/net/http/pprof
 */
export class ProfilingListener {
  readonly #options: ProfilingOptions;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #isLoopback: boolean;
  readonly #heap: HeapSampler;
  readonly #profilers: ReadonlyMap<string, Profiler>;
  readonly #closing = new AbortController();

  /** Binds `listen`; throws `Deno.errors.AddrInUse` and its kin. */
  constructor({ hostname, port }: ListenAddress, options: ProfilingOptions) {
    this.#options = options;
    this.#isLoopback = isLoopback(hostname);
    this.#server = Deno.serve(
      { hostname, port, onListen: () => {} },
      (request, info) => this.#handle(request, info),
    );
    const cpu = new CpuProfiler(options.clock);
    const heap = new HeapSampler(options.clock);
    this.#heap = heap;
    this.#profilers = new Map<string, Profiler>([
      [`${folder}profile`, (query, signal) => cpu.record(secondsIn(query), signal)],
      [`${folder}heap`, () => heap.inUse()],
      [`${folder}allocs`, (query, signal) => heap.recordAllocations(secondsIn(query), signal)],
    ]);
  }

  /** Base URL by which this machine reaches the listener. */
  get url(): string {
    return listenerUrl(this.#server.addr);
  }

  /** Begins to sample the heap. */
  async start(): Promise<void> {
    await this.#heap.start();
  }

  /** Breaks off profiles that are being recorded, and closes once their requests are answered. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#server.shutdown();
    this.#heap.stop();
  }

  async #handle(request: Request, info: Deno.ServeHandlerInfo<Deno.NetAddr>): Promise<Response> {
    const { clock, newRequestId, logger } = this.#options;
    const requestId = newRequestId();
    // Later the connection may be gone, and its address with it.
    const ip = info.remoteAddr.hostname;
    const path = requestPath(request.url);
    const startedAt = clock();
    const response = await this.#respond(request, requestId);
    setSecurityHeaders(response.headers, requestId, false);
    const log = (aborted?: true) =>
      logger.info("profiling request", {
        request_id: requestId,
        ip,
        method: request.method,
        route: path === folder || this.#profilers.has(path) ? path : undefined,
        status: response.status,
        duration_ms: clock() - startedAt,
        aborted,
      });
    info.completed.then(() => log(), () => log(true));
    return response;
  }

  async #respond(request: Request, requestId: string): Promise<Response> {
    try {
      return await this.#answer(request);
    } catch (error) {
      return problemText(this.#asProblem(error, requestId));
    }
  }

  async #answer(request: Request): Promise<Response> {
    if (!URL.canParse(request.url)) throw badRequest("The request's Host or path is not valid.");
    const url = new URL(request.url);
    this.#requireOwnSite(request, url);
    const profiler = this.#profilers.get(url.pathname);
    if (profiler === undefined && url.pathname !== folder) throw notFound();
    if (request.method !== "GET" && request.method !== "HEAD") {
      const headers = { allow: "GET, HEAD" };
      throw new Problem(405, "method_not_allowed", `${request.method} is not possible here.`, { headers });
    }
    if (profiler === undefined) {
      return new Response(indexPage(this.url + folder), {
        headers: { "content-type": "text/html; charset=utf-8" },
      });
    }
    const headers = { "content-type": "application/octet-stream", "content-disposition": "attachment" };
    if (request.method === "HEAD") return new Response(null, { headers });
    const signal = AbortSignal.any([request.signal, this.#closing.signal]);
    const profile = encodePprof(await profiler(url.searchParams, signal));
    return new Response(new Blob([profile]).stream().pipeThrough(new CompressionStream("gzip")), { headers });
  }

  /**
   * No page of another site may start a profile, which costs time, or read one after its name was made to lead to this
   * machine (DNS rebinding).
   */
  #requireOwnSite({ headers }: Request, { hostname }: URL): void {
    const site = headers.get("sec-fetch-site");
    if (site !== null && site !== "same-origin" && site !== "none") {
      throw forbidden("Other sites may not ask for profiles.");
    }
    if (this.#isLoopback && !isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"))) {
      throw forbidden("This listener answers under loopback names only, such as localhost.");
    }
  }

  #asProblem(error: unknown, requestId: string): Problem {
    if (error instanceof Problem) return error;
    if (error instanceof Error && error.name === "AbortError") {
      return new Problem(503, "shutting_down", "The service is shutting down.");
    }
    this.#options.logger.error("a profile could not be made", {
      request_id: requestId,
      error: error instanceof Error ? error.stack ?? error.message : String(error),
    });
    return new Problem(500, "internal", "The profile could not be made; the log says why.");
  }
}

/** The whole number of seconds that `query` asks for. Throws 400 `bad_request` for anything else. */
function secondsIn(query: URLSearchParams): number {
  const text = query.get("seconds");
  if (text === null) return defaultSeconds;
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= maxSeconds) return value;
  throw badRequest(`seconds must be a whole number from 1 to ${maxSeconds}.`);
}

/** An error as pprof shows it to its user: text of a server that has this header. */
function problemText({ status, message, headers }: Problem): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "x-go-pprof": "1", ...headers },
  });
}
