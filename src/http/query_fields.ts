import { z } from "zod";

// `meta` is what the OpenAPI document says in place of the text that the field is read from.

/** A whole number of a query string, from `min` to `max`, written in decimal digits. */
export function integerField(min: number, max: number) {
  return z.string().regex(/^\d{1,9}$/, { error: "must be a whole number" }).transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: "integer", minimum: min, maximum: max });
}

/** `true` or `false` of a query string. */
export const flagField = z.enum(["true", "false"], { error: "must be true or false" })
  .transform((text) => text === "true")
  .meta({ type: "boolean" });
