/** An element of a request body. Names are without their namespace prefix. */
export interface XmlNode {
  readonly name: string;
  readonly children: readonly XmlNode[];
  /** The character data directly inside, untrimmed. */
  readonly text: string;
}

/** The text is not well-formed XML, or uses more of XML than S3 requests do. */
export class XmlError extends Error {
  override readonly name = "XmlError";
}

const maximumDepth = 16;
const name = String.raw`[\p{L}_][\p{L}\p{N}_.:-]*`;
const token = new RegExp(
  [
    String.raw`<\?.*?\?>|<!--.*?-->`,
    String.raw`<!\[CDATA\[(?<literal>.*?)\]\]>`,
    String.raw`</(?<closed>${name})\s*>`,
    String.raw`<(?<opened>${name})(?:\s+${name}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(?<empty>/?)>`,
    `(?<text>[^<]+)`,
  ].join("|"),
  "suy",
);

interface OpenElement {
  readonly tag: string;
  readonly children: XmlNode[];
  text: string;
}

/**
 * Parses the XML of an S3 request: elements, text, character references, CDATA and comments. Attributes are skipped.
 * There is no DTD and so no entity beyond XML's five. Throws {@link XmlError}.
 */
export function parseXml(source: string): XmlNode {
  const document: OpenElement = { tag: "", children: [], text: "" };
  const open = [document];
  token.lastIndex = source.startsWith("\ufeff") ? 1 : 0;
  while (token.lastIndex < source.length) {
    const groups = token.exec(source)?.groups;
    if (groups === undefined) throw new XmlError("malformed markup");
    const current = open[open.length - 1];
    if (groups.text !== undefined) current.text += resolveReferences(groups.text);
    if (groups.literal !== undefined) current.text += groups.literal;
    if (groups.opened !== undefined) {
      if (open.length > maximumDepth) throw new XmlError("elements are nested too deep");
      open.push({ tag: groups.opened, children: [], text: "" });
    }
    if (groups.closed !== undefined || groups.empty === "/") closeElement(open, groups.closed);
  }
  if (open.length > 1) throw new XmlError(`<${open[open.length - 1].tag}> is not closed`);
  if (document.children.length !== 1 || document.text.trim() !== "") {
    throw new XmlError("there has to be one root element and nothing beside it");
  }
  return document.children[0];
}

/** The first child called `name`. */
export function childOf(node: XmlNode, name: string): XmlNode | undefined {
  return node.children.find((child) => child.name === name);
}

/** The text of the first child called `name`. */
export function textOf(node: XmlNode, name: string): string | undefined {
  return childOf(node, name)?.text;
}

function closeElement(open: OpenElement[], closedTag: string | undefined): void {
  const { tag, children, text } = open[open.length - 1];
  const parent = open[open.length - 2];
  if (parent === undefined || (closedTag !== undefined && closedTag !== tag)) {
    throw new XmlError(`</${closedTag}> closes nothing`);
  }
  open.pop();
  parent.children.push({ name: tag.slice(tag.indexOf(":") + 1), children, text });
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function resolveReferences(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/&([^;&]{0,12};?)/g, (_, reference: string) => {
    const [, hexadecimal, decimal, named] = /^(?:#x([0-9a-f]+)|#(\d+)|(\w+));$/i.exec(reference) ?? [];
    const resolved = named === undefined
      ? characterOf(hexadecimal === undefined ? Number(decimal) : parseInt(hexadecimal, 16))
      : entities[named];
    if (resolved === undefined) throw new XmlError(`unknown reference &${reference}`);
    return resolved;
  });
}

function characterOf(codePoint: number): string | undefined {
  const isCharacter = codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
  return isCharacter ? String.fromCodePoint(codePoint) : undefined;
}
