import { type DynamicImport, type Export, type Import, parse, type StaticImport } from "es-module-lexer";

/** A module as a function that can stand in a file with others. */
export interface Module {
  readonly path: string;
  /** Paths of the modules that it imports statically. */
  readonly imports: readonly string[];
  /** Paths of the modules that it imports when it needs them; `*` stands for any part of a name. */
  readonly lazyImports: readonly string[];
  /** The strings in it that could be the key of a text. */
  readonly keys: ReadonlySet<string>;
  /** The call of `$define` that adds it; see `static/modules.js`. */
  readonly definition: string;
}

/** A piece of source and what takes its place. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Finds the path of the module that a specifier names. Throws for one that it does not know. */
export type Resolve = (specifier: string) => string;

/**
 * Reads a module. `es-module-lexer` must be initialised. Throws a `TypeError` for a form of import or export that our
 * sources do without.
 */
export function readModule(path: string, source: string, resolve: Resolve): Module {
  const [imports, exports] = parse(source, path);
  const statics = imports.filter((found): found is StaticImport => found.type === "static");
  const dynamics = imports.filter((found): found is DynamicImport => found.type === "dynamic");
  const edits = [
    ...imports.flatMap((found) => importEdit(source, path, found, resolve)),
    ...exportEdits(source, path, exports, statics),
  ];
  return {
    path,
    imports: [...new Set(statics.map(({ specifier }) => resolve(specifier)))],
    lazyImports: dynamics.map(({ specifier = "" }) => resolve(specifier)),
    keys: new Set(source.match(/(?<=")[a-z_0-9]+(?:\.[a-z_0-9]+)+(?=")/g)),
    definition: `$define(${JSON.stringify(path)}, () => {\n${applied(source, edits).trim()}\nreturn { ${
      exports.map((found) => exported(path, found, resolve)).join(", ")
    } };\n});\n`,
  };
}

function importEdit(source: string, path: string, found: Import, resolve: Resolve): Edit[] {
  const { importStart: start, importEnd: end } = found;
  if (found.type === "dynamic") {
    const literal = JSON.stringify(resolve(found.specifier ?? ""));
    if (!found.glob) return [{ start, end, text: `$load(${literal})` }];
    const template = source.slice(source.indexOf("`", start), source.lastIndexOf("`", end) + 1);
    const folder = /^`([^$]*\/)/.exec(template)?.[1] ?? "";
    return [{ start, end, text: `$load(${template.replace(folder, resolve(folder))})` }];
  }
  if (found.type !== "static" || found.phase !== null) {
    throw new TypeError(`${path} has an import of an unexpected form`);
  }
  const need = `$need(${JSON.stringify(resolve(found.specifier))})`;
  const statement = source.slice(start, end);
  if (statement.startsWith("export")) return [{ start, end, text: "" }];
  const clause = /^import\s*([^"']*?)\s*(?:from\s*)?["']/.exec(statement)?.[1] ?? "";
  return [{ start, end, text: clause === "" ? need : `const ${bindings(path, clause)} = ${need}` }];
}

/** What an import clause binds, as a pattern. */
function bindings(path: string, clause: string): string {
  const namespace = /^\*\s*as\s+(\S+)$/.exec(clause);
  if (namespace !== null) return namespace[1];
  if (/^[\w$]+$/.test(clause)) return `{ default: ${clause} }`;
  if (/^\{[^{}]*\}$/.test(clause)) return clause.replaceAll(/\s+as\s+/g, ": ");
  throw new TypeError(`${path} has an import of an unexpected form: ${clause}`);
}

/** Takes `export` away from declarations, and lists of exports as a whole. */
function exportEdits(
  source: string,
  path: string,
  exports: readonly Export[],
  imports: readonly StaticImport[],
): Edit[] {
  const starts = new Set(exports.map(({ exportStart }) => exportStart));
  return [...starts]
    .filter((start) => imports.every(({ importStart }) => importStart !== start))
    .map((start) => {
      const statement = source.slice(start, start + 2000);
      const list = /^export\s*\{[^{}]*\}/.exec(statement);
      if (list !== null) return { start, end: start + list[0].length, text: "" };
      const anonymous = /^export\s+default\s+(?=function\s*\(|\(|class\s*\{)/.exec(statement);
      if (anonymous !== null) return { start, end: start + anonymous[0].length, text: "const $default = " };
      const keyword = /^export\s+(?:default\s+)?(?=function|async function|class|const)/.exec(statement);
      if (keyword === null) throw new TypeError(`${path} has an export of an unexpected form`);
      return { start, end: start + keyword[0].length, text: "" };
    });
}

/** One property of a module's exports. */
function exported(path: string, found: Export, resolve: Resolve): string {
  switch (found.type) {
    case "direct":
      return found.name === found.localName ? found.name : `${found.name}: ${found.localName ?? "$default"}`;
    case "reexport":
      if (found.importName === null) break;
      return `${found.name}: $need(${JSON.stringify(resolve(found.from))}).${found.importName}`;
  }
  throw new TypeError(`${path} has an export of an unexpected form`);
}

function applied(source: string, edits: readonly Edit[]): string {
  let text = source;
  for (const edit of edits.toSorted((one, other) => other.start - one.start)) {
    text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  }
  return text;
}
