import type { BucketScope } from "../../src/backends/bucket_scope.ts";
import { S3Connection } from "../../src/backends/s3_client.ts";

/** A bucket of a backend that answers each request with what a test says. */
export interface AnsweredBucket extends AsyncDisposable {
  readonly scope: BucketScope;
}

/** Starts the backend of a bucket on a random loopback port. Each answer is an empty object with the headers of `answer`. */
export function answeredBucket(
  id: string,
  answer: (request: Request) => Promise<HeadersInit> | HeadersInit,
): AnsweredBucket {
  const stop = new AbortController();
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {}, signal: stop.signal };
  const server = Deno.serve(options, async (request) => {
    const headers = new Headers(await answer(request));
    headers.set("etag", '"d41d8cd98f00b204e9800998ecf8427e"');
    return new Response(null, { headers });
  });
  const connection = new S3Connection({
    id,
    name: id,
    type: "s3v4",
    endpoint: `http://127.0.0.1:${server.addr.port}`,
    region: "us-east-1",
    pathStyle: true,
    presign: false,
    enabled: true,
    source: "config",
  }, Date.now);
  return {
    scope: { connection, bucket: "bucket" },
    async [Symbol.asyncDispose]() {
      connection.close();
      // Whoever still waits for an answer gets none.
      stop.abort();
      await server.finished;
    },
  };
}
