import type { AuditNote } from "../audit/event.ts";
import type { AuditWriter } from "../audit/writer.ts";
import type { Principal } from "../auth/principal.ts";
import type { SessionService } from "../auth/sessions.ts";
import type { Cidr } from "../config/cidr.ts";
import type { Logger } from "../logging/logger.ts";
import { badRequest, notFound, Problem } from "../problem.ts";
import { type AnsweredRequest, auditedAction, describeAnswered } from "./answered_request.ts";
import { addBasePath, withoutBasePath } from "./base_path.ts";
import { type ClientAddress, clientAddress } from "./client_address.ts";
import { compressed } from "./compression.ts";
import { cookie, csrfCookie, readCookie, sessionCookie } from "./cookies.ts";
import { enforceCsrf, enforceRole, enforceSession, refuseAsCode } from "./guard.ts";
import { parseBody, parseQuery } from "./parse.ts";
import { requestPath } from "./request_path.ts";
import { problemResponse } from "./problem_response.ts";
import type { RateLimiter } from "./rate_limiter.ts";
import { baseRedirect, pageRedirect } from "./redirects.ts";
import type { Route } from "./route.ts";
import type { Router } from "./router.ts";
import { setSecurityHeaders } from "./security_headers.ts";

/** What an error page may tell. */
export interface ErrorPageContext {
  readonly request: Request;
  readonly requestId: string;
  readonly principal: Principal | null;
}

/** What {@link Pipeline} works with. */
export interface PipelineDeps {
  readonly router: Router;
  readonly sessions: SessionService;
  readonly audit: AuditWriter;
  readonly logger: Logger;
  /** Requests to `/api/*` by session; `null` for no limit. */
  readonly apiLimiter: RateLimiter | null;
  readonly trustedProxies: readonly Cidr[];
  /** Origin of `server.public_url`, or `null`. */
  readonly publicOrigin: string | null;
  /** Path of `server.public_url`, or empty. */
  readonly basePath: string;
  readonly clock: () => number;
  /** A new id for a request, unguessable. */
  readonly newRequestId: () => string;
  /** Answers for a static file, or `null` for a path that is none. */
  readonly staticFile: (request: Request, pathname: string) => Response | null;
  readonly errorPage: (problem: Problem, context: ErrorPageContext) => Response;
  /** Called at the end of each request. */
  readonly onAnswered: (answered: AnsweredRequest) => void;
}

/** What is known of a request so far. */
interface Exchange {
  readonly request: Request;
  readonly requestId: string;
  readonly client: ClientAddress;
  readonly startedAt: number;
  readonly audit: AuditNote;
  url: URL | null;
  route: Route | null;
  params: Record<string, string>;
  principal: Principal | null;
}

/**
 * Takes a request through its steps: route, session, limit, guard, CSRF, parsing, handler, audit record, headers, log.
 * Every answer leaves through here, and so does every error.
 */
export class Pipeline {
  readonly #deps: PipelineDeps;

  constructor(deps: PipelineDeps) {
    this.#deps = deps;
  }

  /** Answers one request; never rejects. */
  readonly handle = async (request: Request, info: Deno.ServeHandlerInfo): Promise<Response> => {
    const { clock, newRequestId, trustedProxies } = this.#deps;
    const exchange: Exchange = {
      request,
      requestId: newRequestId(),
      client: clientAddress(request.headers, info.remoteAddr, trustedProxies),
      startedAt: clock(),
      audit: { detail: {} },
      url: null,
      route: null,
      params: {},
      principal: null,
    };
    const response = await compressed(request, await this.#respond(exchange));
    this.#setHeaders(exchange, response.headers);
    info.completed.then(
      () => this.#finish(exchange, response, false),
      () => this.#finish(exchange, response, true),
    );
    return response;
  };

  async #respond(exchange: Exchange): Promise<Response> {
    let response: Response;
    try {
      response = mutable(await this.#answer(exchange));
    } catch (error) {
      response = this.#problem(exchange, this.#asProblem(exchange, error));
    }
    try {
      await this.#record(exchange, response.status);
    } catch {
      // The writer has logged why. What was done is done, but nobody is told that it is on record.
      await response.body?.cancel();
      const problem = new Problem(503, "store_unavailable", "The audit record could not be written.");
      response = this.#problem(exchange, problem);
    }
    return response;
  }

  async #answer(exchange: Exchange): Promise<Response> {
    const { router, staticFile, basePath } = this.#deps;
    const { request } = exchange;
    const address = withoutBasePath(request.url, basePath);
    if (!URL.canParse(address)) throw badRequest("The request's Host or path is not valid.");
    exchange.url = new URL(address);
    const canonical = baseRedirect(request.url, basePath);
    if (canonical !== null) return canonical;
    const file = staticFile(request, exchange.url.pathname);
    if (file !== null) return file;
    exchange.principal = this.#findPrincipal(request);
    const { route, params } = router.match(request.method, exchange.url.pathname);
    if (route.atRoot && address !== request.url) throw notFound();
    exchange.route = route;
    exchange.params = params;
    Object.assign(exchange.audit.detail, route.auditDetail);
    const redirect = pageRedirect(route, exchange.principal, exchange.url, request.headers);
    if (redirect !== null) return new Response(null, { status: 303, headers: { location: redirect } });
    return await this.#handle(exchange, exchange.url, route);
  }

  async #handle(exchange: Exchange, url: URL, route: Route): Promise<Response> {
    const { request, client, params } = exchange;
    refuseAsCode(request);
    enforceSession(route, exchange.principal);
    this.#limit(url, exchange.principal);
    enforceCsrf(request, route, exchange.principal, client, this.#deps.publicOrigin);
    enforceRole(route, exchange.principal);
    const query = route.query === undefined ? undefined : parseQuery(route.query, url.search);
    const body = route.body === undefined ? undefined : await parseBody(route.body, request, route.form);
    if (route.body !== undefined && route.guard !== "public") this.#confirm(exchange, route);
    return await route.handler({
      request,
      url,
      requestId: exchange.requestId,
      client,
      params,
      query,
      body,
      // Not null behind a guard, as was just enforced; the handler of a public route expects null.
      principal: exchange.principal as Principal,
      audit: exchange.audit,
    });
  }

  /** Looks at the session again: it may have ended, or its user's role changed, while the body was on its way. */
  #confirm(exchange: Exchange, route: Route): void {
    const principal = this.#findPrincipal(exchange.request);
    enforceSession(route, principal);
    exchange.principal = principal;
    enforceRole(route, principal);
  }

  #findPrincipal(request: Request): Principal | null {
    const token = readCookie(request.headers, sessionCookie);
    if (token === null) return null;
    return this.#deps.sessions.find(token, isBackground(request));
  }

  #limit(url: URL, principal: Principal | null): void {
    const { apiLimiter } = this.#deps;
    if (apiLimiter === null || principal === null || !url.pathname.startsWith("/api/")) return;
    const wait = apiLimiter.take(principal.session.id);
    if (wait === 0) return;
    // The specification: `Retry-After` holds the bucket's window. One token is back before that: the detail says when.
    throw new Problem(429, "rate_limited", "Too many requests. Slow down.", {
      detail: { wait_ms: Math.ceil(wait) },
      headers: { "retry-after": String(apiLimiter.windowSeconds) },
    });
  }

  #asProblem({ requestId }: Exchange, error: unknown): Problem {
    if (error instanceof Problem) return error;
    this.#deps.logger.error("a request failed unexpectedly", {
      request_id: requestId,
      error: error instanceof Error ? error.stack ?? error.message : String(error),
    });
    return new Problem(500, "internal", "Something went wrong on the server.");
  }

  #problem(exchange: Exchange, problem: Problem): Response {
    const { request, requestId, url, route, principal, audit } = exchange;
    if (problem.status >= 500 && problem.cause !== undefined) {
      this.#deps.logger.warn("a request failed", { request_id: requestId, error: causeText(problem.cause) });
    }
    audit.detail.code ??= problem.code;
    const path = url?.pathname ?? requestPath(withoutBasePath(request.url, this.#deps.basePath));
    const wantsPage = route === null
      ? !/^\/(api|auth)(\/|$)/.test(path)
      : route.page === true || (route.errorPages === true && acceptsHtml(request));
    if (!wantsPage) return problemResponse(problem);
    try {
      return this.#deps.errorPage(problem, { request, requestId, principal });
    } catch (error) {
      // A page needs more than an error has: what is pinned, say, is in a database that may be what has failed.
      return problemResponse(this.#asProblem(exchange, error));
    }
  }

  async #record(
    { request, requestId, client, url, route, principal, params, audit }: Exchange,
    status: number,
  ) {
    const action = auditedAction(route, audit);
    if (action === "none") return;
    // The specification: always `ok`. One that is refused signs nobody out.
    if (action === "auth.logout" && status >= 400) return;
    await this.#deps.audit.record({
      at: this.#deps.clock(),
      action,
      userId: audit.userId ?? principal?.user.id ?? "",
      backend: audit.backend ?? params.bid ?? "",
      bucket: audit.bucket ?? params.bucket ?? "",
      key: audit.key ?? refusedKey(params, url),
      requestId,
      ip: client.ip,
      userAgent: request.headers.get("user-agent")?.slice(0, 512) ?? "",
      status: audit.status ?? (status < 400 ? "ok" : "error"),
      detail: audit.detail,
    });
  }

  #setHeaders(exchange: Exchange, headers: Headers): void {
    // HSTS is about a whole host: below a path, others have their say in that.
    const hsts = exchange.client.secure && this.#deps.basePath === "";
    setSecurityHeaders(headers, exchange.requestId, hsts);
    this.#renewCsrfCookie(exchange, headers);
    addBasePath(headers, this.#deps.basePath);
  }

  #renewCsrfCookie({ client, principal }: Exchange, headers: Headers): void {
    if (principal === null || headers.getSetCookie().some((value) => value.startsWith(`${csrfCookie}=`))) {
      return;
    }
    const maxAge = Math.floor((principal.session.expiresAt - this.#deps.clock()) / 1000);
    const options = { httpOnly: false, secure: client.secure, maxAge };
    headers.append("set-cookie", cookie(csrfCookie, principal.session.csrfToken, options));
  }

  #finish(exchange: Exchange, response: Response, aborted: boolean): void {
    const durationMs = this.#deps.clock() - exchange.startedAt;
    this.#log(exchange, response.status, durationMs, aborted);
    this.#deps.onAnswered(describeAnswered(exchange, response, durationMs));
  }

  /** One line a request. Never a query value: keys are in there. */
  #log(exchange: Exchange, status: number, durationMs: number, aborted: boolean): void {
    const { requestId, request, client, route, principal } = exchange;
    const isStaticFile = route === null && status < 400;
    this.#deps.logger[isStaticFile ? "debug" : "info"]("request", {
      request_id: requestId,
      user: principal?.user.username,
      ip: client.ip,
      method: request.method,
      route: route?.path,
      status,
      duration_ms: durationMs,
      aborted: aborted || undefined,
    });
  }
}

/**
 * The key of a route about objects: a refusal comes before the handler could say which one it is. Elsewhere a parameter of that
 * name means nothing, and strangers must not write into the audit by it.
 */
function refusedKey({ bucket }: Record<string, string>, url: URL | null): string {
  return bucket === undefined ? "" : url?.searchParams.get("key")?.slice(0, 1024) ?? "";
}

/** Whether no person is behind a request: polling says so, and browsers come again for events by themselves. */
function isBackground({ headers }: Request): boolean {
  return headers.get("x-background") === "1" || headers.get("accept") === "text/event-stream";
}

function acceptsHtml({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/html") ?? false;
}

/** Answers that a handler passes on from `fetch` have headers that cannot be changed. */
function mutable(response: Response): Response {
  try {
    response.headers.delete("x-request-id");
    return response;
  } catch {
    return new Response(response.body, response);
  }
}

function causeText(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}
