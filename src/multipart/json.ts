import { z } from "zod";
import { hasDotSegment } from "../backends/names.ts";
import { flagField, integerField } from "../http/query_fields.ts";
import { textMapField } from "../http/text_map.ts";
import { storageClassField } from "../objects/storage_options.ts";
import type { PartPage } from "./part_listing.ts";
import { maxParts } from "./upload.ts";
import { maxUploads, type UploadPage } from "./upload_listing.ts";

/**
 * The id of an upload is of the backend's making. versitygw takes it for the name of a folder, and `..` for that of all its
 * uploads.
 */
const uploadIdField = z.string().min(1).max(1024)
  .regex(/^[\x21-\x7e]*$/, { error: "is not one that an upload can have" })
  .refine((id) => !hasDotSegment(id), "is not one that an upload can have");

/** What the query says of an upload. */
export const uploadQuery = z.object({ key: z.string(), upload_id: uploadIdField });

export const uploadListQuery = z.object({
  prefix: z.string().default(""),
  key_marker: z.string().transform((key) => key || undefined).optional(),
  upload_id_marker: z.string().max(1024).transform((id) => id || undefined).optional(),
  max_uploads: integerField(1, maxUploads).default(maxUploads),
});

export const createQuery = z.object({ key: z.string(), if_absent: flagField.optional() });

export const createBody = z.object({
  content_type: z.string().optional(),
  metadata: textMapField().optional(),
  storage_class: storageClassField.optional(),
  tags: textMapField().optional(),
  if_absent: z.boolean().optional(),
});

export const partListQuery = uploadQuery.extend({
  part_number_marker: integerField(0, maxParts).optional(),
  max_parts: integerField(1, maxParts).optional(),
});

export const completeQuery = uploadQuery.extend({ if_absent: flagField.optional() });

export const completeBody = z.object({
  parts: z.array(z.object({
    part_number: z.int().min(1).max(maxParts),
    etag: z.string().min(1).max(200),
  })).min(1).max(maxParts),
  if_absent: z.boolean().optional(),
});

/** A page of unfinished uploads. */
export const uploadPageSchema = z.strictObject({
  uploads: z.array(z.strictObject({
    key: z.string(),
    upload_id: z.string(),
    initiated: z.iso.datetime(),
    storage_class: z.string().optional(),
  })),
  is_truncated: z.boolean(),
  next_key_marker: z.string().optional(),
  next_upload_id_marker: z.string().optional(),
});

/** An upload that has begun. */
export const createdUploadSchema = z.strictObject({
  upload_id: z.string(),
  key: z.string(),
  bucket: z.string(),
});

/** A part that was stored. */
export const sentPartSchema = z.strictObject({ part_number: z.int(), etag: z.string(), size: z.int() });

/** The parts of an upload. */
export const partPageSchema = z.strictObject({
  parts: z.array(z.strictObject({
    part_number: z.int(),
    etag: z.string(),
    size: z.int(),
    last_modified: z.iso.datetime(),
  })),
  is_truncated: z.boolean(),
  next_part_number_marker: z.int().optional(),
});

/** The object that was made of the parts. */
export const completedObjectSchema = z.strictObject({
  key: z.string(),
  size: z.int(),
  etag: z.string(),
  version_id: z.string().optional(),
});

/** A page of unfinished uploads as the API answers it. */
export function uploadPageJson(page: UploadPage): z.input<typeof uploadPageSchema> {
  return {
    uploads: page.uploads.map(({ key, uploadId, initiatedAt, storageClass }) => ({
      key,
      upload_id: uploadId,
      initiated: initiatedAt.toISOString(),
      storage_class: storageClass,
    })),
    is_truncated: page.isTruncated,
    next_key_marker: page.nextKeyMarker,
    next_upload_id_marker: page.nextUploadIdMarker,
  };
}

/** The parts of an upload as the API answers them. */
export function partPageJson({ parts, isTruncated }: PartPage): z.input<typeof partPageSchema> {
  return {
    parts: parts.map(({ partNumber, etag, size, lastModified }) => ({
      part_number: partNumber,
      etag,
      size,
      last_modified: lastModified.toISOString(),
    })),
    is_truncated: isTruncated,
    next_part_number_marker: isTruncated ? parts.at(-1)?.partNumber : undefined,
  };
}
