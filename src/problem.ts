/** What a {@link Problem} may carry besides its status, code and message. */
export interface ProblemOptions {
  /** Machine-readable facts for the client. Never secrets, never upstream addresses. */
  detail?: Record<string, unknown>;
  /** Headers of the answer, such as `Retry-After` or `Allow`. */
  headers?: Record<string, string>;
  /** The error behind this one: logged, never sent. */
  cause?: unknown;
}

/**
 * An error that the client is told about. Services and handlers throw it; the HTTP layer renders it in one place. Anything
 * else that is thrown becomes a 500 `internal` that says nothing about its cause.
 */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly code: string;
  readonly detail?: Record<string, unknown>;
  readonly headers?: Record<string, string>;

  constructor(status: number, code: string, message: string, options: ProblemOptions = {}) {
    super(message, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.detail = options.detail;
    this.headers = options.headers;
  }
}

/** 400 `bad_request`. */
export function badRequest(message: string, detail?: Record<string, unknown>): Problem {
  return new Problem(400, "bad_request", message, { detail });
}

/** 401 `unauthorized`: no session, or one that has ended. */
export function unauthorized(): Problem {
  return new Problem(401, "unauthorized", "Sign in to go on.");
}

/** 403 `forbidden`: signed in, but not allowed to do this. */
export function forbidden(message = "Your role does not allow this."): Problem {
  return new Problem(403, "forbidden", message);
}

/** 404 `not_found`. */
export function notFound(message = "There is nothing at this address."): Problem {
  return new Problem(404, "not_found", message);
}

/** 409 `conflict`, or a more specific `code`. */
export function conflict(message: string, code = "conflict", detail?: Record<string, unknown>): Problem {
  return new Problem(409, code, message, { detail });
}

/** 413 `too_large`. */
export function tooLarge(message: string): Problem {
  return new Problem(413, "too_large", message);
}

/** 429 `rate_limited`, or a more specific `code`; `retryAfterSeconds` is rounded up to at least one second. */
export function tooMany(retryAfterSeconds: number, message: string, code = "rate_limited"): Problem {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return new Problem(429, code, message, { headers: { "retry-after": String(seconds) } });
}
