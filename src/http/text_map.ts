import { z } from "zod";

/**
 * A JSON object whose values are texts, as a `Map` in the object's order. Unlike a record of zod it keeps the name
 * `__proto__`, so that nothing is dropped without a word.
 */
export function textMapField() {
  return z.unknown()
    .refine(isTextMap, { error: "must be an object whose values are texts" })
    .meta({ type: "object", additionalProperties: { type: "string" } })
    .transform((value) => new Map(Object.entries(value as Readonly<Record<string, string>>)));
}

function isTextMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === "string");
}
