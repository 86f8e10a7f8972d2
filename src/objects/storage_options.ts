import { z } from "zod";
import { invalidTag, requireTags } from "./tags.ts";

/** Name of a storage class. Which there are is the backend's to say: it refuses others as `invalid_storage_class`. */
export const storageClassField = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, {
  error: "must be the name of a storage class, such as STANDARD_IA",
});

/** How an object is stored, besides its content and metadata. */
export interface StorageOptions {
  /** The backend's usual one unless told. */
  readonly storageClass?: string;
  readonly tags?: ReadonlyMap<string, string>;
}

/**
 * The headers by which an upload says how its object is stored: object and tags come into being together. Throws 400
 * `too_many_tags` or `invalid_tag`.
 */
export function storageOptionHeaders(
  { storageClass, tags = new Map() }: StorageOptions,
): Record<string, string> {
  requireTags(tags);
  const headers: Record<string, string> = {};
  if (storageClass !== undefined) headers["x-amz-storage-class"] = storageClass;
  if (tags.size > 0) headers["x-amz-tagging"] = taggingText(tags);
  return headers;
}

/**
 * Reads tags that are written as in S3's header `x-amz-tagging`, like a query string: `project=x1&stage=live`. Throws 400
 * `invalid_tag` for a key that stands twice.
 */
export function parseTagging(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(text)) {
    if (tags.has(key)) throw invalidTag("The key of a tag stands twice.", key);
    tags.set(key, value);
  }
  return tags;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html#API_PutObject_RequestSyntax */
function taggingText(tags: ReadonlyMap<string, string>): string {
  return [...tags].map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
}
