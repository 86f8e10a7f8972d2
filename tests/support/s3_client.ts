import { S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import type { Upstream } from "./upstreams.ts";

/** A client of the upstream itself, past the program under test, that closes its connections when it goes out of scope. */
export function s3Client(
  upstream: Pick<Upstream, "endpoint" | "region" | "accessKey" | "secretKey">,
): S3Client & Disposable {
  const client = new S3Client({
    endpoint: upstream.endpoint,
    region: upstream.region,
    credentials: { accessKeyId: upstream.accessKey, secretAccessKey: upstream.secretKey },
    forcePathStyle: true,
    maxAttempts: 1,
  });
  return Object.assign(client, { [Symbol.dispose]: () => client.destroy() });
}

/** Status and code, such as `404 NoSuchKey`, of the error that a request has to end in. */
export async function refusalOf(request: Promise<unknown>): Promise<string> {
  try {
    await request;
  } catch (error) {
    if (error instanceof S3ServiceException) return `${error.$metadata.httpStatusCode} ${error.name}`;
    throw error;
  }
  throw new Error("the request was accepted");
}
