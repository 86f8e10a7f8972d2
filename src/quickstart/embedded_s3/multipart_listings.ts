import { requireBucket } from "./bucket_table.ts";
import { keyEncoder } from "./list_operations.ts";
import { requireUpload } from "./multipart_operations.ts";
import { integerParameter } from "./s3_request.ts";
import { isoTime, type Operation, xmlResponse } from "./storage.ts";
import { partsAfter, uploadsAfter } from "./upload_table.ts";
import { element } from "../../xml/writer.ts";

const maximumPage = 1000;

/** `GET /bucket/key?uploadId`. */
export const listParts: Operation = (storage, request) => {
  const upload = requireUpload(storage, request);
  const limit = integerParameter(request, "max-parts", maximumPage, maximumPage);
  const marker = integerParameter(request, "part-number-marker", 0, Number.MAX_SAFE_INTEGER);
  const found = partsAfter(storage.database, upload.id, marker, limit + 1);
  const parts = found.slice(0, limit);
  return xmlResponse(element("ListPartsResult", [
    element("Bucket", upload.bucket),
    element("Key", upload.key),
    element("UploadId", upload.id),
    element("PartNumberMarker", marker),
    element("NextPartNumberMarker", parts.at(-1)?.number ?? marker),
    element("MaxParts", limit),
    element("IsTruncated", found.length > limit),
    element("StorageClass", "STANDARD"),
    ...parts.map(({ number, size, etag, checksum, modifiedAt }) =>
      element("Part", [
        element("PartNumber", number),
        element("LastModified", isoTime(modifiedAt)),
        element("ETag", `"${etag}"`),
        element("Size", size),
        checksum && element(`Checksum${checksum.algorithm.toUpperCase()}`, checksum.value),
      ])
    ),
  ]));
};

/** `GET /bucket?uploads`. Uploads are few, so that those outside the prefix are passed over here. */
export const listMultipartUploads: Operation = ({ database }, request) => {
  const { bucket, parameters } = request;
  requireBucket(database, bucket);
  const prefix = parameters.get("prefix") ?? "";
  const limit = integerParameter(request, "max-uploads", maximumPage, maximumPage);
  const keyMarker = parameters.get("key-marker") ?? "";
  const idMarker = parameters.get("upload-id-marker") ?? "";
  // Without an id, every upload of the marker's key is left out: no id is behind U+10FFFF.
  const after = { key: keyMarker, id: idMarker || (keyMarker === "" ? "" : "\u{10ffff}") };
  const found = uploadsAfter(database, bucket, after, -1).filter(({ key }) => key.startsWith(prefix));
  const uploads = found.slice(0, limit);
  const last = uploads.at(-1);
  const isTruncated = found.length > limit;
  const encode = keyEncoder(request);
  return xmlResponse(element("ListMultipartUploadsResult", [
    element("Bucket", bucket),
    element("Prefix", encode(prefix)),
    element("KeyMarker", encode(keyMarker)),
    element("UploadIdMarker", idMarker),
    element("MaxUploads", limit),
    parameters.has("encoding-type") ? element("EncodingType", "url") : undefined,
    element("IsTruncated", isTruncated),
    isTruncated && last ? element("NextKeyMarker", encode(last.key)) : undefined,
    isTruncated && last ? element("NextUploadIdMarker", last.id) : undefined,
    ...uploads.map(({ id, key, startedAt }) =>
      element("Upload", [
        element("Key", encode(key)),
        element("UploadId", id),
        element("StorageClass", "STANDARD"),
        element("Initiated", isoTime(startedAt)),
      ])
    ),
  ]));
};
