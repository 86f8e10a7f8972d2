/** An element with text or with elements in it; `undefined` among these is left out. */
export interface XmlElement {
  readonly name: string;
  readonly content: string | number | boolean | readonly (XmlElement | undefined)[];
}

const namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

/** Makes an element. */
export function element(name: string, content: XmlElement["content"]): XmlElement {
  return { name, content };
}

/** A whole document, in S3's namespace. */
export function xmlDocument({ name, content }: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="${namespace}">${render(content)}</${name}>`;
}

function render(content: XmlElement["content"]): string {
  if (typeof content !== "object") return escapeText(String(content));
  return content.map((child) =>
    child === undefined ? "" : `<${child.name}>${render(child.content)}</${child.name}>`
  ).join("");
}

/**
 * Control characters are written as references: XML 1.0 has no place for most of them, and a parser would turn CR into
 * LF. Clients that may meet such keys ask for `encoding-type=url`.
 */
function escapeText(text: string): string {
  return text.replace(/[&<>"\p{Cc}]/gu, (character) => `&#${character.charCodeAt(0)};`);
}
