import { ListObjectsV2Command, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";

/** Stores objects straight in an upstream, many at once; each holds `content`, or its own key. */
export async function seed(
  client: S3Client,
  bucket: string,
  keys: Iterable<string>,
  content?: string,
): Promise<void> {
  const open = keys[Symbol.iterator]();
  const storeNext = async () => {
    for (let next = open.next(); !next.done; next = open.next()) {
      const Body = next.value.endsWith("/") ? new Uint8Array(0) : content ?? next.value;
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: next.value, Body }));
    }
  };
  await Promise.all(Array.from({ length: 24 }, storeNext));
}

/** Keys such as `a/00017`, whose order is that of their numbers. */
export function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(5, "0")}`);
}

/** All keys under a prefix, as an upstream lists them. */
export async function keysIn(client: S3Client, bucket: string, prefix = ""): Promise<string[]> {
  const keys: string[] = [];
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        ContinuationToken: token,
        EncodingType: "url",
      }),
    );
    const decode = (key: string) =>
      page.EncodingType === "url" ? decodeURIComponent(key.replaceAll("+", " ")) : key;
    for (const { Key = "" } of page.Contents ?? []) keys.push(decode(Key));
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
  return keys;
}
