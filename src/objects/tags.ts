import {
  DeleteObjectTaggingCommand,
  GetObjectTaggingCommand,
  PutObjectTaggingCommand,
} from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { Problem } from "../problem.ts";
import type { ObjectIdentifier } from "./delete_request.ts";

/** Limits of S3: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html. Lengths are in UTF-16 units. */
const maxTags = 10;
const maxKeyLength = 128;
const maxValueLength = 256;

/**
 * Checks tags against S3's rules: at most 10, with keys of 1 to 128 and values of up to 256 characters, which are letters,
 * digits, blanks and `+ - = . _ : / @`, and no key in AWS's own `aws:`. Throws 400 `too_many_tags` or `invalid_tag`.
 */
export function requireTags(tags: ReadonlyMap<string, string>): void {
  if (tags.size > maxTags) {
    throw new Problem(400, "too_many_tags", `An object may have ${maxTags} tags at most.`);
  }
  for (const [key, value] of tags) {
    const keyFault = key === ""
      ? "must not be empty"
      : /^aws:/i.test(key)
      ? 'must not begin with "aws:"'
      : textFault(key, maxKeyLength);
    if (keyFault !== undefined) throw invalidTag(`The key of a tag ${keyFault}.`, key);
    const valueFault = textFault(value, maxValueLength);
    if (valueFault !== undefined) throw invalidTag(`The value of a tag ${valueFault}.`, key);
  }
}

/**
 * The tags of an object or of one of its versions. Throws 404 `not_found`, or 400 `not_supported` where the backend has no
 * tags.
 */
export async function readTags(
  scope: BucketScope,
  object: ObjectIdentifier,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const { connection, bucket } = scope;
  const command = new GetObjectTaggingCommand({
    Bucket: bucket,
    Key: object.key,
    VersionId: object.versionId,
  });
  try {
    const { TagSet = [] } = await connection.call((sdk, options) => sdk.send(command, options), {
      signal,
      answer: "Tagging",
    });
    return new Map(TagSet.map(({ Key = "", Value = "" }) => [Key, Value]));
  } catch (error) {
    // Some servers answer so for an object without tags.
    if (error instanceof Problem && error.detail?.upstream_code === "NoSuchTagSet") return new Map();
    return await explain(scope, object, error);
  }
}

/** Replaces all tags of an object or of one of its versions, which {@link requireTags} has checked. Throws as `readTags`. */
export async function writeTags(
  scope: BucketScope,
  object: ObjectIdentifier,
  tags: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const { connection, bucket } = scope;
  const target = { Bucket: bucket, Key: object.key, VersionId: object.versionId };
  const TagSet = [...tags].map(([Key, Value]) => ({ Key, Value }));
  await connection.call(async (sdk, options) => {
    if (TagSet.length === 0) await sdk.send(new DeleteObjectTaggingCommand(target), options);
    else await sdk.send(new PutObjectTaggingCommand({ ...target, Tagging: { TagSet } }), options);
  }, { signal }).catch((error) => explain(scope, object, error));
}

/** S3 answers for the tags of a delete marker what servers without tags answer: the object itself tells which it is. */
async function explain(
  { connection, bucket }: BucketScope,
  { key, versionId }: ObjectIdentifier,
  error: unknown,
): Promise<never> {
  if (error instanceof Problem && error.detail?.upstream_code === "MethodNotAllowed") {
    await connection.send({ method: "HEAD", bucket, key, query: { versionId } });
  }
  throw error;
}

function textFault(text: string, maxLength: number): string | undefined {
  if (text.length > maxLength) return `must not have more than ${maxLength} characters`;
  if (!/^[\p{L}\p{N}\p{Zs}_.:/=+\-@]*$/u.test(text)) {
    return "consists of letters, digits, spaces and + - = . _ : / @";
  }
}

/** 400 `invalid_tag`. */
export function invalidTag(message: string, key: string): Problem {
  return new Problem(400, "invalid_tag", message, { detail: { key } });
}
