import { z } from "zod";
import type { AnonymousBinding, BucketQuota, VirtualCredential } from "../source.ts";
import type { SecretObject } from "./wire.ts";

/** What one Secret gives; or why it gives nothing, in words that hold none of its values. */
export type SecretContent =
  | {
    readonly malformed?: undefined;
    readonly credential?: VirtualCredential;
    readonly quota?: BucketQuota;
    readonly binding?: AnonymousBinding;
  }
  | { readonly malformed: string };

/** Prefix of the labels and annotations that mean something here. */
const labelPrefix = "broker.service.io/";

/**
 * Reads a Secret by its label `role`. One that does not say exactly what it gives is malformed as a whole, so that a slip
 * never widens what a credential may reach or how long it is good for.
 */
export function decodeSecret(secret: SecretObject): SecretContent {
  const role = secret.metadata.labels[`${labelPrefix}role`];
  try {
    if (role === "virtual-credential") return decodeCredential(secret);
    if (role === "anonymous-binding") return decodeBinding(secret);
    return { malformed: `the label ${labelPrefix}role is neither virtual-credential nor anonymous-binding` };
  } catch (error) {
    if (error instanceof MalformedSecret) return { malformed: error.message };
    throw error;
  }
}

class MalformedSecret extends Error {}

/** The rule of the configuration for the ids of backends. */
const backend = z.string({ error: "is not the id of a backend" })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, { error: "is not the id of a backend" });

/** As wide as the dashboard takes the names of buckets that exist. */
const bucket = z.string({ error: "is not the name of a bucket" })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/, { error: "is not the name of a bucket" });

const bytes = z.string().regex(/^\d+$/, { error: "is not a number of bytes" }).transform(Number)
  .refine(Number.isSafeInteger, { error: "is too large" });

const bucketScopes = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message: "is not JSON" });
    return z.NEVER;
  }
}).pipe(z.array(
  // A field that is not known here could narrow the scope, so it must not be passed over.
  z.strictObject({ backend, bucket }, { error: "is not an object of backend and bucket alone" }),
  { error: "is not a list" },
));

const credentialFields = z.object({
  access_key_id: z.string().regex(/^[\w.+=@~-]{1,128}$/, { error: "is not an access key id" }),
  // White space at either end is a slip in making the Secret, and no client would sign with it.
  secret_access_key: z.string().regex(/^[!-~]{1,256}$/, {
    error: "has spaces or other than ASCII characters",
  }),
  backend: backend.optional(),
  bucket_name: bucket.optional(),
  bucket_scopes: bucketScopes.optional(),
  quota_soft_bytes: bytes.optional(),
  quota_hard_bytes: bytes.optional(),
});

const bindingFields = z.object({
  backend,
  bucket_name: bucket,
  anonymous_mode: z.enum(["ReadOnly", "None"], { error: "is neither ReadOnly nor None" }),
  anonymous_per_source_ip_rps: z.string().regex(/^\d+(\.\d+)?$/, { error: "is not a rate" }).transform(Number)
    .optional(),
});

type CredentialFields = z.output<typeof credentialFields>;

function decodeCredential({ metadata, data }: SecretObject): SecretContent {
  const fields = decodeFields(credentialFields, data);
  const credential: VirtualCredential = {
    accessKeyId: fields.access_key_id,
    secretKey: fields.secret_access_key,
    buckets: scopeOf(fields),
    prefix: "",
    readOnly: false,
    enabled: true,
    expiresAt: expiryOf(metadata.annotations[`${labelPrefix}expires-at`]),
    userId: "",
    createdAt: creationTime({ metadata }),
    source: "kubernetes",
  };
  return { credential, quota: quotaOf(fields, credential.buckets) };
}

function decodeBinding({ data }: SecretObject): SecretContent {
  const fields = decodeFields(bindingFields, data);
  if (fields.anonymous_mode === "None") return {};
  return {
    binding: {
      backend: fields.backend,
      bucket: fields.bucket_name,
      perSourceIpRps: fields.anonymous_per_source_ip_rps ?? 0,
      source: "kubernetes",
    },
  };
}

/** When a Secret was made, in milliseconds since the epoch; 0 when it does not say. */
export function creationTime({ metadata }: Pick<SecretObject, "metadata">): number {
  return Date.parse(metadata.creationTimestamp ?? "") || 0;
}

/** The buckets in scope, each with its backend: of `bucket_scopes`, or when that is absent or empty, the single one. */
function scopeOf({ bucket_scopes = [], bucket_name, backend }: CredentialFields): Map<string, string> {
  if (bucket_scopes.length === 0) {
    if (bucket_name === undefined) throw new MalformedSecret("bucket_name is missing, and bucket_scopes too");
    if (backend === undefined) throw new MalformedSecret("backend is missing");
    return new Map([[bucket_name, backend]]);
  }
  const scope = new Map<string, string>();
  for (const { bucket, backend } of bucket_scopes) {
    if ((scope.get(bucket) ?? backend) !== backend) {
      throw new MalformedSecret(
        "bucket_scopes has one bucket on two backends, which requests cannot tell apart",
      );
    }
    scope.set(bucket, backend);
  }
  return scope;
}

/** The quota of the bucket in `bucket_name`, or of the only one in scope. */
function quotaOf(fields: CredentialFields, scope: ReadonlyMap<string, string>): BucketQuota | undefined {
  const { bucket_name, backend, quota_soft_bytes: softBytes = 0, quota_hard_bytes: hardBytes = 0 } = fields;
  if (softBytes === 0 && hardBytes === 0) return undefined;
  const [[onlyBucket, onlyBackend], ...others] = scope;
  if (bucket_name !== undefined && backend !== undefined) {
    return { backend, bucket: bucket_name, softBytes, hardBytes };
  }
  if (others.length > 0) {
    throw new MalformedSecret("it has a quota, but no bucket_name and backend that it is for");
  }
  return { backend: onlyBackend, bucket: onlyBucket, softBytes, hardBytes };
}

/** Milliseconds since the epoch. The annotation is a time of RFC 3339. */
function expiryOf(annotation: string | undefined): number | undefined {
  if (annotation === undefined) return undefined;
  if (!z.iso.datetime({ offset: true }).safeParse(annotation).success) {
    throw new MalformedSecret(
      `the annotation ${labelPrefix}expires-at is not a time such as 2030-01-31T12:00:00Z`,
    );
  }
  return Date.parse(annotation);
}

/** The fields that `schema` names, out of base64. A value that is empty counts as absent. */
function decodeFields<Schema extends z.ZodObject>(
  schema: Schema,
  data: SecretObject["data"],
): z.output<Schema> {
  const fields = Object.keys(schema.shape).map((name) => [name, decodeValue(name, data[name])]);
  const result = schema.safeParse(Object.fromEntries(fields));
  if (result.success) return result.data;
  const { path: [name, ...rest], message } = result.error.issues[0];
  if (decodeValue(String(name), data[String(name)]) === undefined) {
    throw new MalformedSecret(`${String(name)} is missing`);
  }
  throw new MalformedSecret([name, ...rest].join(".") + ` ${message}`);
}

function decodeValue(name: string, base64: string | null | undefined): string | undefined {
  if (!base64) return undefined;
  try {
    const binary = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(binary) || undefined;
  } catch {
    throw new MalformedSecret(`${name} is not text in base64`);
  }
}
