import { z } from "zod";
import { Problem } from "../problem.ts";

/** Codes of lists of rules that are wrong. */
export type InvalidRules = "invalid_cors" | "invalid_lifecycle";

/**
 * Checks a list of rules that a client sent. Throws a 400 with `code`, which names the first rule that is wrong by its
 * place, counted from 0, and what of it is wrong.
 */
export function parseRules<S extends z.ZodType>(schema: S, value: unknown, code: InvalidRules): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [{ path, message }] = result.error.issues;
  throw invalidRules(code, message, path);
}

/** The 400 for a rule, or a field of one, at `path` within the list. */
export function invalidRules(
  code: InvalidRules,
  message: string,
  path: readonly PropertyKey[] = [],
): Problem {
  const field = ["rules", ...path].join(".");
  return new Problem(400, code, `${field}: ${message}`, { detail: { field, rule: path[0] } });
}

/** Schema of a text that can stand in XML: with whole characters, none of them a control character. */
export const xmlText = z.string().refine(
  (text) => text.isWellFormed() && !/[\p{Cc}\ufffe\uffff]/u.test(text),
  {
    error: "has characters that XML cannot hold",
  },
);

/** Size of a text in bytes of UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
