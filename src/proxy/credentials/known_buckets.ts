import { bucketExists } from "../../backends/bucket_exists.ts";
import { isBucketName } from "../../backends/names.ts";
import type { BackendRegistry } from "../../backends/registry.ts";
import { badRequest, Problem } from "../../problem.ts";

/** How many buckets are asked for at once. */
const concurrency = 8;

/** Checks names of buckets without asking anyone. Throws 400 `invalid_bucket_name`, naming `field`. */
export function requireBucketNames(names: readonly string[], field: string): void {
  const wrong = names.find((name) => !isBucketName(name));
  if (wrong === undefined) return;
  const shown = JSON.stringify(wrong.slice(0, 64));
  throw new Problem(400, "invalid_bucket_name", `${field}: ${shown} is not the name of a bucket`, {
    detail: { field },
  });
}

/** Checks that a backend exists and is enabled. Throws 400 `bad_request`. */
export function requireBackend(registry: BackendRegistry, id: string): void {
  if (registry.list().some((backend) => backend.id === id && backend.enabled)) return;
  throw badRequest("backend_id: there is no such backend", { field: "backend_id" });
}

/**
 * Asks an enabled backend for buckets of valid names, so that a typing error is told at once. Throws 400 `bad_request` with
 * the missing ones, naming `field`, or the backend's problem when it cannot say.
 */
export async function requireBuckets(
  registry: BackendRegistry,
  backendId: string,
  names: readonly string[],
  { field, signal }: { field: string; signal: AbortSignal },
): Promise<void> {
  requireBackend(registry, backendId);
  const connection = registry.connect(backendId);
  const missing: string[] = [];
  for (let start = 0; start < names.length; start += concurrency) {
    await Promise.all(
      names.slice(start, start + concurrency).map(async (bucket) => {
        if (!await bucketExists({ connection, bucket }, signal)) missing.push(bucket);
      }),
    );
  }
  // Asked again: it may have been removed meanwhile.
  requireBackend(registry, backendId);
  if (missing.length === 0) return;
  const message = `${field}: the backend has no bucket ${missing.map((name) => `"${name}"`).join(", ")}`;
  throw badRequest(message, { field, missing });
}
