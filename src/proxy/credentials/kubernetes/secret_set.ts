import type { Logger } from "../../../logging/logger.ts";
import type { AnonymousBinding, BucketQuota, VirtualCredential } from "../source.ts";
import { creationTime, decodeSecret, type SecretContent } from "./secret.ts";
import type { SecretObject } from "./wire.ts";

/** A Secret that was read. */
interface Entry {
  readonly name: string;
  /** Differs for each state of each Secret, also when one is deleted and another made under its name. */
  readonly version: string;
  readonly createdAt: number;
  readonly content: SecretContent;
}

/** What the Secrets give, each with the Secret that it is from. */
interface Index {
  readonly credentials: Winners<VirtualCredential>;
  readonly bindings: Winners<AnonymousBinding>;
  readonly quotas: Winners<BucketQuota>;
  /** How many Secrets are malformed. */
  readonly malformed: number;
}

/**
 * The Secrets as they are now, and what they give. All of that is made again from all of them at each change, so nothing is
 * left of a Secret that was changed or deleted. Where several give the same access key id or bind the same bucket, the
 * oldest counts; of several quotas for a bucket the newest, since a key that was rotated carries what was set last.
 */
export class SecretSet {
  readonly #logger: Logger;
  #entries = new Map<string, Entry>();
  #index: Index = buildIndex([]);
  /** Names of the Secrets that do not count beside an older one. */
  #hidden: ReadonlySet<string> = new Set();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get index(): Index {
    return this.#index;
  }

  /** Takes these Secrets for all that there are. Returns whether anything changed. */
  replace(secrets: readonly SecretObject[]): boolean {
    const before = this.#entries;
    const present = secrets.filter(({ metadata }) => !metadata.deletionTimestamp);
    this.#entries = new Map(present.map((secret) => [secret.metadata.name, this.#read(secret, before)]));
    const isSame = this.#entries.size === before.size &&
      this.#entries.values().every((entry) => before.get(entry.name) === entry);
    if (!isSame) this.#rebuild();
    return !isSame;
  }

  /** Adds a Secret or puts it in place of its former state. Returns whether anything changed. */
  put(secret: SecretObject): boolean {
    // Finalizers can hold up the deletion, but who deletes a Secret wants its key to stop.
    if (secret.metadata.deletionTimestamp) return this.remove(secret.metadata.name);
    const entry = this.#read(secret, this.#entries);
    if (this.#entries.get(entry.name) === entry) return false;
    this.#entries.set(entry.name, entry);
    this.#rebuild();
    return true;
  }

  /** Removes the Secret of this name. Returns whether there was one. */
  remove(name: string): boolean {
    if (!this.#entries.delete(name)) return false;
    this.#rebuild();
    return true;
  }

  #rebuild(): void {
    this.#index = buildIndex(this.#entries.values());
    const hidden = new Set([...this.#index.credentials.losers, ...this.#index.bindings.losers]);
    for (const name of hidden.difference(this.#hidden)) {
      this.#logger.warn("a Kubernetes Secret is hidden by an older one for the same key id or bucket", {
        name,
      });
    }
    this.#hidden = hidden;
  }

  /** The entry of a Secret; the one that `before` has when it did not change. */
  #read(secret: SecretObject, before: ReadonlyMap<string, Entry>): Entry {
    const { name, uid, resourceVersion } = secret.metadata;
    const former = before.get(name);
    const version = `${uid}/${resourceVersion}`;
    if (former?.version === version) return former;
    const content = decodeSecret(secret);
    if (content.malformed !== undefined && content.malformed !== former?.content.malformed) {
      this.#logger.warn("a Kubernetes Secret is malformed and skipped", { name, reason: content.malformed });
    }
    return { name, version, createdAt: creationTime(secret), content };
  }
}

/** The key of a bucket's quota. */
export function quotaKey(backend: string, bucket: string): string {
  return `${backend}/${bucket}`;
}

function buildIndex(entries: Iterable<Entry>): Index {
  const credentials = new Winners<VirtualCredential>(isOlder);
  const bindings = new Winners<AnonymousBinding>(isOlder);
  const quotas = new Winners<BucketQuota>((entry, other) => isOlder(other, entry));
  let malformed = 0;
  for (const entry of entries) {
    if (entry.content.malformed !== undefined) {
      malformed++;
      continue;
    }
    const { credential, binding, quota } = entry.content;
    if (credential) credentials.enter(credential.accessKeyId, credential, entry);
    if (binding) bindings.enter(binding.bucket, binding, entry);
    if (quota) quotas.enter(quotaKey(quota.backend, quota.bucket), quota, entry);
  }
  return { credentials, bindings, quotas, malformed };
}

/** Secrets made in the same second are ordered by name. */
function isOlder(entry: Entry, other: Entry): boolean {
  if (entry.createdAt !== other.createdAt) return entry.createdAt < other.createdAt;
  return entry.name < other.name;
}

/** One value a key, of the entry that goes before all others which have one for it. */
class Winners<Value> {
  readonly #goesBefore: (entry: Entry, other: Entry) => boolean;
  readonly #values = new Map<string, Value>();
  readonly #entries = new Map<string, Entry>();
  /** Names of entries that another one goes before. */
  readonly losers = new Set<string>();

  constructor(goesBefore: (entry: Entry, other: Entry) => boolean) {
    this.#goesBefore = goesBefore;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  values(): Iterable<Value> {
    return this.#values.values();
  }

  enter(key: string, value: Value, entry: Entry): void {
    const rival = this.#entries.get(key);
    if (rival !== undefined && this.#goesBefore(rival, entry)) {
      this.losers.add(entry.name);
      return;
    }
    if (rival !== undefined) this.losers.add(rival.name);
    this.#values.set(key, value);
    this.#entries.set(key, entry);
  }
}
