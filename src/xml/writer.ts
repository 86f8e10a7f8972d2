import type { XmlNode } from "./reader.ts";

/** An element with text or with elements in it; `undefined` among these is left out. */
export interface XmlElement {
  readonly name: string;
  readonly content: string | number | boolean | readonly (XmlElement | undefined)[];
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

/** Makes an element. */
export function element(name: string, content: XmlElement["content"]): XmlElement {
  return { name, content };
}

/** An element that was read, to be written again; its attributes are gone, as is text beside elements. */
export function elementOf({ name, children, text }: XmlNode): XmlElement {
  return element(name, children.length > 0 ? children.map(elementOf) : text);
}

/** A whole document, in S3's namespace. */
export function xmlDocument({ name, content }: XmlElement): string {
  return `${declaration}<${name} xmlns="${namespace}">${render(content)}</${name}>`;
}

/** A whole document without a namespace, as S3's errors are. */
export function bareXmlDocument({ name, content }: XmlElement): string {
  return `${declaration}<${name}>${render(content)}</${name}>`;
}

function render(content: XmlElement["content"]): string {
  if (typeof content !== "object") return escapeXml(String(content));
  return content.map((child) =>
    child === undefined ? "" : `<${child.name}>${render(child.content)}</${child.name}>`
  ).join("");
}

/**
 * Escapes text for an element. Control characters are written as references: XML 1.0 has no place for most of them, and a
 * parser would turn CR into LF. Clients that may meet such keys ask for `encoding-type=url`.
 */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"\p{Cc}]/gu, (character) => `&#${character.charCodeAt(0)};`);
}
