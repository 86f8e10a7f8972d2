import { init } from "es-module-lexer";
import type { Catalogue } from "../../../static/lib/i18n.js";
import { divide, type Division } from "./chunks.ts";
import { type Module, readModule } from "./module.ts";

/** What {@link bundle} works with. */
export interface BundleParts {
  /** The source of every module by its path. */
  readonly sources: ReadonlyMap<string, string>;
  /** The path of the module that a bare specifier names. */
  readonly libraries: Readonly<Record<string, string>>;
  /** The source of what keeps modules in a browser: `static/modules.js`. */
  readonly registry: string;
  /** Modules that every page loads at once. */
  readonly roots: readonly string[];
  /** The folder of the modules of which each page loads one at once. */
  readonly pages: string;
  /** What the first file does once its modules are there, as source. */
  readonly start: string;
}

/** The first file's name, below its language. */
export const coreFile = "core.js";

/** The file with what many others need, below its language. */
const sharedFile = "shared.js";

/** Modules that are put together into files, a set of them for each language. */
export interface Bundle {
  /**
   * The files of a language, each with the texts that its modules name, and no others. A page then loads two files in place
   * of fifty. The names are those of the modules that files are loaded for, below the language's tag. Throws a `TypeError`
   * for a module that is not there, or not as our sources are.
   */
  files(language: string, catalogue: Catalogue): Map<string, string>;
}

/** Puts modules together once files are asked for: reading all of them would be a tenth of the program's start. */
export async function bundle(parts: BundleParts): Promise<Bundle> {
  await init();
  let division: Division | undefined;
  return {
    files: (language, catalogue) => filesOf(division ??= divided(parts), parts, language, catalogue),
  };
}

function divided({ sources, libraries, roots, pages }: BundleParts): Division {
  const modules = new Map<string, Module>();
  for (const [path, source] of sources) {
    modules.set(path, readModule(path, source, (specifier) => resolve(specifier, path, libraries)));
  }
  return divide(modules, roots, pages);
}

function filesOf(
  { core, shared, chunks }: Division,
  parts: BundleParts,
  language: string,
  catalogue: Catalogue,
): Map<string, string> {
  const files = new Map<string, string>();
  const add = (path: string, source: string) => files.set(`${language}/${path}`, source);
  const coreTexts = textsOf(core, catalogue);
  add(coreFile, coreSource(core, parts, language, coreTexts));
  const addTo = (path: string, members: readonly Module[], imported: readonly string[]) => {
    const texts = Object.entries(textsOf(members, catalogue)).filter(([key]) =>
      !Object.hasOwn(coreTexts, key)
    );
    add(path, chunkSource(path, members, imported, Object.fromEntries(texts)));
  };
  if (shared.length > 0) addTo(sharedFile, shared, []);
  for (const { entry, modules, needsShared } of chunks) {
    addTo(entry, modules, needsShared ? [sharedFile] : []);
  }
  return files;
}

/** The path of what `specifier` names in the module at `path`. */
function resolve(specifier: string, path: string, libraries: Readonly<Record<string, string>>): string {
  if (/^\.{1,2}\//.test(specifier)) return new URL(specifier, `file:///${path}`).pathname.slice(1);
  if (Object.hasOwn(libraries, specifier)) return libraries[specifier];
  throw new TypeError(`${path} imports ${specifier}, which browsers are not sent`);
}

function coreSource(
  core: readonly Module[],
  { registry, start }: BundleParts,
  language: string,
  texts: Catalogue,
): string {
  const setting = `$need("lib/i18n.js").setLanguage("${language}", ${JSON.stringify(texts)});\n`;
  return `${registry}${definitions(core)}${setting}${start}\n`;
}

function chunkSource(
  path: string,
  modules: readonly Module[],
  imported: readonly string[],
  texts: Catalogue,
): string {
  const up = "../".repeat(path.split("/").length - 1) || "./";
  const imports = [
    `import { $define, $load, $need } from "${up}${coreFile}";\n`,
    ...imported.map((file) => `import "${up}${file}";\n`),
  ].join("");
  const adding = Object.keys(texts).length === 0
    ? ""
    : `$need("lib/i18n.js").addMessages(${JSON.stringify(texts)});\n`;
  return `${imports}${definitions(modules)}${adding}`;
}

function definitions(modules: readonly Module[]): string {
  return modules.map(({ definition }) => definition).join("");
}

function textsOf(modules: readonly Module[], catalogue: Catalogue): Catalogue {
  const keys = new Set(modules.flatMap((module) => [...module.keys]));
  return Object.fromEntries(
    [...keys].filter((key) => Object.hasOwn(catalogue, key)).sort().map((key) => [key, catalogue[key]]),
  );
}
