import type { z } from "zod";
import { badRequest, Problem, tooLarge } from "../problem.ts";

/** Largest JSON body that is read, in bytes. */
export const maxJsonBytes = 1 << 20;

/** Deepest nesting of a JSON body; nothing the API takes comes near it. */
const maxJsonDepth = 32;

/** Parses a query string with a route's schema. Throws 400 `bad_request` naming the parameter. */
export function parseQuery<S extends z.ZodType>(schema: S, search: URLSearchParams): z.output<S> {
  const values: Record<string, string> = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(values, name)) {
      throw badRequest(`The query parameter "${name}" stands twice.`, { field: name });
    }
    values[name] = value;
  }
  return check(schema, values, "query parameter");
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
  if (request.body === null) return check(schema, {}, "field");
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

/** Reads a request's body as UTF-8 text of at most `limit` bytes; throws 413 `too_large` or 400 `bad_request`. */
export async function readText(request: Request, limit: number): Promise<string> {
  if (Number(request.headers.get("content-length")) > limit) {
    throw tooLarge(`The body is over ${limit} bytes.`);
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge(`The body is over ${limit} bytes.`);
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw badRequest("The body could not be read as UTF-8 text.");
  }
}

function mediaType(request: Request): string {
  return request.headers.get("content-type")?.split(";")[0].trim().toLowerCase() ?? "";
}

function check<S extends z.ZodType>(schema: S, value: unknown, kind: string): z.output<S> {
  const result = schema.safeParse(value);
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

/** Nesting depth of a JSON value, counted no further than `limit` so that the recursion is bounded. */
function depth(value: unknown, limit: number): number {
  if (typeof value !== "object" || value === null || limit === 0) return 0;
  let deepest = 0;
  for (const child of Object.values(value)) deepest = Math.max(deepest, depth(child, limit - 1));
  return deepest + 1;
}
