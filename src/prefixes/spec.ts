import { z } from "zod";
import { attributeFields } from "../copies/attributes.ts";

/** What a job on everything under a prefix is about. */
export const measureSpecSchema = z.strictObject({
  backend: z.string(),
  bucket: z.string(),
  prefix: z.string(),
});

/** See {@link measureSpecSchema}. */
export type MeasureSpec = z.output<typeof measureSpecSchema>;

/** Some of what is under a prefix, where not all of it is meant; see `Selection`. */
const selectionFields = {
  keys: z.array(z.string()).optional(),
  prefixes: z.array(z.string()).optional(),
};

/** What a job is to delete. */
export const deletionSpecSchema = measureSpecSchema.extend({
  ...selectionFields,
  /** Whether every version and delete marker goes, and not only what is current. */
  versions: z.boolean(),
});

/** See {@link deletionSpecSchema}. */
export type DeletionSpec = z.output<typeof deletionSpecSchema>;

/**
 * What becomes of an object whose target is there already: it replaces that, it is skipped, or its copy gets a name of its
 * own.
 */
export const onConflictSchema = z.enum(["replace", "skip", "keep_both"]);

/** What a job is to copy. */
export const copySpecSchema = z.strictObject({
  backend: z.string(),
  bucket: z.string(),
  src_prefix: z.string(),
  ...selectionFields,
  dst_backend: z.string(),
  dst_bucket: z.string(),
  dst_prefix: z.string(),
  ...attributeFields,
  move: z.boolean(),
  on_conflict: onConflictSchema,
});

/** See {@link copySpecSchema}. */
export type CopySpec = z.output<typeof copySpecSchema>;
