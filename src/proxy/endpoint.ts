import type { ServerExchange } from "../http1/exchange.ts";
import { clientAddress } from "../http/client_address.ts";
import type { Cidr } from "../config/cidr.ts";
import { errorAnswer } from "./answer.ts";
import { RequestContext } from "./context.ts";
import { answerPreflight, corsHeaders, type CorsRule, type CorsRules } from "./cors.ts";
import { effectiveHeaders } from "./hoisted_headers.ts";
import type { RequestLimits } from "./limits.ts";
import { classify } from "./operation.ts";
import { handlerOf } from "./operations/handlers.ts";
import { operations } from "./operations.ts";
import { postObject } from "./post/object.ts";
import { QueryList } from "./query.ts";
import type { Recorder } from "./recorder.ts";
import { answerLocally, asS3Error, headerLines } from "./relay.ts";
import { S3Error } from "./s3_error.ts";
import type { OperationServices } from "./services.ts";
import { parseTarget, prepareHostSuffixes } from "./target.ts";

/** What {@link S3Endpoint} works with. */
export interface S3EndpointDeps extends OperationServices {
  readonly limits: RequestLimits;
  readonly cors: CorsRules;
  readonly recorder: Recorder;
  readonly hostSuffixes: readonly string[];
  readonly trustedProxies: readonly Cidr[];
  readonly newRequestId: () => string;
}

/**
 * Takes a request through its stages: target, operation, global limit, authentication, limit of the caller, scope, and then the
 * operation itself, which looks after quotas and forwards. Every answer and every error leaves through here.
 */
export class S3Endpoint {
  readonly #deps: S3EndpointDeps;
  readonly #hostSuffixes: readonly string[];

  constructor(deps: S3EndpointDeps) {
    this.#deps = deps;
    this.#hostSuffixes = prepareHostSuffixes(deps.hostSuffixes);
  }

  /** Answers one request. Never rejects. */
  readonly handle = async (exchange: ServerExchange): Promise<void> => {
    const { newRequestId, trustedProxies, clock, recorder } = this.#deps;
    const peer = { transport: "tcp", hostname: exchange.peer, port: 0 } as const;
    const context = new RequestContext(exchange, {
      requestId: newRequestId(),
      client: clientAddress(exchange.request.headers, peer, trustedProxies),
      startedAt: clock(),
    });
    recorder.begin();
    try {
      await this.#serve(context);
    } catch (error) {
      await this.#fail(context, error);
    }
    await recorder.finish(context);
  };

  async #serve(context: RequestContext): Promise<void> {
    this.#deps.admission.noteClaim(context);
    this.#readRequest(context);
    const { limits, admission, cors } = this.#deps;
    const { operation, target: { bucket }, head } = context;
    const isPreflight = operation === operations.Preflight;
    const fromScript = !isPreflight && head.headers.has("origin");
    if (fromScript) allowOrigin(context, cors.findByBucket(bucket));
    limits.requireGlobal();
    if (isPreflight) return await this.#answerPreflight(context);
    if (operation === operations.PostObject) return await postObject(context, this.#deps);
    admission.admit(context);
    if (fromScript) allowOrigin(context, cors.find(context.backend, bucket));
    await handlerOf(operation)(context, this.#deps);
  }

  async #answerPreflight(context: RequestContext): Promise<void> {
    const { head, target, requestId } = context;
    const headers = answerPreflight(this.#deps.cors.findByBucket(target.bucket), head.headers);
    const id = ["x-amz-request-id", requestId] as const;
    await answerLocally(context, { status: 200, headers: [id, ...headers], body: "" });
  }

  /** What the request is about and what it asks for. */
  #readRequest(context: RequestContext): void {
    const { head } = context;
    context.target = parseTarget(head, this.#hostSuffixes);
    context.query = QueryList.parse(head.query);
    context.headers = effectiveHeaders(head.headers, context.query);
    context.operation = classify(head.method, context.target, context.query, context.headers);
  }

  async #fail(context: RequestContext, thrown: unknown): Promise<void> {
    const error = this.#asS3Error(context, thrown);
    const { exchange } = context;
    context.result = error.result;
    context.reason = error.reason;
    if (exchange.answered || exchange.isGone || context.isGone) return exchange.destroy();
    try {
      await answerLocally(context, errorAnswer(error, context.answerContext));
    } catch {
      exchange.destroy();
    }
  }

  #asS3Error(context: RequestContext, thrown: unknown): S3Error {
    const error = asS3Error(thrown);
    if (error instanceof S3Error) return error;
    this.#deps.logger.error("an S3 request failed unexpectedly", {
      request_id: context.requestId,
      error: error instanceof Error ? error.stack ?? error.message : String(error),
    });
    return new S3Error("InternalError", "We encountered an internal error. Please try again.", {
      result: "internal_error",
    });
  }
}

/** Lets scripts of other origins read the answer, whatever it will be, as far as the bucket's rules allow. */
function allowOrigin(context: RequestContext, rules: readonly CorsRule[]): void {
  const { method, headers } = context.head;
  context.extraHeaderLines = headerLines(corsHeaders(rules, method, headers));
}
