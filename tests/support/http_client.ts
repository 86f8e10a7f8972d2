import assert from "node:assert/strict";
import { checkAnswer } from "./api_document.ts";

/** What a request may carry. */
export interface RequestOptions {
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly headers?: Record<string, string>;
  /** Leaves out the CSRF header that a mutation otherwise carries. */
  readonly withoutCsrf?: boolean;
  readonly signal?: AbortSignal;
}

/** The error body of the API. */
export interface ApiError {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly detail?: Record<string, unknown>;
  };
}

let clients = 0;

/**
 * An HTTP client of the API that keeps cookies, repeats the CSRF cookie in the header, and follows no redirect. Each
 * client comes from an address of its own, so that limits by address do not join tests together. Every answer is held to
 * the program's OpenAPI document: see {@link checkAnswer}.
 */
export class Client {
  readonly cookies = new Map<string, string>();
  /** The address this client claims to come from; the program trusts it as it trusts any immediate peer. */
  readonly ip: string;

  constructor(readonly url: string) {
    clients++;
    this.ip = `198.18.${Math.floor(clients / 250)}.${clients % 250 + 1}`;
  }

  /** Signs in, or throws. */
  async signIn(username: string, password: string): Promise<this> {
    const response = await this.post("/auth/login/local", { json: { username, password } });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return this;
  }

  /** Sends a request to a path. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const headers = new Headers({ "x-forwarded-for": this.ip, ...options.headers });
    if (this.cookies.size > 0 && !headers.has("cookie")) {
      headers.set("cookie", [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    const csrf = this.cookies.get("service_csrf");
    if (csrf !== undefined && !options.withoutCsrf && method !== "GET" && method !== "HEAD") {
      if (!headers.has("x-csrf-token")) headers.set("x-csrf-token", csrf);
    }
    let body = options.body;
    if (options.json !== undefined) {
      headers.set("content-type", "application/json");
      body = JSON.stringify(options.json);
    }
    const { signal } = options;
    const response = await fetch(this.url + path, { method, headers, body, signal, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return await checkAnswer(this.url, method, path, response);
  }

  get(path: string, options?: RequestOptions): Promise<Response> {
    return this.request("GET", path, options);
  }

  post(path: string, options?: RequestOptions): Promise<Response> {
    return this.request("POST", path, options);
  }

  patch(path: string, options?: RequestOptions): Promise<Response> {
    return this.request("PATCH", path, options);
  }

  put(path: string, options?: RequestOptions): Promise<Response> {
    return this.request("PUT", path, options);
  }

  delete(path: string, options?: RequestOptions): Promise<Response> {
    return this.request("DELETE", path, options);
  }

  #keep(line: string): void {
    const [pair, ...attributes] = line.split("; ");
    const separator = pair.indexOf("=");
    const name = pair.slice(0, separator);
    if (attributes.includes("Max-Age=0")) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(separator + 1));
  }
}

/** Reads a JSON answer, whose status has to be `status`. */
// deno-lint-ignore no-explicit-any
export async function json(response: Response | Promise<Response>, status = 200): Promise<any> {
  const answer = await response;
  const text = await answer.text();
  assert.equal(answer.status, status, text);
  return JSON.parse(text);
}

/** Status and code of an error answer, such as `404 not_found`; checks its shape. */
export async function refusal(response: Response | Promise<Response>): Promise<string> {
  const answer = await response;
  const text = await answer.text();
  const { error } = JSON.parse(text) as ApiError;
  assert.equal(typeof error.message, "string", text);
  assert.ok(answer.headers.get("x-request-id"), "X-Request-Id is missing");
  return `${answer.status} ${error.code}`;
}

/** Discards an answer whose body does not matter and returns its status. */
export async function status(response: Response | Promise<Response>): Promise<number> {
  const answer = await response;
  await answer.body?.cancel();
  return answer.status;
}
