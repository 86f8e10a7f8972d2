import type { Client } from "./http_client.ts";
import { json } from "./http_client.ts";
import { type Program, type ProgramOptions, withProgram } from "./program.ts";
import type { FaultProxy } from "./fault_proxy.ts";
import type { Upstream } from "./upstreams.ts";

/** Id of the backend that {@link withBucket} registers. */
export const backendId = "main";

/** Name of the bucket that {@link withBucket} creates. */
export const bucketName = "test-bucket";

/** The program with one backend and an empty bucket. */
export interface TestBucket {
  readonly program: Program;
  /** Signed in as an administrator. */
  readonly client: Client;
  /** Path of the backend in the API. */
  readonly backend: string;
  /** Path of the bucket in the API. */
  readonly bucket: string;
  /** Path of an object, ready for more query parameters. */
  object(key: string): string;
  /** Uploads an object as a raw body. */
  upload(key: string, body: BodyInit, contentType?: string): Promise<void>;
}

/** Runs `body` with the program in front of `upstream` and an empty bucket in it. */
export function withBucket<T>(
  upstream: Upstream | FaultProxy,
  body: (bucket: TestBucket) => Promise<T>,
  options: ProgramOptions = {},
): Promise<T> {
  return withProgram({ ...options, backends: [{ id: backendId, upstream }] }, async (program) => {
    const client = await program.signedIn();
    const backend = `/api/backends/${backendId}`;
    const bucket = `${backend}/buckets/${bucketName}`;
    const object = (key: string) => `${bucket}/object?key=${encodeURIComponent(key)}`;
    await json(client.post(`${backend}/buckets`, { json: { name: bucketName } }), 201);
    return await body({
      program,
      client,
      backend,
      bucket,
      object,
      async upload(key, content, contentType = "application/octet-stream") {
        const headers = { "content-type": contentType };
        await json(client.post(object(key), { body: content, headers }), 201);
      },
    });
  });
}
