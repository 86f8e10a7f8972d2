import { textOf } from "../../xml/reader.ts";
import { elementOf, xmlDocument } from "../../xml/writer.ts";
import { type DocumentKind, parseStored } from "./documents.ts";
import { branch, leaf } from "./merge.ts";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketVersioning.html */
export const versioningDocument: DocumentKind = {
  name: "versioning",
  contentType: "application/xml",
  root: "VersioningConfiguration",
  invalid: "bad_request",
};

/** What a bucket does with an object that is overwritten or deleted; `off` until versioning was enabled once. */
export interface Versioning {
  readonly status: "enabled" | "suspended" | "off";
  /** Whether a version can be deleted only with a second factor; `undefined` when that was never said. */
  readonly mfaDelete: boolean | undefined;
}

/** Reads the stored document. */
export function readVersioning(text: string): Versioning {
  const node = parseStored(text);
  const status = textOf(node, "Status");
  const mfaDelete = textOf(node, "MfaDelete");
  return {
    status: status === "Enabled" ? "enabled" : status === "Suspended" ? "suspended" : "off",
    mfaDelete: mfaDelete === undefined ? undefined : mfaDelete === "Enabled",
  };
}

/** The document with versioning enabled or suspended, and all else as it is; what was never enabled stays off. */
export function editVersioning(text: string, enabled: boolean): string {
  const isEnabled = readVersioning(text).status === "enabled";
  if (enabled === isEnabled) return text;
  const others = parseStored(text).children.filter(({ name }) => name !== "Status");
  const status = leaf("Status", enabled ? "Enabled" : "Suspended");
  return xmlDocument(elementOf(branch("VersioningConfiguration", [status, ...others])));
}
