import { join } from "node:path";
import { makeCertificates } from "./certificates.ts";

/** A Secret as a test writes it; its values are plain text. */
export interface TestSecret {
  readonly name: string;
  /** The label `broker.service.io/role`; none when it is empty. */
  readonly role?: string;
  readonly data: Record<string, string>;
  readonly annotations?: Record<string, string>;
  /** Seconds since the epoch; 1,000,000 unless told. */
  readonly createdAt?: number;
  readonly deleting?: boolean;
}

/** A request as it came. */
export interface SeenRequest {
  readonly kind: "list" | "watch";
  readonly query: URLSearchParams;
}

/**
 * What the server does to one request instead of answering it. `hang`: nothing comes, not even a head. `garbage`: a line
 * that is no JSON. `long line`: five megabytes without a line feed. `error event`: a watch whose only line says 410.
 */
export type Fault =
  | "hang"
  | "garbage"
  | "long line"
  | "error event"
  | { readonly status: number; readonly headers?: Record<string, string> };

type StoredSecret = { readonly metadata: Record<string, unknown>; readonly data: Record<string, string> };
type Watcher = ReadableStreamDefaultController<Uint8Array>;

const encoder = new TextEncoder();

/** A namespace of an API server that speaks list and watch over TLS, and misbehaves when told. */
export class KubernetesServer {
  readonly namespace = "broker";
  /** A directory with `ca.crt` and `token`, as a pod has it, and the certificates. */
  readonly directory: string;
  /** Every request, in order. */
  readonly requests: SeenRequest[] = [];
  /** Each meets one request of its kind, in order. */
  readonly faults: { readonly list: Fault[]; readonly watch: Fault[] } = { list: [], watch: [] };
  /** What requests must bear. */
  token = "first-token";
  /** Called when a request had another token. */
  onUnauthorized: () => void = () => {};
  /** Secrets on a page of a list, however many are asked for. */
  pageSize = 2;

  readonly #tls: { readonly cert: string; readonly key: string };
  readonly #secrets = new Map<string, { readonly stored: StoredSecret; readonly role: string }>();
  #history: { readonly version: number; readonly line: string }[] = [];
  readonly #watchers = new Set<Watcher>();
  #version = 100;
  #oldestVersion = 0;
  #port = 0;
  #server: Deno.HttpServer<Deno.NetAddr> | undefined;

  private constructor(directory: string, tls: { cert: string; key: string }) {
    this.directory = directory;
    this.#tls = tls;
  }

  /** Makes certificates and listens on a random loopback port. */
  static async start(): Promise<KubernetesServer> {
    const directory = await Deno.makeTempDir({ prefix: "kubernetes-" });
    await makeCertificates(directory);
    const server = new KubernetesServer(directory, {
      cert: await Deno.readTextFile(join(directory, "server.crt")),
      key: await Deno.readTextFile(join(directory, "server.key")),
    });
    await server.writeToken(server.token);
    server.comeBack();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  /** How many watches are open. */
  get watching(): number {
    return this.#watchers.size;
  }

  /** Writes what the pod takes for its token. */
  writeToken(token: string): Promise<void> {
    return Deno.writeTextFile(join(this.directory, "token"), `${token}\n`);
  }

  /** Creates a Secret or changes it. */
  put(secret: TestSecret): void {
    const { name, role = "virtual-credential" } = secret;
    const before = this.#secrets.get(name);
    const stored = this.#store(secret, role);
    this.#secrets.set(name, { stored, role });
    if (isSelected(role)) this.#record(before && isSelected(before.role) ? "MODIFIED" : "ADDED", stored);
    else if (before && isSelected(before.role)) this.#record("DELETED", stored);
  }

  /** Deletes a Secret. */
  remove(name: string): void {
    const found = this.#secrets.get(name);
    this.#secrets.delete(name);
    this.#version++;
    if (found) this.#record("DELETED", this.#stamped(found.stored));
  }

  /** Tells the watchers how far they are, as after changes of other Secrets. */
  bookmark(): string {
    this.#version += 10;
    this.#record("BOOKMARK", { kind: "Secret", metadata: { resourceVersion: String(this.#version) } });
    return String(this.#version);
  }

  /** Forgets what changed so far, so that every older resource version is gone. */
  compact(): void {
    this.#version++;
    this.#history = [];
    this.#oldestVersion = this.#version;
  }

  /** Ends the open watches: in order, or in the middle of a line by a broken connection. */
  endWatches(how: "in order" | "in a line"): void {
    for (const watcher of this.#watchers) {
      if (how === "in order") watcher.close();
      else {
        watcher.enqueue(encoder.encode('{"type":"DELETED","object":{"metadata":{"name":"'));
        watcher.error(new Error("the connection breaks"));
      }
    }
    this.#watchers.clear();
  }

  /** Stops listening and breaks every connection. */
  async goAway(): Promise<void> {
    this.endWatches("in a line");
    const server = this.#server;
    this.#server = undefined;
    await server?.shutdown();
  }

  /** Listens again, on the same port. */
  comeBack(): void {
    this.#server = Deno.serve({
      hostname: "127.0.0.1",
      port: this.#port,
      ...this.#tls,
      onListen: () => {},
      onError: () => new Response(null, { status: 500 }),
    }, (request) => this.#answer(request));
    this.#port = this.#server.addr.port;
  }

  async stop(): Promise<void> {
    await this.goAway();
    await Deno.remove(this.directory, { recursive: true });
  }

  #answer(request: Request): Response | Promise<Response> {
    const { pathname, searchParams: query } = new URL(request.url);
    if (request.headers.get("authorization") !== `Bearer ${this.token}`) {
      this.onUnauthorized();
      return status(401, "Unauthorized");
    }
    if (request.method !== "GET" || pathname !== `/api/v1/namespaces/${this.namespace}/secrets`) {
      return status(403, "secrets is forbidden");
    }
    if (query.get("labelSelector") !== selector) return status(400, "this is not the selector");
    const kind = query.has("watch") ? "watch" : "list";
    this.requests.push({ kind, query });
    const fault = this.faults[kind].shift();
    if (fault !== undefined) return answerFault(fault, request.signal);
    return kind === "list" ? this.#list(query) : this.#watch(query, request.signal);
  }

  #list(query: URLSearchParams): Response {
    const offset = Number(query.get("continue") ?? 0);
    const selected = [...this.#secrets.values()].filter(({ role }) => isSelected(role));
    const items = selected.slice(offset, offset + this.pageSize).map(({ stored }) => stored);
    const next = offset + items.length;
    return Response.json({
      kind: "SecretList",
      metadata: {
        resourceVersion: String(this.#version),
        ...(next < selected.length ? { continue: String(next) } : {}),
      },
      items: items.length === 0 ? null : items,
    });
  }

  #watch(query: URLSearchParams, signal: AbortSignal): Response {
    const since = Number(query.get("resourceVersion"));
    if (since < this.#oldestVersion) return status(410, "too old resource version");
    let watcher: Watcher | undefined;
    const forget = () => {
      if (watcher) this.#watchers.delete(watcher);
    };
    signal.addEventListener("abort", forget);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        watcher = controller;
        this.#watchers.add(controller);
        for (const { version, line } of this.#history) {
          if (version > since) controller.enqueue(encoder.encode(line));
        }
      },
      cancel: forget,
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  }

  #store(
    { name, data, annotations, createdAt = 1_000_000, deleting }: TestSecret,
    role: string,
  ): StoredSecret {
    const time = new Date(createdAt * 1000).toISOString().replace(".000", "");
    this.#version++;
    return this.#stamped({
      metadata: {
        name,
        uid: `uid-of-${name}`,
        creationTimestamp: time,
        ...(deleting ? { deletionTimestamp: time } : {}),
        ...(role === "" ? {} : { labels: { "broker.service.io/role": role } }),
        ...(annotations === undefined ? {} : { annotations }),
      },
      data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
    });
  }

  #stamped(secret: StoredSecret): StoredSecret {
    return { ...secret, metadata: { ...secret.metadata, resourceVersion: String(this.#version) } };
  }

  #record(type: string, object: unknown): void {
    const line = JSON.stringify({ type, object }) + "\n";
    if (type !== "BOOKMARK") this.#history.push({ version: this.#version, line });
    for (const watcher of this.#watchers) watcher.enqueue(encoder.encode(line));
  }
}

/** Runs `body` with a server, which is stopped whatever happens. */
export async function withKubernetes(body: (server: KubernetesServer) => Promise<void>): Promise<void> {
  const server = await KubernetesServer.start();
  try {
    await body(server);
  } finally {
    await server.stop();
  }
}

const selector = "broker.service.io/role in (virtual-credential,anonymous-binding)";

function isSelected(role: string): boolean {
  return role === "virtual-credential" || role === "anonymous-binding";
}

/** Text as the API has it. */
export function base64(text: string): string {
  return btoa(String.fromCharCode(...encoder.encode(text)));
}

function status(code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ kind: "Status", status: "Failure", message, code }, { status: code, headers });
}

function answerFault(fault: Fault, signal: AbortSignal): Response | Promise<Response> {
  if (typeof fault === "object") return status(fault.status, "as the test wants", fault.headers);
  if (fault === "hang") {
    const { promise, resolve } = Promise.withResolvers<Response>();
    signal.addEventListener("abort", () => resolve(new Response()));
    return promise;
  }
  if (fault === "garbage") {
    return new Response('{"type":"ADDED","object":{"data":{"secret_access_key":"leak\n');
  }
  if (fault === "long line") return new Response("x".repeat(5 * 1024 * 1024));
  const gone = { kind: "Status", status: "Failure", message: "too old resource version", code: 410 };
  return new Response(JSON.stringify({ type: "ERROR", object: gone }) + "\n");
}
