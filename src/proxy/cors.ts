import type { HeaderList } from "../http1/header_list.ts";
import { S3Error } from "./s3_error.ts";

/** One CORS rule of a bucket, in the order of its list; what is left out is empty. */
export interface CorsRule {
  /** Each an origin, with `*` at most once. */
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly CorsMethod[];
  /** Names of headers that a request may carry, lower-case, with `*` at most once. */
  readonly allowedHeaders: readonly string[];
  /** Names of headers that scripts may read of an answer. */
  readonly exposeHeaders: readonly string[];
  /** How many seconds a browser may remember the answer to a preflight. */
  readonly maxAgeSeconds?: number;
}

/** Methods that S3's CORS rules know: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CORSRule.html */
export const corsMethods = ["GET", "PUT", "POST", "DELETE", "HEAD"] as const;

/** One of {@link corsMethods}. */
export type CorsMethod = typeof corsMethods[number];

/** The rules of every bucket; none is an empty list. */
export interface CorsRules {
  /** The rules of a bucket of one backend. */
  find(backend: string, bucket: string): readonly CorsRule[];
  /** The rules of every bucket of this name, for requests of which it is not known yet whose they are. */
  findByBucket(bucket: string): readonly CorsRule[];
}

/** A header of an answer; the name is lower-case. */
export type HeaderPair = readonly [name: string, value: string];

/** What an answer depends on besides its URL, for caches on the way. */
const vary: HeaderPair = [
  "vary",
  "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
];

/** Most headers that a preflight may ask for; browsers ask for a handful. */
const maxRequestedHeaders = 100;

/**
 * The headers of the 200 without a body that answers OPTIONS, by the first of the bucket's `rules` that allows the origin,
 * the method and every header asked for. OPTIONS needs no signature: browsers cannot sign it. Throws
 * {@link S3Error}: 400 `BadRequest` for what is not a preflight, 403 `AccessForbidden` when no rule allows it
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/RESTOPTIONSobject.html).
 */
export function answerPreflight(rules: readonly CorsRule[], request: HeaderList): HeaderPair[] {
  const origin = request.get("origin");
  if (origin === null) throw badRequest("Insufficient information. Origin request header needed.");
  const method = request.get("access-control-request-method");
  if (method === null) throw badRequest("Invalid Access-Control-Request-Method: null");
  if (rules.length === 0) throw forbidden("CORS is not enabled for this bucket.");
  const requested = listOf(request.get("access-control-request-headers"));
  const rule = requested.length > maxRequestedHeaders
    ? undefined
    : rules.find((candidate) =>
      allows(candidate, origin, method) &&
      requested.every((name) => candidate.allowedHeaders.some((pattern) => matches(pattern, name)))
    );
  if (rule === undefined) {
    throw forbidden(
      "This CORS request is not allowed: no rule of the bucket has its Origin, Access-Control-Request-Method and " +
        "Access-Control-Request-Headers.",
    );
  }
  const answer = allowance(rule, origin);
  if (requested.length > 0) answer.push(["access-control-allow-headers", requested.join(", ")]);
  if (rule.maxAgeSeconds !== undefined) answer.push(["access-control-max-age", String(rule.maxAgeSeconds)]);
  return answer;
}

/**
 * The headers that let a script at the request's origin read its answer, whatever the answer's status; none without
 * `Origin`, or when none of the bucket's `rules` allows the origin to use `method`.
 */
export function corsHeaders(
  rules: readonly CorsRule[],
  method: string,
  request: HeaderList,
): readonly HeaderPair[] {
  if (rules.length === 0) return [];
  const origin = request.get("origin");
  if (origin === null) return [];
  const rule = rules.find((candidate) => allows(candidate, origin, method));
  return rule === undefined ? [vary] : allowance(rule, origin);
}

function allows(rule: CorsRule, origin: string, method: string): boolean {
  const methods: readonly string[] = rule.allowedMethods;
  return methods.includes(method) && rule.allowedOrigins.some((pattern) => matches(pattern, origin));
}

/**
 * What every allowed request is told. As S3 does, an origin is named, and may send credentials, unless the rule is for
 * all of them; nothing here is authorised by a cookie, so that this gives no page more than it has.
 */
function allowance(rule: CorsRule, origin: string): HeaderPair[] {
  const everyOrigin = rule.allowedOrigins.includes("*");
  const answer: HeaderPair[] = [
    ["access-control-allow-origin", everyOrigin ? "*" : origin],
    ["access-control-allow-methods", rule.allowedMethods.join(", ")],
  ];
  if (!everyOrigin) answer.push(["access-control-allow-credentials", "true"]);
  if (rule.exposeHeaders.length > 0) {
    answer.push(["access-control-expose-headers", rule.exposeHeaders.join(", ")]);
  }
  answer.push(vary);
  return answer;
}

/** Whether `text` is `pattern`, in which one `*` stands for any characters, or none. */
function matches(pattern: string, text: string): boolean {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === text;
  const after = pattern.length - star - 1;
  return text.length >= star + after && text.startsWith(pattern.slice(0, star)) &&
    text.endsWith(pattern.slice(star + 1));
}

/** The names in a list of headers, lower-case. */
function listOf(value: string | null): string[] {
  if (value === null) return [];
  return value.split(",").map((name) => name.trim().toLowerCase()).filter((name) => name !== "");
}

function badRequest(message: string): S3Error {
  return new S3Error("BadRequest", message);
}

function forbidden(message: string): S3Error {
  return new S3Error("AccessForbidden", `CORSResponse: ${message}`, { result: "cors_denied" });
}
