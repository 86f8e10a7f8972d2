import { element, xmlDocument } from "../../xml/writer.ts";

/**
 * The document of GetBucketLocation. It is empty for `us-east-1`:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLocation.html
 */
export function bucketLocationDocument(region: string): string {
  return xmlDocument(element("LocationConstraint", region === "us-east-1" ? "" : region));
}
