import { element, xmlDocument } from "../../xml/writer.ts";
import type { VirtualCredential } from "../credentials/source.ts";
import type { QueryList } from "../query.ts";
import { S3Error } from "../s3_error.ts";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html */
const maxBuckets = 10_000;

/**
 * The document of ListBuckets: the buckets in scope, sorted, with the credential's time of creation. `prefix`, `max-buckets` and
 * `continuation-token`, here the last bucket of the page before, are honoured. Throws {@link S3Error} `InvalidArgument`.
 */
export function listBucketsDocument(credential: VirtualCredential, query: QueryList): string {
  const prefix = query.get("prefix") ?? "";
  const after = query.get("continuation-token") ?? "";
  const limit = parseLimit(query.get("max-buckets"));
  const names = [...credential.buckets.keys()].filter((name) => name.startsWith(prefix) && name > after)
    .sort();
  const page = names.slice(0, limit);
  const created = new Date(credential.createdAt).toISOString();
  return xmlDocument(element("ListAllMyBucketsResult", [
    element("Owner", [element("ID", credential.accessKeyId), element("DisplayName", credential.accessKeyId)]),
    element(
      "Buckets",
      page.map((name) => element("Bucket", [element("Name", name), element("CreationDate", created)])),
    ),
    names.length > limit ? element("ContinuationToken", page[page.length - 1]) : undefined,
    prefix === "" ? undefined : element("Prefix", prefix),
  ]));
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return maxBuckets;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > maxBuckets) {
    throw new S3Error("InvalidArgument", `max-buckets is a number from 1 to ${maxBuckets}.`);
  }
  return limit;
}
