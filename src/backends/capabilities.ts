import {
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketPolicyCommand,
  GetBucketVersioningCommand,
  GetObjectTaggingCommand,
  ListMultipartUploadsCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Problem } from "../problem.ts";
import type { S3Connection } from "./s3_client.ts";

/** Features that not every S3 server has. */
export const capabilityNames = ["versioning", "cors", "policy", "lifecycle", "tagging", "multipart"] as const;

/** One of {@link capabilityNames}. */
export type CapabilityName = typeof capabilityNames[number];

/** Which features a backend has, as far as it is known. */
export type Capabilities = Record<CapabilityName, boolean | "unknown">;

/** Key of an object that need not exist: whether its tags can be asked for is all that matters. */
const probeKey = "capability-probe";

type SendOptions = { abortSignal: AbortSignal };

/** For each feature a request that reads and never changes anything. */
const readers: Record<
  CapabilityName,
  (sdk: S3Client, Bucket: string, options: SendOptions) => Promise<unknown>
> = {
  versioning: (sdk, Bucket, options) => sdk.send(new GetBucketVersioningCommand({ Bucket }), options),
  cors: (sdk, Bucket, options) => sdk.send(new GetBucketCorsCommand({ Bucket }), options),
  policy: (sdk, Bucket, options) => sdk.send(new GetBucketPolicyCommand({ Bucket }), options),
  lifecycle: (sdk, Bucket, options) =>
    sdk.send(new GetBucketLifecycleConfigurationCommand({ Bucket }), options),
  tagging: (sdk, Bucket, options) =>
    sdk.send(new GetObjectTaggingCommand({ Bucket, Key: probeKey }), options),
  multipart: (sdk, Bucket, options) =>
    sdk.send(new ListMultipartUploadsCommand({ Bucket, MaxUploads: 1 }), options),
};

/** Answers that only a server which has the feature gives. */
const emptyAnswers = new Set([
  "NoSuchCORSConfiguration",
  "NoSuchBucketPolicy",
  "NoSuchLifecycleConfiguration",
  "NoSuchTagSet",
  "NoSuchKey",
]);

/** What the end of a request says about a feature. */
export interface ObservationOptions {
  /** Whether a success shows that the backend has it; `true` when absent. */
  readonly isProof?: boolean;
  /** Whether a refusal as unsupported shows that the backend lacks it; `true` when absent. */
  readonly isDisproof?: boolean;
}

/**
 * What each backend can do. It starts as unknown, is read once from the first bucket of a backend, and is corrected by
 * {@link observe} whenever a request shows otherwise.
 */
export class CapabilityStore {
  readonly #known = new Map<string, Capabilities>();
  /** Backends of which a probe has found out something. */
  readonly #probed = new Set<string>();

  /** What is known about a backend. */
  get(backendId: string): Capabilities {
    return this.#known.get(backendId) ?? unknownCapabilities();
  }

  /** Whether {@link probe} has found out anything about a backend. */
  isProbed(backendId: string): boolean {
    return this.#probed.has(backendId);
  }

  /** Runs a request that needs a feature, and records what its end shows. Throws what `run` throws. */
  async observe<T>(
    backendId: string,
    name: CapabilityName,
    run: () => Promise<T>,
    { isProof = true, isDisproof = true }: ObservationOptions = {},
  ): Promise<T> {
    try {
      const result = await run();
      if (isProof) this.#note(backendId, name, true);
      return result;
    } catch (error) {
      if (isDisproof && isUnsupported(error)) this.#note(backendId, name, false);
      throw error;
    }
  }

  /** Forgets a backend, whose definition changed. */
  forget(backendId: string): void {
    this.#known.delete(backendId);
    this.#probed.delete(backendId);
  }

  /**
   * Reads the capabilities of a backend from one of its buckets. Never throws: what fails stays unknown. What a request has
   * shown goes before it, since some servers tell that there is nothing of what they do not have.
   */
  async probe(connection: S3Connection, bucket: string, timeoutMs: number): Promise<void> {
    const found = await Promise.all(
      capabilityNames.map(async (name) =>
        [name, await probeCapability(connection, name, bucket, timeoutMs)] as const
      ),
    );
    const { id } = connection.backend;
    for (const [name, supported] of found) {
      if (supported === "unknown") continue;
      this.#probed.add(id);
      if (this.get(id)[name] === "unknown") this.#note(id, name, supported);
    }
  }

  #note(backendId: string, name: CapabilityName, supported: boolean): void {
    this.#known.set(backendId, { ...this.get(backendId), [name]: supported });
  }
}

/** Asks a bucket for one feature, by a request that changes nothing. Never throws: what fails otherwise is `"unknown"`. */
export async function probeCapability(
  connection: S3Connection,
  name: CapabilityName,
  bucket: string,
  timeoutMs: number,
): Promise<boolean | "unknown"> {
  try {
    await connection.call((sdk, options) => readers[name](sdk, bucket, options), { timeoutMs });
    return true;
  } catch (error) {
    return judge(error);
  }
}

function unknownCapabilities(): Capabilities {
  return {
    versioning: "unknown",
    cors: "unknown",
    policy: "unknown",
    lifecycle: "unknown",
    tagging: "unknown",
    multipart: "unknown",
  };
}

function judge(error: unknown): boolean | "unknown" {
  if (isUnsupported(error)) return false;
  if (!(error instanceof Problem)) return "unknown";
  return emptyAnswers.has(String(error.detail?.upstream_code)) ? true : "unknown";
}

function isUnsupported(error: unknown): boolean {
  return error instanceof Problem && error.code === "not_supported";
}
