import type { BackendRegistry } from "../../backends/registry.ts";
import { conflict, notFound } from "../../problem.ts";
import type { AnonymousMode, BindingRecord } from "../../store/anonymous_bindings_repository.ts";
import { requireBackend, requireBucketNames, requireBuckets } from "./known_buckets.ts";
import type { CredentialSource } from "./source.ts";
import type { SqliteCredentials } from "./sqlite.ts";

/** A binding to be made, or to take the place of the one of the same bucket. */
export interface BindingInput {
  readonly backendId: string;
  readonly bucket: string;
  readonly mode: AnonymousMode;
  readonly perSourceIpRps: number;
}

/** What {@link AnonymousService} works with. */
export interface AnonymousServiceDeps {
  readonly stored: SqliteCredentials;
  /** Bindings of every source: a bucket name may be open on one backend only. */
  readonly all: CredentialSource;
  readonly registry: BackendRegistry;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Opens buckets to readers without a credential, and closes them; each change counts for the very next request. */
export class AnonymousService {
  readonly #deps: AnonymousServiceDeps;

  constructor(deps: AnonymousServiceDeps) {
    this.#deps = deps;
  }

  /** Every binding that was made in the dashboard, by when. */
  list(): BindingRecord[] {
    return this.#deps.stored.bindingRecords();
  }

  /**
   * Makes or replaces a binding on behalf of user `createdBy` and tells whether it is new. Throws 400 `bad_request` or
   * `invalid_bucket_name`, 409 `conflict` when a bucket of this name is open on another backend, or the problem of a backend
   * that cannot be asked for the bucket.
   */
  async upsert(
    createdBy: string,
    input: BindingInput,
    signal: AbortSignal,
  ): Promise<{ binding: BindingRecord; isNew: boolean }> {
    const { stored, registry, clock } = this.#deps;
    const { backendId, bucket } = input;
    requireBucketNames([bucket], "bucket");
    requireBackend(registry, backendId);
    if (input.mode === "ReadOnly") {
      this.#requireOpenNowhereElse(input);
      await requireBuckets(registry, backendId, [bucket], { field: "bucket", signal });
      // Asked again: another request may have opened it while the backend was asked.
      this.#requireOpenNowhereElse(input);
    }
    const before = this.#find(backendId, bucket);
    const binding = {
      ...input,
      createdAt: before?.createdAt ?? clock(),
      createdBy: before?.createdBy ?? createdBy,
    };
    stored.upsertBinding(binding);
    return { binding, isNew: before === undefined };
  }

  /** Removes a binding. Throws 404 `not_found`. */
  remove(backendId: string, bucket: string): void {
    if (!this.#deps.stored.removeBinding(backendId, bucket)) throw notFound("There is no such binding.");
  }

  #find(backendId: string, bucket: string): BindingRecord | undefined {
    return this.list().find((binding) => binding.backendId === backendId && binding.bucket === bucket);
  }

  /** An address names the bucket only, so that two backends could not be told apart. */
  #requireOpenNowhereElse({ backendId, bucket }: BindingInput): void {
    const { stored, all } = this.#deps;
    const open = [stored.findBinding(bucket), all.findBinding(bucket)].find((binding) =>
      binding !== undefined && binding.backend !== backendId
    );
    if (open === undefined) return;
    throw conflict(`A bucket "${bucket}" is already open to everyone on the backend "${open.backend}".`);
  }
}
