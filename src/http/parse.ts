import type { z } from "zod";
import { badRequest, Problem, tooLarge } from "../problem.ts";

/** Largest JSON body that is read, in bytes. */
export const maxJsonBytes = 1 << 20;

/** Deepest nesting of a JSON body; nothing the API takes comes near it. */
const maxJsonDepth = 32;

/**
 * Parses a query string, with or without its `?`, with a route's schema. Throws 400 `bad_request` naming the parameter,
 * also for one that is not valid percent-encoded UTF-8: replacing what is wrong would make two keys one.
 */
export function parseQuery<S extends z.ZodType>(schema: S, search: string): z.output<S> {
  const values: Record<string, string> = {};
  for (const pair of search.replace(/^\?/, "").split("&")) {
    if (pair === "") continue;
    const separator = pair.indexOf("=");
    const [name, value] = separator < 0
      ? [decodeField(pair, pair), ""]
      : [decodeField(pair.slice(0, separator), pair), decodeField(pair.slice(separator + 1), pair)];
    if (Object.hasOwn(values, name)) {
      throw badRequest(`The query parameter "${name}" stands twice.`, { field: name });
    }
    values[name] = value;
  }
  return check(schema, values, "query parameter");
}

/** Decodes a name or a value of the form encoding (https://url.spec.whatwg.org/#urlencoded-parsing), strictly. */
function decodeField(text: string, pair: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    const [field] = pair.split("=", 1);
    throw badRequest(`The query parameter "${field}" is not valid percent-encoded UTF-8.`, { field });
  }
}

/** Whether a request carries what a browser's form sends without scripts. */
export function isForm(request: Request): boolean {
  return mediaType(request) === "application/x-www-form-urlencoded";
}

/**
 * Reads a body and parses it with a route's schema; a request without one counts as an empty object. Takes JSON, and
 * with `form` also what a browser's form sends. Throws 400 `bad_request` naming the field, or 413 `too_large` beyond
 * {@link maxJsonBytes}.
 */
export async function parseBody<S extends z.ZodType>(
  schema: S,
  request: Request,
  form = false,
): Promise<z.output<S>> {
  if (request.body === null || request.headers.get("content-length") === "0") {
    return check(schema, {}, "field");
  }
  if (form && isForm(request)) {
    const fields = new URLSearchParams(await readText(request, maxJsonBytes));
    return check(schema, Object.fromEntries(fields), "field");
  }
  const type = mediaType(request);
  if (type !== "application/json" && !type.endsWith("+json")) {
    throw badRequest("The body must be JSON, sent with Content-Type: application/json.");
  }
  const text = await readText(request, maxJsonBytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
  if (depth(value, maxJsonDepth + 1) > maxJsonDepth) {
    throw badRequest(`The body is nested deeper than ${maxJsonDepth} levels.`);
  }
  return check(schema, value, "field");
}

/** How long a small body may take to arrive, in milliseconds. */
const bodyTimeout = 30_000;

/**
 * Reads a request's body as UTF-8 text of at most `limit` bytes. Throws 413 `too_large`, or 400 `bad_request`, also for
 * a body that does not arrive within `timeout` milliseconds.
 */
export async function readText(request: Request, limit: number, timeout = bodyTimeout): Promise<string> {
  if (Number(request.headers.get("content-length")) > limit) {
    throw tooLarge(`The body is over ${limit} bytes.`);
  }
  const reader = request.body?.getReader();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader?.cancel().catch(() => {});
  }, timeout);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      size += part.value.byteLength;
      if (size > limit) throw tooLarge(`The body is over ${limit} bytes.`);
      text += decoder.decode(part.value, { stream: true });
    }
    if (late) throw badRequest("The body did not arrive in time.");
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw badRequest("The body could not be read as UTF-8 text.");
  } finally {
    clearTimeout(timer);
  }
}

function mediaType(request: Request): string {
  return request.headers.get("content-type")?.split(";")[0].trim().toLowerCase() ?? "";
}

function check<S extends z.ZodType>(schema: S, value: unknown, kind: string): z.output<S> {
  const result = schema.safeParse(value, { error: plainMessage });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue.path.join(".");
  throw badRequest(
    field === "" ? `The ${kind}s are wrong: ${issue.message}.` : `${field}: ${issue.message}`,
    {
      field: field || undefined,
    },
  );
}

/** What is wrong with a value whose schema has no words of its own for it; `undefined` leaves it to zod. */
function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : undefined;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return issue.origin === "number" ? `must be at least ${issue.minimum}` : undefined;
    case "too_big":
      return issue.origin === "number" ? `must be at most ${issue.maximum}` : undefined;
    case "unrecognized_keys":
      return `there is no field ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
  }
}

/** Nesting depth of a JSON value, counted no further than `limit` so that the recursion is bounded. */
function depth(value: unknown, limit: number): number {
  if (typeof value !== "object" || value === null || limit === 0) return 0;
  let deepest = 0;
  for (const child of Object.values(value)) deepest = Math.max(deepest, depth(child, limit - 1));
  return deepest + 1;
}
