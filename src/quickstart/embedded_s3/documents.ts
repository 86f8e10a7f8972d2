import { S3Error } from "./s3_error.ts";
import { parseXml, XmlError, type XmlNode } from "../../xml/reader.ts";

/** Parses a request's document, whose root has to be called `name`. Throws `MalformedXML`. */
export function readDocument(text: string, name: string): XmlNode {
  try {
    const root = parseXml(text);
    if (root.name === name) return root;
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new S3Error("MalformedXML", `The XML is not well-formed: ${error.message}.`);
  }
  throw new S3Error("MalformedXML", `The document has to be a ${name} element.`);
}
