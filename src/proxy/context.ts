import type { ClientAddress } from "../http/client_address.ts";
import type { ServerExchange } from "../http1/exchange.ts";
import type { HeaderList } from "../http1/header_list.ts";
import type { VerifiedRequest } from "../sigv4/verify.ts";
import type { AnswerContext } from "./answer.ts";
import type { VirtualCredential } from "./credentials/source.ts";
import type { Operation } from "./operation.ts";
import { operations } from "./operations.ts";
import { QueryList } from "./query.ts";
import type { RequestHead, Target } from "./request.ts";
import type { RequestResult } from "./s3_error.ts";

/** How a request showed who it comes from. */
export type AuthMode = "signed" | "anonymous";

/** One request on its way through the endpoint. Each stage adds what it has found out. */
export class RequestContext {
  readonly exchange: ServerExchange;
  readonly head: RequestHead;
  readonly requestId: string;
  /** The client's address, as far as it can be trusted. */
  readonly ip: string;
  /** Whether the client's own connection was made over TLS. */
  readonly isSecure: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  target: Target = { bucket: "", key: "", rawKey: "", virtualHosted: false };
  operation: Operation = operations.UnknownOfService;
  query = QueryList.parse("");
  /** The client's headers with those that stand in the query; set together with `query`. */
  headers: HeaderList;
  authMode: AuthMode = "anonymous";
  /** The key the request claims to be signed with. */
  accessKeyId = "";
  credential: VirtualCredential | undefined;
  verified: VerifiedRequest | undefined;
  /** Id of the backend; empty as long as it is not known. */
  backend = "";
  /** Header lines that every answer carries: those of CORS. */
  extraHeaderLines = "";
  result: RequestResult = "ok";
  /** Why it was refused: a word of a fixed set. */
  reason: string | undefined;
  /** Status of the answer; 0 as long as there is none. */
  status = 0;
  /** Milliseconds from the last byte sent to the upstream's answer; `undefined` when none was asked. */
  upstreamMs: number | undefined;
  /** Whether the client has gone away. */
  isGone = false;

  constructor(
    exchange: ServerExchange,
    { requestId, client, startedAt }: { requestId: string; client: ClientAddress; startedAt: number },
  ) {
    const { method, target, headers } = exchange.request;
    const question = target.indexOf("?");
    this.exchange = exchange;
    this.head = {
      method,
      path: question < 0 ? target : target.slice(0, question),
      query: question < 0 ? "" : target.slice(question + 1),
      headers,
    };
    this.headers = headers;
    this.requestId = requestId;
    this.ip = client.ip;
    this.isSecure = client.secure;
    this.startedAt = startedAt;
  }

  /** What answers that are made here have to know of the request. */
  get answerContext(): AnswerContext {
    const { head, target, requestId } = this;
    return { method: head.method, path: head.path, bucket: target.bucket, requestId };
  }
}
