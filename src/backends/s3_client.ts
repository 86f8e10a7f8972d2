import { S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { createHash } from "node:crypto";
import { Watchdog } from "../http1/watchdog.ts";
import { encodeRfc3986, sha256Hex } from "../sigv4/canonical.ts";
import { Signer, unsignedPayload } from "../sigv4/sign.ts";
import { Problem } from "../problem.ts";
import { bucketAddress } from "./address.ts";
import type { Backend } from "./backend.ts";
import { type ControlAnswer, readControlAnswer } from "./control_answer.ts";
import { Deadline, type DeadlineOptions } from "./deadline.ts";
import {
  foreignAnswerProblem,
  parseRefusal,
  readRefusal,
  refusalProblem,
  transportProblem,
  upstreamProblem,
} from "./upstream_error.ts";
import { sendUpstream, type UpstreamRequest } from "./upstream_http.ts";

/** What a control call may be given. */
export interface CallOptions extends DeadlineOptions {
  /** Root element of the XML that S3 answers with. Any other counts as the answer of some other program. */
  readonly answer?: string;
  /** Headers besides those of the command. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the SDK hands through to its transport. */
interface SendOptions extends Pick<CallOptions, "answer" | "headers"> {
  readonly abortSignal: AbortSignal;
}

/** A request for an object whose body, or whose answer's body, is streamed. */
export interface ObjectRequest extends DeadlineOptions {
  readonly method: "GET" | "HEAD" | "PUT";
  readonly bucket: string;
  readonly key: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: HeadersInit;
  /** Pieces need `content-length` among the headers; each is done with when the next is asked for. */
  readonly body?: AsyncIterable<Uint8Array> | Uint8Array | null;
  /** What is declared of the body in `x-amz-content-sha256`; nothing unless told. */
  readonly payloadHash?: string;
}

/** A request that is answered by a document, such as the CORS rules of a bucket. */
export interface DocumentRequest extends DeadlineOptions {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly bucket: string;
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Root element of the XML that S3 answers with. */
  readonly answer?: string;
}

/** What the AWS SDK hands to its transport. */
interface SdkRequest {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query: Record<string, string | string[] | null | undefined>;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

/**
 * The way to one backend: control calls by the AWS SDK, objects by streaming requests, both over one connection pool and
 * signed by one signer. Everything it throws is a {@link Problem} that names neither endpoint nor key.
 */
export class S3Connection {
  readonly backend: Backend;
  readonly #clock: () => number;
  readonly #client: Deno.HttpClient;
  readonly #watchdog: Watchdog;
  readonly #sdk: S3Client;
  readonly #signer: Signer | undefined;
  #serverName: string | undefined;

  /** `clock` is in milliseconds since the epoch; signatures carry its time. */
  constructor(backend: Backend, clock: () => number) {
    this.backend = backend;
    this.#clock = clock;
    this.#watchdog = new Watchdog(clock);
    this.#client = Deno.createHttpClient({ http1: true, http2: false, poolMaxIdlePerHost: 64 });
    const { credentials, region } = backend;
    this.#signer = credentials &&
      new Signer({ accessKeyId: credentials.accessKey, secretKey: credentials.secretKey, region });
    this.#sdk = new S3Client({
      endpoint: backend.endpoint,
      region,
      forcePathStyle: backend.pathStyle,
      // Requests are signed where they are sent, so the SDK's own signer and keys are never used.
      credentials: { accessKeyId: "unused", secretAccessKey: "unused" },
      signer: { sign: (request) => Promise.resolve(request) },
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      maxAttempts: 1,
      requestHandler: {
        handle: (request: SdkRequest, options: SendOptions) => this.#handle(request, options),
      },
    });
  }

  /** What the server calls itself in its answers; empty when it does not say, `undefined` before the first of them. */
  get serverName(): string | undefined {
    return this.#serverName;
  }

  /** Makes one control call: `call` sends one SDK command with the options it is given. */
  async call<Output>(
    call: (sdk: S3Client, options: SendOptions) => Promise<Output>,
    options: CallOptions = {},
  ): Promise<Output> {
    const deadline = new Deadline(options);
    try {
      const { answer, headers } = options;
      return await call(this.#sdk, { abortSignal: deadline.signal, answer, headers });
    } catch (error) {
      throw deadline.reason() ?? callProblem(error);
    } finally {
      deadline.dispose();
    }
  }

  /**
   * Sends one streaming request and resolves when a successful answer (or a 304) begins; its body is still to come. Any
   * other answer is thrown as a {@link Problem}. Until the answer's body has ended, `signal` ends the request.
   */
  async send(request: ObjectRequest): Promise<Response> {
    const deadline = new Deadline(request);
    try {
      const response = await this.#sendSigned({
        method: request.method,
        ...this.#locate(request.bucket, request.key),
        query: queryText(request.query ?? {}),
        headers: new Headers(request.headers),
        body: request.body,
        onProgress: () => deadline.restart(),
        verbatim: request.method !== "PUT",
        signal: deadline.signal,
      }, request.payloadHash ?? unsignedPayload);
      if (isObjectAnswer(response)) {
        // What a GET has begun to answer still ends with its client.
        if (request.method === "GET") deadline.clear();
        else deadline.dispose();
        return response;
      }
      if (request.method === "HEAD" && [400, 403].includes(response.status)) {
        throw await this.#explain(request, response.status);
      }
      if (!response.ok) throw await streamRefusal(response);
      await response.body?.cancel();
      throw foreignAnswerProblem(response.status);
    } catch (error) {
      deadline.dispose();
      throw deadline.reason() ?? upstreamProblem(error);
    }
  }

  /**
   * Makes one control call without the SDK: that loses what it does not know of a document, and takes more time than all the
   * rest. What the backend says when it refuses is the message of the thrown {@link Problem}'s cause.
   */
  async exchangeDocument(request: DocumentRequest): Promise<{ text: string; headers: Headers }> {
    const { method, bucket, key, query = {}, body, answer } = request;
    const deadline = new Deadline(request);
    try {
      const { status, headers, bytes } = await this.#control(
        {
          method,
          ...this.#locate(bucket, key),
          query: queryText(query),
          headers: new Headers(request.headers),
          signal: deadline.signal,
        },
        body,
        answer,
      );
      const text = new TextDecoder().decode(bytes);
      if (status >= 300) throw documentRefusal(status, text);
      return { text, headers };
    } catch (error) {
      throw deadline.reason() ?? upstreamProblem(error);
    } finally {
      deadline.dispose();
    }
  }

  /** Why a HEAD was refused: only the answer to a GET can say. */
  async #explain(request: ObjectRequest, status: number): Promise<Problem> {
    try {
      const { body } = await this.send({ ...request, method: "GET", headers: { range: "bytes=0-0" } });
      await body?.cancel();
    } catch (error) {
      if (error instanceof Problem && error.detail?.upstream_status === status) return error;
    }
    return refusalProblem({ status, code: "" });
  }

  /** Frees the connection pool; requests in flight go on. */
  close(): void {
    this.#sdk.destroy();
    this.#client.close();
  }

  /** The address of an object, or of its bucket. */
  #locate(bucket: string, key?: string): { origin: string; path: string } {
    const { origin, pathPrefix } = bucketAddress(this.backend, bucket);
    if (key === undefined) return { origin, path: pathPrefix || "/" };
    return { origin, path: `${pathPrefix}/${key.split("/").map(encodeRfc3986).join("/")}` };
  }

  async #sendSigned(request: UpstreamRequest, payloadHash: string): Promise<Response> {
    request.headers.set("host", new URL(request.origin).host);
    this.#signer?.sign(request, payloadHash, this.#clock());
    const response = await sendUpstream(request, { client: this.#client, watchdog: this.#watchdog });
    this.#serverName = response.headers.get("server") ?? "";
    return response;
  }

  /** The transport of the SDK. */
  async #handle(request: SdkRequest, { abortSignal: signal, answer, headers: more }: SendOptions) {
    const port = request.port === undefined ? "" : `:${request.port}`;
    const { status, headers, bytes } = await this.#control(
      {
        method: request.method,
        origin: `${request.protocol}//${request.hostname}${port}`,
        path: request.path,
        query: queryText(request.query),
        headers: new Headers({ ...request.headers, ...more }),
        signal,
      },
      request.body,
      answer,
    );
    return { response: { statusCode: status, headers: Object.fromEntries(headers), body: bytes } };
  }

  /** Sends a control call and reads the answer to it. */
  async #control(
    request: UpstreamRequest,
    body: string | Uint8Array | undefined,
    answer: string | undefined,
  ): Promise<ControlAnswer> {
    // DeleteObjects needs a checksum; of all kinds there are, this is the one that every server knows.
    if (body !== undefined) {
      request.headers.set("content-md5", createHash("md5").update(body).digest("base64"));
    }
    return await readControlAnswer(
      await this.#sendSigned({ ...request, body }, sha256Hex(body ?? "")),
      answer,
    );
  }
}

/** Whether this is how S3 answers for an object or a part: all of these answers name its ETag but some 304. */
function isObjectAnswer({ status, headers }: Response): boolean {
  return status === 304 || ((status === 200 || status === 206) && headers.has("etag"));
}

function callProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof S3ServiceException) {
    const code = ["NotFound", "Unknown", "UnknownError"].includes(error.name) ? "" : error.name;
    return refusalProblem({ status: error.$metadata.httpStatusCode ?? 502, code }, error);
  }
  const status = (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
  return status === undefined ? transportProblem(error) : foreignAnswerProblem(status);
}

function documentRefusal(status: number, text: string): Problem {
  const { code, message } = parseRefusal(text);
  return refusalProblem({ status, code }, message === "" ? undefined : new Error(message));
}

async function streamRefusal(response: Response): Promise<Problem> {
  if (response.status !== 416) return await readRefusal(response);
  await response.body?.cancel();
  const range = response.headers.get("content-range");
  return new Problem(416, "bad_range", "The range lies outside of the object.", {
    headers: range === null ? {} : { "content-range": range },
  });
}

function queryText(query: Readonly<Record<string, string | string[] | null | undefined>>): string {
  return Object.entries(query).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return values.map((text) =>
      text === null ? encodeRfc3986(name) : `${encodeRfc3986(name)}=${encodeRfc3986(text)}`
    );
  }).join("&");
}
