// @ts-check

/** The content type of what has an extension, as the IANA registry and browsers know it. @type {ReadonlyMap<string, string>} */
const byExtension = new Map([
  ["aac", "audio/aac"],
  ["avif", "image/avif"],
  ["bmp", "image/bmp"],
  ["bz2", "application/x-bzip2"],
  ["css", "text/css; charset=utf-8"],
  ["csv", "text/csv; charset=utf-8"],
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["epub", "application/epub+zip"],
  ["flac", "audio/flac"],
  ["gif", "image/gif"],
  ["gz", "application/gzip"],
  ["htm", "text/html; charset=utf-8"],
  ["html", "text/html; charset=utf-8"],
  ["ico", "image/vnd.microsoft.icon"],
  ["jpeg", "image/jpeg"],
  ["jpg", "image/jpeg"],
  ["js", "text/javascript; charset=utf-8"],
  ["json", "application/json"],
  ["log", "text/plain; charset=utf-8"],
  ["m4a", "audio/mp4"],
  ["md", "text/markdown; charset=utf-8"],
  ["mjs", "text/javascript; charset=utf-8"],
  ["mov", "video/quicktime"],
  ["mp3", "audio/mpeg"],
  ["mp4", "video/mp4"],
  ["ndjson", "application/x-ndjson"],
  ["ogg", "audio/ogg"],
  ["otf", "font/otf"],
  ["parquet", "application/vnd.apache.parquet"],
  ["pdf", "application/pdf"],
  ["png", "image/png"],
  ["pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  ["svg", "image/svg+xml"],
  ["tar", "application/x-tar"],
  ["tif", "image/tiff"],
  ["tiff", "image/tiff"],
  ["tsv", "text/tab-separated-values; charset=utf-8"],
  ["ttf", "font/ttf"],
  ["txt", "text/plain; charset=utf-8"],
  ["wasm", "application/wasm"],
  ["wav", "audio/wav"],
  ["webm", "video/webm"],
  ["webmanifest", "application/manifest+json"],
  ["webp", "image/webp"],
  ["woff", "font/woff"],
  ["woff2", "font/woff2"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["xml", "application/xml"],
  ["yaml", "application/yaml"],
  ["yml", "application/yaml"],
  ["zip", "application/zip"],
  ["zst", "application/zstd"],
]);

/** The content types that are offered, each once. */
export const contentTypes = [...new Set(byExtension.values())].sort();

/**
 * The content type that goes with a key's extension.
 *
 * @param {string} key
 * @returns {string | null} `null` for an extension that is not known
 */
export function contentTypeOf(key) {
  const extension = /\.([^./]+)$/.exec(key)?.[1].toLowerCase() ?? "";
  return byExtension.get(extension) ?? null;
}
