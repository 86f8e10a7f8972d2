/** Name of the entry that lists what could not be read. No object gets it. */
export const errorsName = "_errors.txt";

/** Most characters of names that are kept; a key of many short segments has the names of as many folders. */
const maxCharacters = 100_000_000;

/**
 * Names entries after the keys of objects. Whatever a key holds, the name stays below the folder that an archive is unpacked
 * in, on every system, and no two entries have the same. Names that differ in case alone are kept: not every system takes
 * them for one.
 */
export class EntryNames {
  readonly #base: string;
  /** The names given so far, with those of folders that hold an entry; without a slash at their end. */
  readonly #taken = new Set([errorsName]);
  /** The names that folders have got. */
  readonly #folders = new Map<string, string>();
  /** For names that were wanted more than once, the number that was given last. */
  readonly #numbers = new Map<string, number>();
  #characters = 0;

  /** `base` is the part that all keys begin with and that no name has. */
  constructor(base: string) {
    this.#base = base;
  }

  /** Whether the names so far take as much memory as they may. */
  get isFull(): boolean {
    return this.#characters > maxCharacters;
  }

  /** The name of an object's entry: that of a `folder` ends in `/`, and is empty for the folder that holds everything. */
  nameOf(key: string, kind: "file" | "folder"): string {
    const segments = key.slice(this.#base.length).split("/").filter((segment) => segment !== "").map(safe);
    if (kind === "folder") {
      const folder = this.#folder(segments);
      return folder === "" ? "" : `${folder}/`;
    }
    const parent = this.#folder(segments.slice(0, -1));
    return this.#take(join(parent, segments.at(-1) ?? "_"));
  }

  /** The name of a folder, which is the same each time, and not that of a file. */
  #folder(segments: readonly string[]): string {
    if (segments.length === 0) return "";
    const path = segments.join("/");
    let name = this.#folders.get(path);
    if (name === undefined) {
      name = this.#take(join(this.#folder(segments.slice(0, -1)), segments[segments.length - 1]));
      this.#folders.set(path, name);
      this.#characters += path.length;
    }
    return name;
  }

  /** `name`, or the next that is free of `name (1)`, `name (2)` and so on, with the number in front of its extension. */
  #take(name: string): string {
    let free = name;
    for (let number = this.#numbers.get(name) ?? 0; this.#taken.has(free);) {
      free = numbered(name, ++number);
      this.#numbers.set(name, number);
    }
    this.#taken.add(free);
    this.#characters += free.length;
    return free;
  }
}

function join(parent: string, segment: string): string {
  return parent === "" ? segment : `${parent}/${segment}`;
}

/**
 * A segment of a key as a name. Replaces what leads elsewhere: backslashes, which are slashes to some systems; drive letters;
 * `.` and `..`, also with the dots and spaces that Windows ignores; control characters, NUL included.
 */
function safe(segment: string): string {
  // deno-lint-ignore no-control-regex -- these are what is looked for
  const clean = segment.toWellFormed().replaceAll(/[\x00-\x1f\x7f-\x9f\\]/g, "_")
    .replace(/^([A-Za-z]):/, "$1_");
  return /^[. ]+$/.test(clean) ? clean.replaceAll(".", "_") : clean;
}

function numbered(name: string, number: number): string {
  const [, stem, extension] = /^(.*?[^/])(\.[^./]*)?$/s.exec(name) ?? ["", name, ""];
  return `${stem} (${number})${extension ?? ""}`;
}
