import type { BucketScope } from "../../backends/bucket_scope.ts";
import type { CapabilityStore } from "../../backends/capabilities.ts";
import { mapPool } from "../../backends/map_pool.ts";
import type { BackendRegistry } from "../../backends/registry.ts";
import { foreignAnswerProblem } from "../../backends/upstream_error.ts";
import { Problem } from "../../problem.ts";
import { textOf, type XmlNode } from "../../xml/reader.ts";
import { parseStored, type SettingsDocuments } from "./documents.ts";
import { policyDocument, type PublicAccess, publicAccess } from "./policy.ts";
import { readVersioning, type Versioning, versioningDocument } from "./versioning.ts";

/** How a bucket is set up at its backend. What the backend does not tell is absent. */
export interface BucketProperties {
  readonly region?: string;
  readonly versioning?: Versioning["status"];
  /** Whether versions in it can be locked against deletion. */
  readonly objectLock?: boolean;
  /** What its policy allows to everyone. */
  readonly publicAccess?: PublicAccess;
  /** When the backend was asked, in milliseconds since the epoch. */
  readonly readAt: number;
}

/** What {@link PropertiesReader} works with. */
export interface PropertiesReaderDeps {
  readonly registry: Pick<BackendRegistry, "onChange">;
  readonly documents: SettingsDocuments;
  readonly capabilities: Pick<CapabilityStore, "get">;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** How long an answer counts, in milliseconds: changes that are made past this program are seen after that. */
const maxAgeMs = 5 * 60_000;

/** Buckets that are remembered. */
const maxRemembered = 5_000;

/** Buckets that are asked about at once; each takes up to four requests, side by side. */
const maxAtOnce = 4;

/** What S3 says of a bucket that has no object lock: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const noObjectLock = "ObjectLockConfigurationNotFoundError";

/** Reads how buckets are set up, several requests a bucket, and remembers it for a while. */
export class PropertiesReader {
  readonly #deps: PropertiesReaderDeps;
  readonly #known = new Map<string, BucketProperties>();
  /** Counts what was forgotten: answers that were under way then may be out of date. */
  #changes = 0;

  constructor(deps: PropertiesReaderDeps) {
    this.#deps = deps;
    deps.registry.onChange(() => this.#forgetAll());
    deps.documents.onChange(({ connection, bucket }) => this.forget(connection.backend.id, bucket));
  }

  /** The properties of some buckets of one backend, in their order. Throws 502 or 504 when the backend does not answer. */
  read(scopes: readonly BucketScope[], signal: AbortSignal): Promise<BucketProperties[]> {
    return mapPool(scopes, maxAtOnce, signal, (scope, signal) => this.#recall(scope, signal));
  }

  /** Forgets a bucket that was created, changed or deleted. */
  forget(backend: string, bucket: string): void {
    this.#changes++;
    this.#known.delete(nameOf(backend, bucket));
  }

  #forgetAll(): void {
    this.#changes++;
    this.#known.clear();
  }

  async #recall(scope: BucketScope, signal: AbortSignal): Promise<BucketProperties> {
    const name = nameOf(scope.connection.backend.id, scope.bucket);
    const known = this.#known.get(name);
    if (known !== undefined && this.#deps.clock() - known.readAt < maxAgeMs) return known;
    const changesBefore = this.#changes;
    const properties = await this.#ask(scope, signal);
    if (this.#changes !== changesBefore) return properties;
    if (this.#known.size >= maxRemembered) this.#known.clear();
    this.#known.set(name, properties);
    return properties;
  }

  async #ask(scope: BucketScope, signal: AbortSignal): Promise<BucketProperties> {
    const { documents, capabilities, clock } = this.#deps;
    const readAt = clock();
    const has = capabilities.get(scope.connection.backend.id);
    const [region, objectLock, versioning, access] = await Promise.all([
      told(readRegion(scope, signal)),
      has.versioning === false ? undefined : told(readObjectLock(scope, signal)),
      has.versioning === false ? undefined : told(documents.read(scope, versioningDocument)),
      has.policy === false ? undefined : told(documents.read(scope, policyDocument)),
    ]);
    return {
      region,
      objectLock,
      versioning: versioning && readVersioning(versioning.text).status,
      publicAccess: access && publicAccess(access.text),
      readAt,
    };
  }
}

/** What a backend answers; `undefined` where it refuses to. Throws when it does not answer. */
async function told<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return undefined;
    throw error;
  }
}

/**
 * The region that a bucket is in. Without a name S3 means its first one; other servers mean the only one that they have.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLocation.html
 */
async function readRegion({ connection, bucket }: BucketScope, signal: AbortSignal): Promise<string> {
  const { endpoint, region } = connection.backend;
  const node = await readXml({ connection, bucket }, "location", "LocationConstraint", signal);
  // Some servers wrap the name into an element more than S3 does.
  const name = (textOf(node, "LocationConstraint") ?? node.text).trim();
  if (name !== "") return name === "EU" ? "eu-west-1" : name;
  return new URL(endpoint).hostname.endsWith(".amazonaws.com") ? "us-east-1" : region;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectLockConfiguration.html */
async function readObjectLock(scope: BucketScope, signal: AbortSignal): Promise<boolean> {
  try {
    const node = await readXml(scope, "object-lock", "ObjectLockConfiguration", signal);
    return textOf(node, "ObjectLockEnabled") === "Enabled";
  } catch (error) {
    if (error instanceof Problem && error.detail?.upstream_code === noObjectLock) return false;
    throw error;
  }
}

async function readXml(
  { connection, bucket }: BucketScope,
  name: string,
  answer: string,
  signal: AbortSignal,
): Promise<XmlNode> {
  const { text } = await connection.exchangeDocument({
    method: "GET",
    bucket,
    query: { [name]: "" },
    answer,
    signal,
  });
  if (text === "") throw foreignAnswerProblem(200);
  return parseStored(text);
}

function nameOf(backend: string, bucket: string): string {
  return `${backend}/${bucket}`;
}
