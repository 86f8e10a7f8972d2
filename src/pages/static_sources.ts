/** A file's bytes by its path below `static/`. */
export type StaticSources = Map<string, Uint8Array<ArrayBuffer>>;

const staticFolder = new URL("../../static/", import.meta.url);

/**
 * Reads `static/`, with each folder of style sheets made one sheet. Throws when it is not there. It holds up everything else
 * and takes a fraction of the time for that, as the start of the program wants it.
 */
export function readStaticSources(): StaticSources {
  const sources: StaticSources = new Map();
  readFolder("", sources);
  for (const part of ["browser", "pages", "admin", "settings", "search", "share", "details", "lazy"]) {
    joinStyles(sources, `styles/${part}/`, `${part}.css`);
  }
  joinStyles(sources, "styles/", "app.css");
  for (const [path, bytes] of sources) {
    if (path.endsWith(".js")) sources.set(path, condensed(bytes));
  }
  return sources;
}

function readFolder(folder: string, sources: StaticSources): void {
  for (const entry of Deno.readDirSync(new URL(folder, staticFolder))) {
    if (entry.isDirectory) readFolder(`${folder}${entry.name}/`, sources);
    else sources.set(folder + entry.name, Deno.readFileSync(new URL(folder + entry.name, staticFolder)));
  }
}

/**
 * Replaces the style sheets of a folder by one, without the comments and the indentation, which are an eighth of what would
 * be sent.
 */
function joinStyles(sources: StaticSources, folder: string, joined: string): void {
  const sheets: string[] = [];
  for (const path of [...sources.keys()].filter((path) => path.startsWith(folder)).sort()) {
    sheets.push(new TextDecoder().decode(sources.get(path)));
    sources.delete(path);
  }
  const text = sheets.join("\n").replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\s+/gm, "");
  sources.set(joined, new TextEncoder().encode(text));
}

/**
 * One of our modules without what is of no use to a browser: the comments, which are a third of it, where they stand on
 * lines of their own, as the formatter keeps them, or give a type; and the indentation, since no string but templates of
 * HTML goes over several lines.
 */
function condensed(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const source = new TextDecoder().decode(bytes)
    .replaceAll(/^[ \t]*(?:\/\*\*(?:(?!\*\/)[^])*\*\/[ \t]*|\/\/.*)\n/gm, "")
    .replaceAll(/\/\*\* @type (?:(?!\*\/)[^])*\*\/\s*/g, "")
    .replaceAll(/^[ \t]+/gm, "");
  return new TextEncoder().encode(source);
}
