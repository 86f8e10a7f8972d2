import { z } from "zod";
import type { KeyPath } from "./problem.ts";

/** The keys that `schema` knows in the mapping at `path`; none when no mapping belongs there. */
export function keysAt(schema: z.core.$ZodType, path: KeyPath): string[] {
  let current = unwrapped(schema);
  for (const part of path) {
    const next = typeof part === "number" ? elementOf(current) : valueOf(current, part);
    if (next === null) return [];
    current = unwrapped(next);
  }
  if (current instanceof z.ZodObject) return Object.keys(current.shape);
  if (current instanceof z.ZodRecord && current.keyType instanceof z.ZodEnum) {
    return current.keyType.options.map(String);
  }
  return [];
}

/** Every key of `schema` that holds a value, as dotted paths; the keys of list items have `[]` in theirs. */
export function leafKeys(schema: z.core.$ZodType, prefix = ""): string[] {
  const current = unwrapped(schema);
  const element = elementOf(current);
  if (element !== null && unwrapped(element) instanceof z.ZodObject) return leafKeys(element, `${prefix}[]`);
  if (!(current instanceof z.ZodObject)) return [prefix];
  return Object.entries(current.shape).flatMap(([key, value]) =>
    leafKeys(value, prefix === "" ? key : `${prefix}.${key}`)
  );
}

function elementOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  return schema instanceof z.ZodArray ? schema.element : null;
}

function valueOf(schema: z.core.$ZodType, key: string): z.core.$ZodType | null {
  if (schema instanceof z.ZodObject && Object.hasOwn(schema.shape, key)) return schema.shape[key];
  return schema instanceof z.ZodRecord ? schema.valueType : null;
}

/** The schema behind its default. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodPrefault ? unwrapped(schema.unwrap()) : schema;
}
