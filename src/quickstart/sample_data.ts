import { CreateBucketCommand } from "@aws-sdk/client-s3";
import type { S3Connection } from "../backends/s3_client.ts";
import { Problem } from "../problem.ts";
import { sampleDocuments, type SampleFile, sampleReadings } from "./sample_files.ts";

/** The bucket that holds the sample data. */
export const sampleBucket = "sample-data";

const parallelUploads = 8;

/**
 * Makes the bucket and stores the sample objects in it, over any of the same name. Resolves to their number; throws a
 * Problem when the server refuses.
 */
export async function storeSampleData(connection: S3Connection): Promise<number> {
  try {
    await connection.call((sdk, options) =>
      sdk.send(new CreateBucketCommand({ Bucket: sampleBucket }), options)
    );
  } catch (error) {
    // A start that was cut short had made it.
    if (!(error instanceof Problem && error.status === 409)) throw error;
  }
  const files = [...sampleDocuments(), ...sampleReadings()];
  const rest = files.values();
  const uploadRest = async () => {
    for (const file of rest) await upload(connection, file);
  };
  await Promise.all(Array.from({ length: parallelUploads }, uploadRest));
  return files.length;
}

async function upload(connection: S3Connection, { key, contentType, bytes }: SampleFile): Promise<void> {
  const headers = { "content-type": contentType, "content-length": String(bytes.length) };
  const response = await connection.send({ method: "PUT", bucket: sampleBucket, key, headers, body: bytes });
  await response.body?.cancel();
}
