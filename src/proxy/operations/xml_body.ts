import { parseXml, XmlError, type XmlNode } from "../../xml/reader.ts";
import { S3Error } from "../s3_error.ts";

/** How much a document may hold: parsing it keeps everybody else waiting. */
export interface XmlLimits {
  readonly maxBytes: number;
  /** Of tags, comments and the like. */
  readonly maxTags: number;
}

/**
 * Parses the body of a request, whose root has to be called `name`. Throws {@link S3Error} `MalformedXML`, also for a body
 * beyond its limits.
 */
export function parseBody(body: Uint8Array, name: string, { maxBytes, maxTags }: XmlLimits): XmlNode {
  if (body.byteLength > maxBytes) throw malformedXml(`The document has at most ${maxBytes} bytes.`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw malformedXml("The document is not UTF-8.");
  }
  if (hasMoreTags(text, maxTags)) throw malformedXml(`The document has at most ${maxTags} tags.`);
  try {
    const root = parseXml(text);
    if (root.name === name) return root;
  } catch (error) {
    if (error instanceof XmlError) throw malformedXml(`The document is not well-formed: ${error.message}.`);
    throw error;
  }
  throw malformedXml(`The document has to be a ${name} element.`);
}

/**
 * The text of every child by its name. Throws {@link S3Error} `MalformedXML` for a child that is not in `known`, that comes
 * twice, or that has elements itself: parsers disagree about what these mean.
 */
export function fieldsOf(node: XmlNode, known: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const child of node.children) {
    if (!known.includes(child.name) || fields.has(child.name) || child.children.length > 0) {
      throw malformedXml(`The ${node.name} element has a ${child.name} element that does not belong there.`);
    }
    fields.set(child.name, child.text);
  }
  return fields;
}

/** The error for a document that is not what the operation takes. */
export function malformedXml(message: string): S3Error {
  return new S3Error("MalformedXML", message);
}

function hasMoreTags(text: string, maxTags: number): boolean {
  let count = 0;
  for (let at = text.indexOf("<"); at >= 0 && count <= maxTags; at = text.indexOf("<", at + 1)) count++;
  return count > maxTags;
}
