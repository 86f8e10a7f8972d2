import { fieldsOf, malformedXml, parseBody } from "./xml_body.ts";

/** Longest body that is taken, in bytes: what 10,000 parts with every checksum need. */
export const maxCompleteBytes = 4 * 1024 * 1024;

/** What 10,000 parts with every checksum need, with some room. */
const maxTags = 200_000;

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const maxParts = 10_000;

const partFields = [
  "PartNumber",
  "ETag",
  "ChecksumCRC32",
  "ChecksumCRC32C",
  "ChecksumCRC64NVME",
  "ChecksumSHA1",
  "ChecksumSHA256",
];

/**
 * Checks the body of CompleteMultipartUpload before it goes on, as it came. Throws {@link S3Error} `MalformedXML`.
 *
 * @returns the numbers of the parts, in the order of the body
 */
export function parseCompleteRequest(body: Uint8Array): number[] {
  const root = parseBody(body, "CompleteMultipartUpload", { maxBytes: maxCompleteBytes, maxTags });
  if (root.children.length === 0 || root.children.length > maxParts) {
    throw malformedXml(`An upload has 1 to ${maxParts} parts.`);
  }
  return root.children.map((part) => {
    if (part.name !== "Part") throw malformedXml("The parts are Part elements.");
    const fields = fieldsOf(part, partFields);
    const text = fields.get("PartNumber")?.trim() ?? "";
    const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > maxParts || !fields.has("ETag")) {
      throw malformedXml(`A part has a number from 1 to ${maxParts} and an ETag.`);
    }
    return number;
  });
}
