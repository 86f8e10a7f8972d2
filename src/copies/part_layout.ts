import type { CopySource } from "../objects/copy.ts";
import { Problem } from "../problem.ts";
import { minPartBytes } from "./part_plan.ts";
import { headObject, type SourceObject } from "./source_object.ts";

/** How an object is cut into parts. */
export interface PartLayout {
  /** Size of each part but the last, in bytes. */
  readonly partBytes: number;
  /** Whether the source is cut in the same way, so that the ETags of both are the same. */
  readonly isOfSource: boolean;
}

/**
 * How a source was cut when it was stored; `undefined` for one that was stored at once, one whose parts are of several sizes
 * and one whose parts are smaller than S3 takes them.
 */
export async function readLayout(
  source: CopySource,
  { etag, size }: SourceObject,
  signal: AbortSignal,
): Promise<PartLayout | undefined> {
  const count = Number(/^"[0-9a-f]{32}-(\d+)"$/.exec(etag)?.[1]);
  if (!(count > 0) || size === 0) return undefined;
  const [first, last] = await Promise.all([partBytes(1), partBytes(count)]);
  const isEven = first !== undefined && last !== undefined && (count - 1) * first + last === size &&
    last <= first;
  if (!isEven || (count > 1 && first < minPartBytes)) return undefined;
  return { partBytes: first, isOfSource: true };

  /** `undefined` where the backend does not tell parts apart. */
  async function partBytes(number: number): Promise<number | undefined> {
    try {
      const headers = await headObject(source, signal, String(number));
      const isPart = headers.get("x-amz-mp-parts-count") === String(count) && headers.get("etag") === etag;
      return isPart ? Number(headers.get("content-length")) : undefined;
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  }
}
