import type { Module } from "./module.ts";

/** A file with modules, which brings what `entry` needs. */
export interface Chunk {
  /** The module that it is loaded for. */
  readonly entry: string;
  /** Those that the entry needs and that are not there before, each after those that it imports. */
  readonly modules: readonly Module[];
  /** Whether it also needs some of those that many files share. */
  readonly needsShared: boolean;
}

/** All files: what every page loads at once, what many others share, and those others. */
export interface Division {
  readonly core: readonly Module[];
  readonly shared: readonly Module[];
  readonly chunks: readonly Chunk[];
}

/** A module that so many files need has its place in one that they share. */
const manyFiles = 4;

/**
 * Divides modules into files: the first, with everything that `roots` need, which each page loads; and one for each module
 * that is imported dynamically, with what that needs besides everything that is there whenever it is asked for. What many
 * of these need has a file of its own, but for those in the folder `pages`: a page has to be there with its first file.
 */
export function divide(
  modules: ReadonlyMap<string, Module>,
  roots: readonly string[],
  pages: string,
): Division {
  const core = new Set(roots.flatMap((root) => closure(modules, root)));
  const importers = importersOf(modules);
  const entries = [...importers.keys()].filter((path) => !core.has(path)).sort();
  const needs = new Map(entries.map((entry) => [entry, new Set(closure(modules, entry))]));
  const present = new Map(entries.map((entry) => [entry, new Set(modules.keys())]));
  /** What is there when a module of this file runs. */
  const within = (entry: string) => needs.get(entry)?.union(present.get(entry) ?? new Set<string>()) ?? core;
  for (let changed = true; changed;) {
    changed = false;
    for (const entry of entries) {
      const before = present.get(entry) ?? new Set<string>();
      const hosts = [...importers.get(entry) ?? []].flatMap((importer) =>
        core.has(importer) ? [core] : entries.filter((host) => needs.get(host)?.has(importer)).map(within)
      );
      const after = hosts.reduce((common, host) => common.intersection(host), before).union(core);
      if (after.size !== before.size) changed = true;
      present.set(entry, after);
    }
  }
  const own = new Map(entries.map((entry) => {
    const needed = needs.get(entry) ?? new Set<string>();
    return [entry, needed.difference(present.get(entry) ?? new Set<string>())];
  }));
  const shared = neededByMany(
    [...own].filter(([entry]) => !entry.startsWith(pages)).map(([, paths]) => paths),
  );
  const inOrder = (paths: Iterable<string>) => [...paths].flatMap((path) => modules.get(path) ?? []);
  return {
    core: inOrder(core),
    shared: inOrder(shared),
    chunks: [...own].map(([entry, paths]) =>
      entry.startsWith(pages)
        ? { entry, modules: inOrder(paths), needsShared: false }
        : { entry, modules: inOrder(paths.difference(shared)), needsShared: !paths.isDisjointFrom(shared) }
    ),
  };
}

/** The modules that are in many of these sets. */
function neededByMany(sets: readonly ReadonlySet<string>[]): Set<string> {
  const counts = new Map<string, number>();
  for (const path of sets.flatMap((set) => [...set])) counts.set(path, (counts.get(path) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= manyFiles).map(([path]) => path));
}

/** A module and all that it imports, however deep, each after what it imports. Throws when modules import each other. */
function closure(modules: ReadonlyMap<string, Module>, root: string): string[] {
  const found = new Set<string>();
  const visit = (path: string, above: readonly string[]) => {
    if (above.includes(path)) {
      throw new TypeError(`modules import each other: ${[...above, path].join(" → ")}`);
    }
    if (found.has(path)) return;
    const module = modules.get(path);
    if (module === undefined) throw new TypeError(`${above.at(-1)} imports ${path}, which is not there`);
    for (const imported of module.imports) visit(imported, [...above, path]);
    found.add(path);
  };
  visit(root, []);
  return [...found];
}

/** Which modules import a module dynamically. */
function importersOf(modules: ReadonlyMap<string, Module>): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const { path, lazyImports } of modules.values()) {
    for (const pattern of lazyImports) {
      for (const target of matching(modules, pattern)) {
        if (!modules.has(target)) throw new TypeError(`${path} imports ${target}, which is not there`);
        importers.set(target, (importers.get(target) ?? new Set()).add(path));
      }
    }
  }
  return importers;
}

function matching(modules: ReadonlyMap<string, Module>, pattern: string): string[] {
  if (!pattern.includes("*")) return [pattern];
  const [before, after] = pattern.split("*");
  return [...modules.keys()].filter((path) => path.startsWith(before) && path.endsWith(after));
}
