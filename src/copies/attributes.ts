import { z } from "zod";
import type { CopyAttributes } from "../objects/copy.ts";
import { storageClassField } from "../objects/storage_options.ts";

/** The fields of a request, and of a job, that say what copies take over from their sources besides the content. */
export const attributeFields = {
  /** User metadata and content headers; `Content-Type` and `Content-Encoding` always come along. */
  keep_metadata: z.boolean().default(true),
  keep_tags: z.boolean().default(true),
  /** In place of the class of the source, or of the usual one on another backend. */
  storage_class: storageClassField.optional(),
};

/** See {@link attributeFields}. */
export type AttributeFields = z.output<z.ZodObject<typeof attributeFields>>;

/** {@link attributeFields} as `CopyObject` takes them. */
export function copyAttributes({ keep_metadata, keep_tags, storage_class }: AttributeFields): CopyAttributes {
  return { keepsMetadata: keep_metadata, keepsTags: keep_tags, storageClass: storage_class };
}

/** What the audit keeps of {@link attributeFields}: what is not as usual. */
export function attributesDetail({ keep_metadata, keep_tags, storage_class }: AttributeFields) {
  return {
    keep_metadata: keep_metadata ? undefined : false,
    keep_tags: keep_tags ? undefined : false,
    storage_class,
  };
}
