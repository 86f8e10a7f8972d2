// @ts-check

/**
 * @typedef {"image" | "pdf" | "video" | "audio" | "csv" | "json" | "markdown" | "text" | "gzip" | "zip" | "parquet" | "hex"} PreviewKind
 */

/** @type {ReadonlyMap<string, PreviewKind>} */
const byExtension = new Map([
  ["csv", "csv"],
  ["tsv", "csv"],
  ["json", "json"],
  ["geojson", "json"],
  ["pdf", "pdf"],
  ["md", "markdown"],
  ["markdown", "markdown"],
  ["gz", "gzip"],
  ["parquet", "parquet"],
]);

const zips = /^(?:apk|docx|epub|jar|odp|ods|odt|pptx|war|whl|xlsx|zip)$/;

const images = /^(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)$/;
const videos = /^(?:m4v|mov|mp4|ogv|webm)$/;
const audios = /^(?:aac|flac|m4a|mp3|oga|ogg|opus|wav)$/;
const texts = new RegExp(
  "^(?:adoc|bash|bat|c|cc|cfg|conf|cpp|css|diff|env|go|h|hpp|htm|html|ini|java|js|jsonl|jsx|kt|less|log|lua|m3u8|" +
    "mjs|ndjson|patch|php|pl|properties|ps1|py|r|rb|rs|rst|scss|sh|sql|srt|swift|tex|toml|ts|tsx|txt|vtt|" +
    "xml|yaml|yml|zsh)$",
);
const textTypes =
  /^(?:text\/|application\/(?:javascript|ecmascript|sql|toml|x-(?:sh|yaml|ndjson|httpd-php))|.*\+xml$)/;

/**
 * How an object is shown. The stored content type decides; where it says nothing (missing, `octet-stream`), the
 * extension does. HTML is shown as its source, never drawn.
 *
 * @param {string} key
 * @param {string} contentType as stored, or empty
 * @returns {PreviewKind}
 */
export function previewKind(key, contentType) {
  const type = contentType.split(";")[0].trim().toLowerCase();
  const extension = /\.([^./]+)$/.exec(key)?.[1].toLowerCase() ?? "";
  return kindOfType(type, extension) ?? kindOfExtension(extension) ?? "hex";
}

/**
 * @param {string} type
 * @param {string} extension
 * @returns {PreviewKind | undefined}
 */
function kindOfType(type, extension) {
  if (type.startsWith("image/")) return "image";
  if (type.startsWith("video/")) return "video";
  if (type.startsWith("audio/")) return "audio";
  if (type === "application/pdf") return "pdf";
  if (type === "text/csv" || type === "text/tab-separated-values") return "csv";
  if (type === "application/json" || type.endsWith("+json")) return "json";
  if (type === "text/markdown") return "markdown";
  if (type === "application/zip") return "zip";
  if (type === "application/gzip" || type === "application/x-gzip") return "gzip";
  if (type === "text/plain") return byExtension.get(extension) ?? "text";
  if (textTypes.test(type) || type === "application/xml") return "text";
  return undefined;
}

/**
 * @param {string} extension
 * @returns {PreviewKind | undefined}
 */
function kindOfExtension(extension) {
  if (images.test(extension)) return "image";
  if (videos.test(extension)) return "video";
  if (audios.test(extension)) return "audio";
  if (texts.test(extension)) return "text";
  if (zips.test(extension)) return "zip";
  return byExtension.get(extension);
}
