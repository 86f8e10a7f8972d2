import type { Logger } from "../../logging/logger.ts";
import type { AnonymousBinding, CredentialOrigin, CredentialSource, VirtualCredential } from "./source.ts";

/**
 * Two sources as one. Where both have a credential of the same id, or a binding of the same bucket, the first counts; each
 * that is hidden this way is warned of once.
 */
export class MergedCredentials implements CredentialSource {
  readonly #first: CredentialSource;
  readonly #second: CredentialSource;
  readonly #logger: Logger;
  readonly #warned = new Set<string>();

  /** `first` goes before `second`. */
  constructor(first: CredentialSource, second: CredentialSource, logger: Logger) {
    this.#first = first;
    this.#second = second;
    this.#logger = logger;
  }

  find(accessKeyId: string): VirtualCredential | undefined {
    const found = this.#first.find(accessKeyId);
    const other = this.#second.find(accessKeyId);
    if (found === undefined) return other;
    if (other !== undefined) this.#warn("credential", accessKeyId, other.source, found.source);
    return found;
  }

  findBinding(bucket: string): AnonymousBinding | undefined {
    const found = this.#first.findBinding(bucket);
    const other = this.#second.findBinding(bucket);
    if (found === undefined) return other;
    if (other !== undefined) this.#warn("anonymous binding", bucket, other.source, found.source);
    return found;
  }

  *credentials(): Iterable<VirtualCredential> {
    yield* this.#first.credentials();
    for (const credential of this.#second.credentials()) {
      if (this.#first.find(credential.accessKeyId) === undefined) yield credential;
    }
  }

  *bindings(): Iterable<AnonymousBinding> {
    yield* this.#first.bindings();
    for (const binding of this.#second.bindings()) {
      if (this.#first.findBinding(binding.bucket) === undefined) yield binding;
    }
  }

  get size(): number {
    let hidden = 0;
    for (const { accessKeyId } of this.#first.credentials()) {
      if (this.#second.find(accessKeyId) !== undefined) hidden++;
    }
    return this.#first.size + this.#second.size - hidden;
  }

  #warn(kind: string, name: string, source: CredentialOrigin, hiddenBy: CredentialOrigin): void {
    const id = `${kind} ${name}`;
    if (this.#warned.has(id)) return;
    this.#warned.add(id);
    this.#logger.warn("what one source of credentials holds is hidden by another", {
      kind,
      name,
      source,
      hidden_by: hiddenBy,
    });
  }
}
