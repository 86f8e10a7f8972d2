/** Longest name, in bytes of UTF-8: servers that keep objects as files take 255, and a number may have to be added. */
const maxNameBytes = 200;

/** Control characters, and those that turn the direction of text, with which `gpj.exe` is made to look like `exe.jpg`. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * The name under which a file is kept that a stranger calls `name`: one segment of a key, without what leads elsewhere or
 * cannot be seen, short enough for every server; `file` when nothing is left. Dots in front go too: they hide files, and
 * there are servers that keep their own beside them, such as `.sgwtmp`.
 */
export function safeFileName(name: string): string {
  const plain = plainSegment(segmentsOf(name).at(-1) ?? "");
  return plain === "" ? "file" : shortened(plain);
}

/**
 * The folders of a file that a stranger sends, as they are kept: segments like {@link safeFileName}, each with a slash at its
 * end. Those of which nothing is left, such as `..`, are left out.
 */
export function safeFolders(path: string): string {
  return segmentsOf(path).map(plainSegment).filter((segment) => segment !== "")
    .map((segment) => `${shortened(segment)}/`).join("");
}

function segmentsOf(path: string): string[] {
  return path.toWellFormed().normalize("NFC").split(/[\\/]/);
}

function plainSegment(segment: string): string {
  return segment.replaceAll(unseen, "").replaceAll(/\s+/gu, " ").replace(/^[. ]+|[. ]+$/g, "");
}

function shortened(name: string): string {
  if (byteLength(name) <= maxNameBytes) return name;
  const extension = /(?<=.)\.[A-Za-z0-9]{1,10}$/u.exec(name)?.[0] ?? "";
  let stem = "";
  let left = maxNameBytes - extension.length;
  for (const character of name.slice(0, name.length - extension.length)) {
    left -= byteLength(character);
    if (left < 0) break;
    stem += character;
  }
  return stem.trimEnd() + extension;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
