import type { z } from "zod";
import { errorMessage } from "../../../error_message.ts";
import { readLines, readText } from "./bounded_body.ts";
import { type ClusterAccess, ClusterAccessError } from "./cluster_access.ts";
import {
  secretListSchema,
  type SecretObject,
  statusSchema,
  type WatchEvent,
  watchLineSchema,
} from "./wire.ts";

/** Time limits of requests, in milliseconds. */
export interface RequestLimits {
  /** For one page of a list. */
  readonly list: number;
  /** How long the API server is asked to keep a watch open, in whole seconds for it. */
  readonly watch: number;
  /** How much longer a watch may last before its connection counts as dead. */
  readonly watchSlack: number;
}

/** Every Secret there is, and from where to watch for changes. */
export interface SecretList {
  readonly secrets: readonly SecretObject[];
  readonly resourceVersion: string;
}

/** The API server refused a request, or what it sent cannot be understood. Never holds what a Secret holds. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** Status of the answer or of an `ERROR` event; `undefined` for an answer that cannot be understood. */
  readonly status: number | undefined;
  /** How long to wait, in milliseconds, when the server says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, details: { status?: number; retryAfter?: number } = {}) {
    super(message);
    this.status = details.status;
    this.retryAfter = details.retryAfter;
  }

  /** Whether the resource version is too old: only a new list shows what there is. */
  get isGone(): boolean {
    return this.status === 410;
  }
}

/** The Secrets that are meant for the S3 endpoint. */
const labelSelector = "broker.service.io/role in (virtual-credential,anonymous-binding)";

const pageSize = 500;

/** An object is at most 1.5 MiB in etcd; the rest is room for what the API server adds. */
const maxLineBytes = 4 * 1024 * 1024;
const maxPageBytes = 64 * 1024 * 1024;
const maxSecrets = 100_000;
const maxStatusBytes = 64 * 1024;

/** Reads the Secrets of one namespace by the Kubernetes API. Nothing is ever written. */
export class ApiClient {
  readonly #access: ClusterAccess;
  readonly #url: string;
  readonly #limits: RequestLimits;
  readonly #http: Deno.HttpClient;

  /** Connects to nothing yet. Throws {@link ClusterAccessError} when the certificates or the namespace cannot be used. */
  constructor(access: ClusterAccess, namespace: string, limits: RequestLimits) {
    // A label of RFC 1123, as https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ says.
    if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace)) {
      throw new ClusterAccessError(`"${namespace}" is not the name of a namespace`, "namespace");
    }
    this.#access = access;
    this.#url = `${access.server}/api/v1/namespaces/${namespace}/secrets`;
    this.#limits = limits;
    this.#http = createHttpClient(access);
  }

  /** Lists all Secrets, page by page. Ends at once when `signal` aborts. */
  async list(signal: AbortSignal): Promise<SecretList> {
    const secrets: SecretObject[] = [];
    let page: z.output<typeof secretListSchema> | undefined;
    do {
      page = await this.#listPage(page?.metadata.continue ?? "", signal);
      secrets.push(...page.items);
      if (secrets.length > maxSecrets) throw new ApiError(`there are more than ${maxSecrets} Secrets`);
    } while (page.metadata.continue);
    return { secrets, resourceVersion: page.metadata.resourceVersion };
  }

  /**
   * Yields each change after `resourceVersion`, until the API server ends the answer, as it does now and then. A connection
   * that is still open after the limits' `watch` and `watchSlack` is given up, since nobody may be at its other end.
   */
  async *watch(resourceVersion: string, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const { watch, watchSlack } = this.#limits;
    const deadline = new Deadline(signal, watch + watchSlack);
    try {
      const body = await this.#get({
        watch: "1",
        resourceVersion,
        allowWatchBookmarks: "true",
        timeoutSeconds: String(Math.ceil(watch / 1000)),
      }, deadline.signal);
      for await (const line of readLines(body, maxLineBytes)) yield parseEvent(line);
    } finally {
      deadline.clear();
    }
  }

  /** Closes the connections; no request can be made afterwards. */
  close(): void {
    this.#http.close();
  }

  async #listPage(next: string, signal: AbortSignal): Promise<z.output<typeof secretListSchema>> {
    const deadline = new Deadline(signal, this.#limits.list);
    try {
      const body = await this.#get(
        { limit: String(pageSize), ...(next === "" ? {} : { continue: next }) },
        deadline.signal,
      );
      return parseAs(secretListSchema, await readText(body, maxPageBytes), "the list");
    } finally {
      deadline.clear();
    }
  }

  /** The body of a successful answer. A token that was refused is read again, and if it has changed, tried again. */
  async #get(query: Record<string, string>, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const url = `${this.#url}?${new URLSearchParams({ labelSelector, ...query })}`;
    const token = await this.#access.token?.();
    let response = await this.#fetch(url, token, signal);
    if (response.status === 401 && this.#access.token !== undefined) {
      const fresh = await this.#access.token();
      if (fresh !== token) {
        await response.body?.cancel();
        response = await this.#fetch(url, fresh, signal);
      }
    }
    if (response.status !== 200) throw await refusalOf(response);
    if (response.body === null) throw new ApiError("the answer is empty");
    return response.body;
  }

  #fetch(url: string, token: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    return fetch(url, { client: this.#http, headers, redirect: "manual", signal });
  }
}

function createHttpClient({ caCertificates, clientCertificate }: ClusterAccess): Deno.HttpClient {
  try {
    return Deno.createHttpClient({ caCerts: [...caCertificates], http2: false, ...clientCertificate });
  } catch (error) {
    throw new ClusterAccessError(`the certificates cannot be used: ${errorMessage(error)}`);
  }
}

function parseEvent(line: string): WatchEvent {
  const event = parseAs(watchLineSchema, line, "a line of the watch");
  if (event.type !== "ERROR") return event;
  throw new ApiError(`the watch ended: ${excerpt(event.object.message)}`, { status: event.object.code });
}

/** Parses JSON; the error does not quote it, since it may hold Secrets. */
function parseAs<Schema extends z.ZodType>(schema: Schema, text: string, what: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError(`${what} is not JSON`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ApiError(
    `${what} is not what the Kubernetes API sends: ${result.error.issues[0].path.join(".")}`,
  );
}

async function refusalOf(response: Response): Promise<ApiError> {
  const { status, headers, body } = response;
  const reason = body === null ? "" : await statusMessage(body);
  const seconds = Number(headers.get("retry-after") ?? NaN);
  return new ApiError(`the API server answered ${status}${reason === "" ? "" : `: ${reason}`}`, {
    status,
    retryAfter: seconds >= 0 ? seconds * 1000 : undefined,
  });
}

/** What the `Status` object of an answer says; empty when the answer is something else. */
async function statusMessage(body: ReadableStream<Uint8Array>): Promise<string> {
  try {
    return excerpt(parseAs(statusSchema, await readText(body, maxStatusBytes), "the answer").message);
  } catch {
    return "";
  }
}

function excerpt(message: string): string {
  return message.length > 300 ? `${message.slice(0, 299)}…` : message;
}

/** Ends a request when its time is over or `parent` aborts. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #onParentAbort = () => this.#controller.abort(this.#parent.reason);

  constructor(parent: AbortSignal, milliseconds: number) {
    this.#parent = parent;
    this.#timer = setTimeout(
      () =>
        this.#controller.abort(
          new ApiError(`the API server did not end its answer within ${milliseconds} ms`),
        ),
      milliseconds,
    );
    if (parent.aborted) this.#onParentAbort();
    parent.addEventListener("abort", this.#onParentAbort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#parent.removeEventListener("abort", this.#onParentAbort);
  }
}
