import type { Role } from "../../src/auth/principal.ts";
import { type TestBucket, withBucket } from "../support/bucket.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault_proxy.ts";
import { json } from "../support/http_client.ts";
import type { ProgramOptions } from "../support/program.ts";
import { withUpstream } from "../support/upstreams.ts";

/** The program on a bucket, with a proxy between it and the upstream. */
export interface JobStage extends TestBucket {
  readonly proxy: FaultProxy;
  /** Uploads small objects named `0000`, `0001` and so on under a prefix. */
  fill(prefix: string, count: number): Promise<void>;
  /** Registers the upstream once more, so that what is copied there passes through the program. */
  addSecondBackend(): Promise<void>;
}

/** Everyone that {@link withJobStage} knows besides `admin`. */
export const users: Readonly<Record<string, Role>> = {
  admin: "admin",
  alice: "user",
  bob: "user",
  rita: "readonly",
};

/** Runs `body` with the program, a bucket and users of every role. */
export async function withJobStage(
  body: (stage: JobStage) => Promise<void>,
  options: ProgramOptions = {},
): Promise<void> {
  await withUpstream("minio", async (upstream) => {
    const proxy = startFaultProxy(upstream);
    try {
      await withBucket(proxy, (bucket) => body(stageOf(bucket, proxy)), {
        users,
        ...options,
        config: { ratelimit: { api_per_minute: 0 }, ...options.config },
      });
    } finally {
      await proxy.stop();
    }
  });
}

/** Id of the backend that {@link JobStage.addSecondBackend} registers. */
export const secondBackendId = "second";

function stageOf(bucket: TestBucket, proxy: FaultProxy): JobStage {
  return {
    ...bucket,
    proxy,
    fill: filler(bucket),
    async addSecondBackend() {
      const { endpoint, region, accessKey, secretKey } = proxy;
      const entry = { id: secondBackendId, name: secondBackendId, type: "s3v4", endpoint, region };
      const keys = { access_key: accessKey, secret_key: secretKey };
      await json(
        bucket.client.post("/api/admin/backends", { json: { ...entry, ...keys, path_style: true } }),
        201,
      );
    },
  };
}

function filler({ upload }: TestBucket): JobStage["fill"] {
  return async (prefix, count) => {
    const keys = Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(4, "0")}`);
    for (let start = 0; start < count; start += 8) {
      await Promise.all(keys.slice(start, start + 8).map((key) => upload(key, key)));
    }
  };
}
