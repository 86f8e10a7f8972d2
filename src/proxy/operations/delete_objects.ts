import { element, xmlDocument } from "../../xml/writer.ts";
import type { XmlNode } from "../../xml/reader.ts";
import { requireKeyInScope } from "../authorize.ts";
import type { VirtualCredential } from "../credentials/source.ts";
import { requireKeyLength } from "../target.ts";
import { fieldsOf, malformedXml, parseBody } from "./xml_body.ts";

/** Longest body that is taken, in bytes: what 1,000 keys of full length need, with room for escapes. */
export const maxDeleteObjectsBytes = 2 * 1024 * 1024;

/** Twice what 1,000 objects with every condition need. */
const maxTags = 25_000;

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
const maxObjects = 1000;

/** An object to delete. */
export interface ObjectToDelete {
  readonly key: string;
  /** Version and conditions by their element's name, as the client gave them. */
  readonly more: ReadonlyMap<string, string>;
}

/** What a DeleteObjects request asks for. */
export interface DeleteObjectsRequest {
  readonly objects: readonly ObjectToDelete[];
  /** Whether the answer names only what could not be deleted. */
  readonly quiet: boolean;
}

/**
 * Parses the body of DeleteObjects and checks that the credential may delete every key in it. One that it may not delete refuses
 * the whole request, since the upstream deletes what it is sent.
 *
 * Throws {@link S3Error} `MalformedXML`, `KeyTooLongError`, `AccessDenied` and `InvalidURI`.
 */
export function parseDeleteObjects(body: Uint8Array, credential: VirtualCredential): DeleteObjectsRequest {
  const root = parseBody(body, "Delete", { maxBytes: maxDeleteObjectsBytes, maxTags });
  const objects = root.children.filter((child) => child.name === "Object").map(parseObject);
  if (objects.length === 0 || objects.length > maxObjects) {
    throw malformedXml(`A request deletes 1 to ${maxObjects} objects.`);
  }
  const rest = { ...root, children: root.children.filter((child) => child.name !== "Object") };
  const quiet = fieldsOf(rest, ["Quiet"]).get("Quiet")?.trim().toLowerCase() ?? "false";
  if (quiet !== "true" && quiet !== "false") throw malformedXml("Quiet is true or false.");
  for (const { key } of objects) requireKeyInScope(key, credential);
  return { objects, quiet: quiet === "true" };
}

/**
 * The body to send on, written anew: the upstream's parser then has no way to find other keys in it than those that were checked.
 * Its checksums are to be computed anew too.
 */
export function formatDeleteObjects({ objects, quiet }: DeleteObjectsRequest): string {
  return xmlDocument(element("Delete", [
    ...objects.map(({ key, more }) =>
      element("Object", [element("Key", key), ...Array.from(more, ([name, text]) => element(name, text))])
    ),
    element("Quiet", quiet),
  ]));
}

function parseObject(node: XmlNode): ObjectToDelete {
  const more = fieldsOf(node, ["Key", "VersionId", "ETag", "LastModifiedTime", "Size"]);
  const key = more.get("Key") ?? "";
  if (key === "" || key.includes("\0")) throw malformedXml("Every object to delete has a key.");
  requireKeyLength(key);
  more.delete("Key");
  return { key, more };
}
