import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { setBase, withBase } from "../../static/lib/base.js";
import { completeLinks } from "../../static/lib/base_links.js";
import { setSpriteUrl } from "../../static/lib/icons.js";
import { acceptsGzip } from "../http/compression.ts";
import { catalogueOf, catalogues } from "./language.ts";
import { type Bundle, bundle, coreFile } from "./modules/bundle.ts";
import { readStaticSources } from "./static_sources.ts";

/** Library modules that browsers load, by the bare specifier under which our sources import them. */
const libraries: Readonly<Record<string, string>> = {
  "preact": "vendor/preact.js",
  "preact/hooks": "vendor/hooks.js",
  "@preact/signals": "vendor/signals.js",
  "@preact/signals-core": "vendor/signals-core.js",
  "htm": "vendor/htm.js",
};

/** The modules that every page of the dashboard loads at once. */
const roots = ["lib/boot.js", "lib/signed_in.js"];

/** What keeps modules in a browser. */
const registry = "modules.js";

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
};

/** Below this many bytes a compressed body saves nothing worth its header. */
const minCompressedSize = 512;

interface StaticFile {
  readonly body: Uint8Array<ArrayBuffer>;
  /** Made when it is first asked for: nobody loads every file in every language. */
  gzip: Uint8Array<ArrayBuffer> | null;
  readonly type: string;
  readonly etag: string;
}

/**
 * What browsers load, held in memory, each file under an address that changes with the content of all and can therefore be
 * cached for ever: styles and icons as they are, modules put together into few files for each language once it is asked for.
 */
export class StaticFiles {
  /** Digest of everything: the middle part of every address. */
  readonly build: string;
  readonly #files = new Map<string, StaticFile>();
  readonly #bundle: Bundle;
  readonly #languages = new Set<string>();

  private constructor(
    build: string,
    contents: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
    bundle: Bundle,
  ) {
    this.build = build;
    this.#bundle = bundle;
    for (const [path, bytes] of contents) this.#add(path, bytes);
    setSpriteUrl(this.url("icons.svg"));
  }

  /**
   * Reads and puts together what is in `static/`, for browsers that find the program below `basePath`. Throws when a file or
   * a library module is missing.
   */
  static async load(basePath = ""): Promise<StaticFiles> {
    setBase(basePath);
    if (basePath !== "") completeLinks();
    const sources = readStaticSources();
    const modules = new Map<string, string>();
    const contents = new Map<string, Uint8Array<ArrayBuffer>>();
    for (const [path, bytes] of sources) {
      if (isModule(path)) modules.set(path, new TextDecoder().decode(bytes));
      else if (!path.startsWith("i18n/") && path !== registry) contents.set(path, bytes);
    }
    for (const [specifier, path] of Object.entries(libraries)) {
      const source = await Deno.readTextFile(new URL(import.meta.resolve(specifier)));
      modules.set(path, source.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
    }
    const texts = ["texts", JSON.stringify(catalogues)] as const;
    const build = digestOf([...contents, ...modules, texts, ["base path", basePath]]);
    const bundled = await bundle({
      sources: modules,
      libraries,
      registry: new TextDecoder().decode(sources.get(registry)),
      roots: basePath === "" ? roots : [...roots, "lib/base_links.js"],
      pages: "islands/",
      start: startSource(build, basePath),
    });
    return new StaticFiles(build, contents, bundled);
  }

  /** The paths of all files, below their address's build part. */
  get paths(): string[] {
    for (const language of Object.keys(catalogues)) this.#prepare(language);
    return [...this.#files.keys()];
  }

  /**
   * The address of a file, as browsers need it: `icons.svg` → `/static/<build>/icons.svg`. Throws for a file that is not
   * there.
   */
  url(path: string): string {
    if (this.#find(path) === undefined) throw new TypeError(`no static file ${path}`);
    return withBase(address(this.build, path));
  }

  /** The addresses of the files that bring `modules` to a page in a language; the first one starts it. */
  moduleUrls(language: string, modules: readonly string[]): string[] {
    const files = modules.map((module) => `${language}/${module}`)
      .filter((path) => this.#find(path) !== undefined);
    return [...new Set([`${language}/${coreFile}`, ...files])].map((path) => this.url(path));
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
    const prefix = address(this.build, "");
    const file = pathname.startsWith(prefix) ? this.#find(pathname.slice(prefix.length)) : undefined;
    if (file === undefined) {
      return new Response("Not found\n", {
        status: 404,
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
    }
    const compressed = isWorthCompressing(file) && acceptsGzip(request.headers.get("accept-encoding"));
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
    const body = compressed ? gzipOf(file) : file.body;
    if (compressed) headers.set("content-encoding", "gzip");
    headers.set("content-length", String(body.length));
    return new Response(request.method === "HEAD" ? null : body, { headers });
  }

  #find(path: string): StaticFile | undefined {
    this.#prepare(path.slice(0, path.indexOf("/")));
    return this.#files.get(path);
  }

  /** Puts the modules together for a language, if it is one and that has not been done yet. */
  #prepare(language: string): void {
    const catalogue = this.#languages.has(language) ? undefined : catalogueOf(language);
    if (catalogue === undefined) return;
    this.#languages.add(language);
    for (const [path, source] of this.#bundle.files(language, catalogue)) {
      this.#add(path, new TextEncoder().encode(source));
    }
  }

  #add(path: string, body: Uint8Array<ArrayBuffer>): void {
    const type = contentTypes[path.slice(path.lastIndexOf(".") + 1)];
    if (type === undefined) throw new TypeError(`static file ${path} has no known type`);
    const etag = createHash("sha256").update(body).digest("hex").slice(0, 16);
    this.#files.set(path, { body, gzip: null, type, etag });
  }
}

/** Whether a file is a module of the dashboard's pages; the script of a share's page has none, and texts are put in. */
function isModule(path: string): boolean {
  return path.endsWith(".js") && !path.startsWith("i18n/") && !path.startsWith("share/") && path !== registry;
}

/** What the first file does once its modules are there. Below a path, that is known before anything is drawn. */
function startSource(build: string, basePath: string): string {
  const below = `$need("lib/base.js").setBase("${basePath}");\n$need("lib/base_links.js").completeLinks();\n`;
  return `${basePath === "" ? "" : below}$need("lib/icons.js").setSpriteUrl("${
    address(build, "icons.svg")
  }");\n` +
    `$need("lib/boot.js").boot();`;
}

function address(build: string, path: string): string {
  return `/static/${build}/${path}`;
}

function digestOf(contents: Iterable<readonly [string, string | Uint8Array]>): string {
  const digest = createHash("sha256");
  for (const [path, content] of contents) digest.update(`${path}\0${content.length}\0`).update(content);
  return digest.digest("hex").slice(0, 12);
}

function isWorthCompressing({ type, body }: StaticFile): boolean {
  return type !== "image/png" && body.length >= minCompressedSize;
}

function gzipOf(file: StaticFile): Uint8Array<ArrayBuffer> {
  return file.gzip ??= new Uint8Array(gzipSync(file.body, { level: 9 }));
}

/** RFC 9110, 13.1.2: weak comparison; both codings of a file count as the same. */
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((entry) => {
    const tag = entry.trim().replace(/^W\//, "");
    return tag === "*" || tag === `"${etag}"` || tag === `"${etag}-gzip"`;
  });
}
