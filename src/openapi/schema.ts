import { z } from "zod";

/** A JSON Schema, or any other object of the document. */
export type JsonObject = Record<string, unknown>;

/** Formats that say all that the patterns zod adds to them say. */
const formatsOfZod = new Set(["date", "date-time", "email"]);

/**
 * The JSON Schema (draft 2020-12, as OpenAPI 3.1 has it) of what a route takes (`input`) or answers (`output`). Fields of
 * query strings are described as what they mean: see `integerField` and `flagField`.
 */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema: part }) => {
      const { def } = zodSchema._zod;
      if (formatsOfZod.has(String(part.format))) delete part.pattern;
      if (part.type === "integer" || part.type === "boolean") {
        // What is left of the text that the field is read from.
        delete part.pattern;
        delete part.enum;
      }
      if (def.type === "default" && io === "input") {
        part.default = def.defaultValue;
      }
    },
  });
  return converted;
}
