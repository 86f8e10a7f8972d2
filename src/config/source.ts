import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
} from "yaml";
import type { ConfigProblem, KeyPath } from "./problem.ts";
import { errorMessage } from "../error_message.ts";

/** A mapping of the configuration before it is checked. */
export type Tree = Record<string, unknown>;

/** Where in the file something stands. */
export type Position = Pick<ConfigProblem, "file" | "line" | "column">;

/** A configuration file that was parsed. */
export interface Source {
  /** What the file says; keys without a value are left out. Empty when the file cannot be used. */
  readonly tree: Tree;
  /** What keeps the file from being used. */
  readonly problems: readonly ConfigProblem[];
  /** Where the key at `path` stands, or the nearest one around it; nothing when the file has neither. */
  positionOf(path: KeyPath): Position;
}

/** What stands for a configuration file when there is none. */
export const emptySource: Source = { tree: {}, problems: [], positionOf: () => ({}) };

/** Parses a configuration file; `file` is its name in errors. */
export function parseSource(text: string, file: string): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const positionAt = (offset: number | undefined): Position => {
    if (offset === undefined) return { file };
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    const problems = faults.map((error) => ({
      key: "",
      rule: faultRule(error),
      ...positionAt(error.pos[0]),
    }));
    return { ...emptySource, problems };
  }
  const fault = (rule: string, node: Node | null = document.contents) => ({
    ...emptySource,
    problems: [{ key: "", rule, ...positionAt(node?.range?.[0]) }],
  });
  const alias = unresolvedAlias(document);
  if (alias !== undefined) {
    return fault(`no anchor &${alias.source} stands before the alias *${alias.source}`, alias);
  }
  let content: unknown;
  try {
    content = document.toJS();
  } catch (error) {
    // Aliases that multiply beyond what the parser allows.
    return fault(oneLine(errorMessage(error)));
  }
  if (content === null) return emptySource;
  // What the file holds is not repeated: a file named by mistake may be that of a key.
  if (!isTree(content)) return fault("is not a mapping of sections");
  return {
    tree: withoutNulls(content),
    problems: [],
    positionOf: (path) => {
      const offset = offsetOf(document, path);
      return offset === undefined ? {} : positionAt(offset);
    },
  };
}

/** Whether `value` is a mapping. */
export function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A key without a value (`server:` with all below it commented out) is as good as no key. */
function withoutNulls(tree: Tree): Tree {
  const strip = (value: unknown): unknown =>
    isTree(value) ? withoutNulls(value) : Array.isArray(value) ? value.map(strip) : value;
  return Object.fromEntries(
    Object.entries(tree).filter(([, value]) => value !== null).map(([key, value]) => [key, strip(value)]),
  );
}

/** Follows `path` as far as the file goes; the offset is that of the last key or list item on it. */
function offsetOf(document: Document.Parsed, path: KeyPath): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(part));
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = startOf(node) ?? offset;
    } else {
      break;
    }
  }
  return offset;
}

/** The first alias whose anchor does not stand before it. */
function unresolvedAlias(document: Document.Parsed): Alias | undefined {
  let found: Alias | undefined;
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document) !== undefined) return;
      found = alias;
      return visit.BREAK;
    },
  });
  return found;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

/** The parser's own words, but where they speak to a programmer. */
function faultRule({ code, message }: YAMLError): string {
  return code === "MULTIPLE_DOCS" ? "A second document begins; a configuration is one" : oneLine(message);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, " ");
}
