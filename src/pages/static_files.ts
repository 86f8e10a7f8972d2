import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { setSpriteUrl } from "../../static/lib/icons.js";

/** Library modules that browsers load, by the bare specifier under which our sources import them. */
const vendorModules: Readonly<Record<string, string>> = {
  "preact": "vendor/preact.js",
  "preact/hooks": "vendor/hooks.js",
  "@preact/signals": "vendor/signals.js",
  "@preact/signals-core": "vendor/signals-core.js",
  "htm": "vendor/htm.js",
};

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
};

/** Below this many bytes a compressed body saves nothing worth its header. */
const minCompressedSize = 512;

/** The specifier of a static import, a re-export or a dynamic import, as our sources and the libraries write them. */
const importPattern = /(\bfrom\s*|\bimport\s*\(?\s*)(["'])([^"'\n]+)\2/g;

interface StaticFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer> | null;
  readonly type: string;
  readonly etag: string;
}

/**
 * The files of `static/` and the library modules they import, held in memory, each under an address that changes with
 * the tree's content and can therefore be cached for ever. Bare import specifiers are rewritten to those addresses: an
 * import map would need an inline script, which the Content-Security-Policy forbids.
 */
export class StaticFiles {
  /** Digest of the whole tree: the middle part of every address. */
  readonly build: string;
  readonly #files = new Map<string, StaticFile>();
  readonly #imports = new Map<string, readonly string[]>();

  private constructor(sources: ReadonlyMap<string, Uint8Array<ArrayBuffer>>) {
    const tree = createHash("sha256");
    for (const [path, bytes] of sources) tree.update(`${path}\0${bytes.length}\0`).update(bytes);
    this.build = tree.digest("hex").slice(0, 12);
    for (const [path, bytes] of sources) this.#add(path, bytes);
    setSpriteUrl(this.url("icons.svg"));
  }

  /** Reads the tree. Throws when a file or a library module is missing. */
  static async load(): Promise<StaticFiles> {
    const sources = new Map<string, Uint8Array<ArrayBuffer>>();
    await readTree(new URL("../../static/", import.meta.url), "", sources);
    joinStyles(sources, "styles/pages/", "pages.css");
    joinStyles(sources, "styles/", "app.css");
    for (const [path, bytes] of sources) {
      if (path.endsWith(".js")) sources.set(path, condensed(bytes));
    }
    for (const [specifier, path] of Object.entries(vendorModules)) {
      const source = await Deno.readTextFile(new URL(import.meta.resolve(specifier)));
      sources.set(path, new TextEncoder().encode(source.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n")));
    }
    return new StaticFiles(new Map([...sources].sort(([a], [b]) => a < b ? -1 : 1)));
  }

  /** The paths of all files, below their address's build part. */
  get paths(): string[] {
    return [...this.#files.keys()];
  }

  /** The address of a file: `icons.svg` → `/static/<build>/icons.svg`. Throws for a file that is not there. */
  url(path: string): string {
    if (!this.#files.has(path)) throw new TypeError(`no static file ${path}`);
    return `/static/${this.build}/${path}`;
  }

  /** The addresses of a module and of everything it imports statically, for `modulepreload`. */
  moduleUrls(path: string): string[] {
    const found = new Set<string>();
    const visit = (module: string) => {
      if (found.has(module)) return;
      found.add(module);
      for (const imported of this.#imports.get(module) ?? []) visit(imported);
    };
    visit(path);
    return [...found].map((module) => this.url(module));
  }

  /**
   * Answers a request for `pathname`, or returns `null` when it is not one for a static file. Addresses of another build
   * are unknown: their content may have been different, and browsers keep it for a year.
   */
  respond(request: Request, pathname: string): Response | null {
    if (!pathname.startsWith("/static/")) return null;
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
    }
    const prefix = `/static/${this.build}/`;
    const file = pathname.startsWith(prefix) ? this.#files.get(pathname.slice(prefix.length)) : undefined;
    if (file === undefined) {
      return new Response("Not found\n", {
        status: 404,
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
    }
    const compressed = file.gzip !== null && acceptsGzip(request.headers.get("accept-encoding"));
    const body = compressed && file.gzip !== null ? file.gzip : file.body;
    const headers = new Headers({
      "content-type": file.type,
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "same-origin",
      "etag": compressed ? `"${file.etag}-gzip"` : `"${file.etag}"`,
      "vary": "accept-encoding",
      "x-content-type-options": "nosniff",
    });
    if (matches(request.headers.get("if-none-match"), file.etag)) {
      return new Response(null, { status: 304, headers });
    }
    if (compressed) headers.set("content-encoding", "gzip");
    headers.set("content-length", String(body.length));
    return new Response(request.method === "HEAD" ? null : body, { headers });
  }

  #add(path: string, bytes: Uint8Array<ArrayBuffer>): void {
    const extension = path.slice(path.lastIndexOf(".") + 1);
    const type = contentTypes[extension];
    if (type === undefined) throw new TypeError(`static file ${path} has no known type`);
    const body = extension === "js" ? this.#link(path, bytes) : bytes;
    const worthIt = extension !== "png" && body.length >= minCompressedSize;
    this.#files.set(path, {
      body,
      gzip: worthIt ? new Uint8Array(gzipSync(body, { level: 9 })) : null,
      type,
      etag: createHash("sha256").update(body).digest("hex").slice(0, 16),
    });
  }

  /** Rewrites a module's bare specifiers and notes what it imports statically. */
  #link(path: string, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const imports: string[] = [];
    const source = new TextDecoder().decode(bytes).replaceAll(
      importPattern,
      (whole, keyword: string, quote: string, specifier: string) => {
        const vendor = Object.hasOwn(vendorModules, specifier) ? vendorModules[specifier] : undefined;
        if (vendor !== undefined) imports.push(vendor);
        else if (/^\.{1,2}\//.test(specifier) && !keyword.includes("(")) {
          imports.push(new URL(specifier, `file:///${path}`).pathname.slice(1));
        }
        return vendor === undefined ? whole : `${keyword}${quote}/static/${this.build}/${vendor}${quote}`;
      },
    );
    this.#imports.set(path, imports);
    return new TextEncoder().encode(source);
  }
}

async function readTree(
  base: URL,
  folder: string,
  sources: Map<string, Uint8Array<ArrayBuffer>>,
): Promise<void> {
  for await (const entry of Deno.readDir(new URL(folder, base))) {
    if (entry.isDirectory) await readTree(base, `${folder}${entry.name}/`, sources);
    else sources.set(folder + entry.name, await Deno.readFile(new URL(folder + entry.name, base)));
  }
}

/**
 * Replaces the style sheets of a folder by one, without the comments and the indentation, which are an eighth of what would
 * be sent.
 */
function joinStyles(sources: Map<string, Uint8Array<ArrayBuffer>>, folder: string, joined: string): void {
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
 * lines of their own, as the formatter keeps them; and the indentation, since no string but templates of HTML goes over
 * several lines. Library modules stay as they are, licences included.
 */
function condensed(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const source = new TextDecoder().decode(bytes)
    .replaceAll(/^[ \t]*(?:\/\*\*(?:(?!\*\/)[^])*\*\/[ \t]*|\/\/.*)\n/gm, "")
    .replaceAll(/^[ \t]+/gm, "");
  return new TextEncoder().encode(source);
}

/** RFC 9110, 12.5.3, as far as a choice between gzip and nothing needs it. */
function acceptsGzip(header: string | null): boolean {
  return (header ?? "").split(",").some((coding) => {
    const [name, weight] = coding.trim().toLowerCase().split(/\s*;\s*q\s*=\s*/);
    return (name === "gzip" || name === "*") && (weight === undefined || Number(weight) > 0);
  });
}

/** RFC 9110, 13.1.2: weak comparison; both codings of a file count as the same. */
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((entry) => {
    const tag = entry.trim().replace(/^W\//, "");
    return tag === "*" || tag === `"${etag}"` || tag === `"${etag}-gzip"`;
  });
}
