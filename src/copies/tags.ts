import type { CopySource } from "../objects/copy.ts";
import { readTags } from "../objects/tags.ts";
import { Problem } from "../problem.ts";

/**
 * The tags of an object in the form of the header `x-amz-tagging`; empty without any, also on a backend that has no tags.
 */
export async function readTagging(source: CopySource, signal: AbortSignal): Promise<string> {
  try {
    const tags = await readTags(source, source, signal);
    return [...tags].map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join(
      "&",
    );
  } catch (error) {
    if (error instanceof Problem && error.code === "not_supported") return "";
    throw error;
  }
}
