import { GetObjectTaggingCommand } from "@aws-sdk/client-s3";
import { Problem } from "../problem.ts";
import type { CopySource } from "./copy.ts";

/**
 * The tags of an object in the form of the header `x-amz-tagging`; empty without any, also on a backend that has no tags.
 */
export async function readTagging(
  { connection, bucket, key, versionId }: CopySource,
  signal: AbortSignal,
): Promise<string> {
  const command = new GetObjectTaggingCommand({ Bucket: bucket, Key: key, VersionId: versionId });
  try {
    const { TagSet = [] } = await connection.call((sdk, options) => sdk.send(command, options), { signal });
    return TagSet.map(({ Key = "", Value = "" }) => `${encodeURIComponent(Key)}=${encodeURIComponent(Value)}`)
      .join("&");
  } catch (error) {
    const hasNone = error instanceof Problem &&
      (error.code === "not_supported" || error.detail?.upstream_code === "NoSuchTagSet");
    if (hasNone) return "";
    throw error;
  }
}
