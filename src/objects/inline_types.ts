/** Types that a browser shows as a picture or as plain text, and PDF files, which its viewer takes. */
const inlineTypes = new Set([
  "application/json",
  "application/pdf",
  "application/toml",
  "application/x-ndjson",
  "application/x-yaml",
  "application/yaml",
  "image/apng",
  "image/avif",
  "image/bmp",
  "image/gif",
  "image/heic",
  "image/heif",
  "image/jpeg",
  "image/jxl",
  "image/png",
  "image/tiff",
  "image/vnd.microsoft.icon",
  "image/webp",
  "image/x-icon",
  "text/csv",
  "text/markdown",
  "text/plain",
  "text/tab-separated-values",
  "text/vtt",
  "text/yaml",
]);

/**
 * Whether a browser that is led to an object of a type may show it. What it would draw as a page, HTML and every kind of XML
 * with SVG among it, could pass for one of the dashboard's own under its host, even without scripts: it is not on the list.
 */
export function mayBeInline(contentType: string): boolean {
  const type = contentType.split(";")[0].trim().toLowerCase();
  // By the ending alone a browser takes a type for XML, also one of audio or video.
  if (/[/+]xml$/.test(type)) return false;
  return inlineTypes.has(type) || /^(?:audio|video)\//.test(type) || /^application\/.+\+json$/.test(type);
}
