import { findBucket } from "../../backends/bucket_scope.ts";
import { reserveAsItComes, storeWithinQuota } from "../../objects/quota.ts";
import type { ObjectDraft, StoredObject } from "../../objects/stored_object.ts";
import { minPartBytes, uploadStream } from "../../objects/stream_upload.ts";
import { requireKeyInScope } from "../authorize.ts";
import type { RequestContext } from "../context.ts";
import type { VirtualCredential } from "../credentials/source.ts";
import { objectUrl } from "../own_url.ts";
import { postAnswer, requireAnswerable } from "./answer.ts";
import { asUploadError } from "./error.ts";
import { malformedPost, type PostForm, readPostForm } from "./form.ts";
import { postedHeaders } from "./headers.ts";
import { parsePolicy, requirePolicy, type SizeRange } from "./policy.ts";
import { readPostSignature } from "./signature.ts";
import { answerLocally } from "../relay.ts";
import { S3Error } from "../s3_error.ts";
import type { OperationServices } from "../services.ts";
import { encodeKey, requireKeyLength } from "../target.ts";

/**
 * PostObject: stores the file of a form that a policy was signed for
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-UsingHTTPPOST.html). Its size is known only at its end, so up to 8 MiB
 * go in one request and more in parts; nothing is stored before the end of the form was seen and its size found allowed.
 */
export async function postObject(context: RequestContext, services: OperationServices): Promise<void> {
  const { head, exchange, target } = context;
  const form = await readPostForm(head.headers.get("content-type"), exchange.body);
  const now = services.clock();
  const signature = readPostSignature(form.fields, now);
  const credential = services.admission.admitForm(context, signature);
  const policy = parsePolicy(signature.policy);
  const fields = resolveFields(form, target.bucket);
  const key = fields.get("key") ?? "";
  context.target = { ...target, key, rawKey: encodeKey(key) };
  requirePolicy(policy, fields, now);
  requireAnswerable(fields);
  requireKey(key, credential);
  const headers = postedHeaders(fields);
  const draft = { ...bucketOf(context, services), ...headers, key, metadata: {}, ifAbsent: false };
  const stored = await store(context, services, draft, sized(form.file, policy.size));
  const answer = postAnswer(fields, {
    bucket: target.bucket,
    key,
    location: objectUrl(context),
    etag: `"${stored.etag}"`,
    versionId: stored.version_id,
  });
  await answerLocally(context, {
    ...answer,
    headers: [["x-amz-request-id", context.requestId], ...answer.headers],
  });
}

/** The fields as the policy is held against them. */
function resolveFields({ fields, filename }: PostForm, bucket: string): Map<string, string> {
  if ((fields.get("bucket") ?? bucket) !== bucket) {
    throw new S3Error("AccessDenied", "The form is for another bucket.", {
      result: "auth_failure",
      reason: "policy_condition",
    });
  }
  const resolved = new Map(fields).set("bucket", bucket);
  const key = fields.get("key");
  if (key !== undefined) resolved.set("key", key.replaceAll("${filename}", () => filename));
  return resolved;
}

function requireKey(key: string, credential: VirtualCredential): void {
  if (key === "") throw malformedPost("The form has no key.");
  if (key.includes("\0")) throw new S3Error("InvalidArgument", "A key must not hold NUL.");
  requireKeyLength(key);
  requireKeyInScope(key, credential);
}

function bucketOf({ backend, target }: RequestContext, { registry }: OperationServices) {
  try {
    return findBucket(registry, backend, target.bucket);
  } catch (error) {
    throw asUploadError(error);
  }
}

async function store(
  context: RequestContext,
  { ledger, logger, journal, admission }: OperationServices,
  draft: ObjectDraft,
  content: AsyncIterable<Uint8Array>,
): Promise<StoredObject> {
  const { exchange } = context;
  const abortion = new AbortController();
  exchange.onGone = () => {
    context.isGone = true;
    abortion.abort();
  };
  const options = { signal: abortion.signal, logger, journal };
  const partSize = Math.min(minPartBytes, exchange.body.length ?? minPartBytes);
  const admitted = guarded(content, () => admission.requireStillAdmitted(context));
  try {
    return await storeWithinQuota({ ...draft, ledger }, 0, (reservation) => {
      const reserved = reserveAsItComes(admitted, reservation);
      return uploadStream({ ...draft, reservation }, reserved, partSize, options);
    });
  } catch (error) {
    throw asUploadError(error);
  }
}

/** Passes a file on as long as it is not too large, and lets it end unless it is too small. */
async function* sized(
  content: AsyncIterable<Uint8Array>,
  { min, max }: SizeRange,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > max) {
      throw new S3Error("EntityTooLarge", "Your proposed upload exceeds the maximum allowed size.");
    }
    yield piece;
  }
  if (size < min) {
    throw new S3Error("EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size.");
  }
}

/** Passes pieces on, each only after `check` has let it, and so the end. */
async function* guarded(content: AsyncIterable<Uint8Array>, check: () => void): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    check();
    yield piece;
  }
  check();
}
