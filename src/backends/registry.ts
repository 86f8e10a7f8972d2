import type { BackendConfig } from "../config/schema.ts";
import type { Logger } from "../logging/logger.ts";
import { conflict, notFound, Problem } from "../problem.ts";
import type { Sealer } from "../secrets/seal.ts";
import {
  deleteStoredBackend,
  insertStoredBackend,
  listStoredBackends,
  type StoredBackend,
  updateStoredBackend,
} from "../store/backends_repository.ts";
import type { Database } from "../store/database.ts";
import type { Backend } from "./backend.ts";
import { S3Connection } from "./s3_client.ts";
import { errorMessage } from "../error_message.ts";

/** What an administrator says about a backend. */
export type BackendInput = Pick<
  Backend,
  "name" | "endpoint" | "region" | "pathStyle" | "presign" | "enabled" | "credentials"
>;

/** A backend as it is registered, with the times (milliseconds since the epoch) of one from the dashboard. */
export interface RegisteredBackend extends Backend {
  readonly createdAt?: number;
  readonly updatedAt?: number;
}

interface Entry {
  readonly backend: RegisteredBackend;
  readonly connection: S3Connection;
  /** Why the backend cannot be used although it is enabled. */
  readonly fault?: Problem;
}

/** What {@link BackendRegistry} needs. */
export interface BackendRegistryDeps {
  readonly configured: readonly BackendConfig[];
  readonly database: Database;
  /** `null` without a root key. */
  readonly sealer: Sealer | null;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/**
 * All backends: those of the configuration file and those of the dashboard. It is kept in memory; a change is stored and
 * then counts for the very next request.
 */
export class BackendRegistry {
  readonly #deps: BackendRegistryDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners: ((id: string) => void)[] = [];

  constructor(deps: BackendRegistryDeps) {
    this.#deps = deps;
    for (const config of deps.configured) this.#put(fromConfig(config));
    for (const stored of listStoredBackends(deps.database)) {
      if (this.#entries.has(stored.id)) {
        deps.logger.warn("a backend of the dashboard is hidden by one of the configuration file", {
          backend: stored.id,
        });
      } else this.#load(stored);
    }
  }

  /** Every backend, in the order of the configuration file, then of registration. */
  list(): RegisteredBackend[] {
    return [...this.#entries.values()].map(({ backend }) => backend);
  }

  /** Whether there is such a backend, enabled or not. */
  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** One backend, enabled or not. Throws 404 `not_found`. */
  describe(id: string): RegisteredBackend {
    return this.#entry(id).backend;
  }

  /**
   * The connection to an enabled backend. Throws 404 `not_found`, or 503 `secret_key_unset` when its secret cannot be
   * opened with today's root key.
   */
  connect(id: string): S3Connection {
    const { backend, connection, fault } = this.#entry(id);
    if (!backend.enabled) throw notFound("There is no such backend.");
    if (fault !== undefined) throw fault;
    return connection;
  }

  /** Registers a backend. Throws 409 `id_taken`, 503 `secret_key_unset`. */
  create(id: string, input: BackendInput): RegisteredBackend {
    if (this.#entries.has(id)) throw conflict("There already is a backend with this id.", "id_taken");
    const now = this.#deps.clock();
    const stored = this.#seal(id, input, now, now);
    insertStoredBackend(this.#deps.database, stored);
    return this.#changed(id, this.#load(stored));
  }

  /** Changes a backend; what `changes` does not name stays. Throws 404, 409 `yaml_managed`, 503 `secret_key_unset`. */
  update(id: string, changes: Partial<BackendInput>): RegisteredBackend {
    const current = this.#requireOwn(id);
    if (this.#entry(id).fault !== undefined && !("credentials" in changes)) throw this.#entry(id).fault;
    const input = { ...current, ...changes };
    const now = this.#deps.clock();
    const stored = this.#seal(id, input, current.createdAt ?? now, now);
    updateStoredBackend(this.#deps.database, stored);
    return this.#changed(id, this.#load(stored));
  }

  /** Removes a backend and what is kept about its buckets. Throws 404, 409 `yaml_managed`. */
  delete(id: string): void {
    this.#requireOwn(id);
    deleteStoredBackend(this.#deps.database, id);
    this.#entries.get(id)?.connection.close();
    this.#entries.delete(id);
    this.#changed(id, undefined);
  }

  /** Calls `listener` with the id of each backend that was created, changed or removed. */
  onChange(listener: (id: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Frees every connection pool. */
  close(): void {
    for (const { connection } of this.#entries.values()) connection.close();
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw notFound("There is no such backend.");
    return entry;
  }

  #requireOwn(id: string): RegisteredBackend {
    const { backend } = this.#entry(id);
    if (backend.source === "config") {
      throw conflict("This backend is managed by the configuration file.", "yaml_managed");
    }
    return backend;
  }

  #seal(id: string, input: BackendInput, createdAt: number, updatedAt: number): StoredBackend {
    const { name, endpoint, region, pathStyle, presign, enabled, credentials } = input;
    if (credentials !== undefined && this.#deps.sealer === null) throw secretKeyUnset();
    const secretKeySealed = credentials === undefined
      ? null
      : this.#deps.sealer?.seal(credentials.secretKey, sealPlace(id)) ?? null;
    const accessKey = credentials?.accessKey ?? "";
    return {
      id,
      name,
      endpoint,
      region,
      pathStyle,
      presign,
      enabled,
      accessKey,
      secretKeySealed,
      createdAt,
      updatedAt,
    };
  }

  #load(stored: StoredBackend): RegisteredBackend {
    const { secretKeySealed, accessKey, ...rest } = stored;
    const backend = { ...rest, type: "s3v4", source: "ui" } as const;
    if (secretKeySealed === null) return this.#put(backend);
    try {
      if (this.#deps.sealer === null) throw secretKeyUnset();
      const secretKey = this.#deps.sealer.open(secretKeySealed, sealPlace(stored.id));
      return this.#put({ ...backend, credentials: { accessKey, secretKey } });
    } catch (cause) {
      const reason = errorMessage(cause);
      this.#deps.logger.warn("the secret key of a backend cannot be opened", { backend: stored.id, reason });
      const fault = cause instanceof Problem ? cause : new Problem(
        503,
        "secret_key_unset",
        "The secret key of this backend was sealed with another root key.",
        {
          cause,
        },
      );
      return this.#put({ ...backend, credentials: { accessKey, secretKey: "" } }, fault);
    }
  }

  #put(backend: RegisteredBackend, fault?: Problem): RegisteredBackend {
    this.#entries.get(backend.id)?.connection.close();
    const connection = new S3Connection(backend, this.#deps.clock);
    this.#entries.set(backend.id, { backend, connection, fault });
    return backend;
  }

  #changed<T>(id: string, result: T): T {
    for (const listener of this.#listeners) listener(id);
    return result;
  }
}

/** 503: there is no root key to seal secrets with. */
function secretKeyUnset(): Problem {
  return new Problem(
    503,
    "secret_key_unset",
    "Set SERVICE_SECRET_KEY or server.secret_key_file: without a root key no backend keys can be stored.",
  );
}

/** The associated data that ties a sealed secret to its row. */
function sealPlace(id: string): string {
  return `backends/${id}`;
}

function fromConfig(config: BackendConfig): Backend {
  return {
    id: config.id,
    name: config.name,
    type: config.type,
    endpoint: config.endpoint,
    region: config.region,
    pathStyle: config.path_style,
    presign: config.presign,
    enabled: true,
    source: "config",
    credentials: config.credentials &&
      { accessKey: config.credentials.access_key, secretKey: config.credentials.secret_key },
    credentialVariables: config.credentials &&
      { accessKey: config.access_key_env, secretKey: config.secret_key_env },
  };
}
