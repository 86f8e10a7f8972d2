import { z } from "zod";
import { findBucket } from "../backends/bucket_scope.ts";
import type { CopyOptions, CopySource, CopyTarget } from "../objects/copy.ts";
import { storedObjectSchema } from "../objects/json.ts";
import { attributeFields, copyAttributes } from "./attributes.ts";
import type { BackendRegistry } from "../backends/registry.ts";

/** What a job is to copy. */
export const copySpecSchema = z.strictObject({
  backend: z.string(),
  bucket: z.string(),
  src_key: z.string(),
  version_id: z.string().optional(),
  dst_backend: z.string(),
  dst_bucket: z.string(),
  dst_key: z.string(),
  /** See `ReplacedMetadata`. */
  replace: z.strictObject({
    metadata: z.record(z.string(), z.string()).optional(),
    headers: z.record(z.string(), z.string()),
  }).optional(),
  ...attributeFields,
  move: z.boolean(),
  if_absent: z.boolean(),
});

/** See {@link copySpecSchema}. */
export type CopySpec = z.output<typeof copySpecSchema>;

/** A copy as `CopyObject` takes it, but for what belongs to one attempt. */
export interface CopyRequest {
  readonly source: CopySource;
  readonly target: CopyTarget;
  readonly options: Pick<CopyOptions, "replace" | "attributes" | "ifAbsent" | "move">;
}

/** Finds both ends of a copy. Throws 404 `not_found` for an unknown backend, 400 `invalid_bucket_name`. */
export function resolveCopy(registry: BackendRegistry, spec: CopySpec): CopyRequest {
  return {
    source: {
      ...findBucket(registry, spec.backend, spec.bucket),
      key: spec.src_key,
      versionId: spec.version_id,
    },
    target: { ...findBucket(registry, spec.dst_backend, spec.dst_bucket), key: spec.dst_key },
    options: {
      replace: spec.replace,
      attributes: copyAttributes(spec),
      ifAbsent: spec.if_absent,
      move: spec.move,
    },
  };
}

/** A copy that was made, as it is answered. */
export const copyResultSchema = storedObjectSchema.extend({
  bucket: z.string(),
  backend: z.string(),
  moved: z.boolean(),
});

/** See {@link copyResultSchema}. */
export function copyResult(
  { dst_backend, dst_bucket, move }: CopySpec,
  copied: Omit<z.output<typeof copyResultSchema>, "bucket" | "backend" | "moved">,
): z.output<typeof copyResultSchema> {
  return { ...copied, bucket: dst_bucket, backend: dst_backend, moved: move };
}
