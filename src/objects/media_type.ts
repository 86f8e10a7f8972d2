const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quotedString = String.raw`"(?:[\t\x20\x21\x23-\x5b\x5d-\x7e]|\\[\t\x20-\x7e])*"`;
const parameter = `${token}=(?:${token}|${quotedString})`;
const mediaType = new RegExp(String.raw`^${token}/${token}(?:[ \t]*;(?:[ \t]*${parameter})?)*[ \t]*$`);

/** Longest media type that is taken, in characters. */
const maxLength = 255;

/** Whether a text is one media type with its parameters, in ASCII (RFC 9110, section 8.3.1). */
export function isMediaType(text: string): boolean {
  return text.length <= maxLength && mediaType.test(text);
}
