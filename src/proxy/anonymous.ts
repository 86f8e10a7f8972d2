import { type Access, requirePrefixInsideBucket } from "./authorize.ts";
import type { AnonymousBinding } from "./credentials/source.ts";
import { type Operation, operations } from "./operations.ts";
import type { QueryList } from "./query.ts";
import { S3Error } from "./s3_error.ts";

/** What anyone may do in a bucket with a binding, and the parameters that this may have. Old versions are not public. */
const allowed: ReadonlyMap<Operation, ReadonlySet<string>> = new Map<Operation, ReadonlySet<string>>([
  [operations.GetObject, new Set(["partNumber", "x-id"])],
  [operations.HeadObject, new Set(["partNumber"])],
  [
    operations.ListObjectsV2,
    new Set([
      "list-type",
      "prefix",
      "delimiter",
      "start-after",
      "continuation-token",
      "max-keys",
      "encoding-type",
      "fetch-owner",
      "x-id",
    ]),
  ],
]);

/**
 * Checks that a request without any signature may be served. Throws {@link S3Error} `AccessDenied`, the same for every bucket
 * without a binding, existing or not. Its `reason` is `no_binding`, `operation` or `parameter`.
 */
export function authorizeAnonymous(
  operation: Operation,
  query: QueryList,
  binding: AnonymousBinding | undefined,
): Access {
  if (binding === undefined) throw denied("no_binding");
  const parameters = allowed.get(operation);
  if (parameters === undefined) throw denied("operation");
  if (!query.names.every((name) => parameters.has(name))) throw denied("parameter");
  requirePrefixInsideBucket(query.get("prefix") ?? "");
  return { backend: binding.backend };
}

function denied(reason: string): S3Error {
  return new S3Error("AccessDenied", "Anonymous access is denied.", { result: "anonymous_denied", reason });
}
