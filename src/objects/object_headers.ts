import { mayBeInline } from "./inline_types.ts";
import { isMediaType } from "./media_type.ts";

/** How a browser treats an object: `inline` shows it where it can, `attachment` saves it. */
export type Disposition = "inline" | "attachment";

/** Headers of the backend's answer that describe the object and go to the client as they are. */
const passedHeaders = [
  "accept-ranges",
  "content-encoding",
  "content-language",
  "content-length",
  "content-range",
  "content-type",
  "etag",
  "last-modified",
  "x-amz-version-id",
];

/**
 * Headers of the answer that carries an object. Whatever was stored, by whomever, a browser never runs it as part of the
 * dashboard: the type is one that cannot be read in two ways and is not guessed, what would be drawn as a page is saved
 * whatever was asked for, nothing is loaded from elsewhere, and all but PDF files, whose viewers refuse it, are put in a
 * sandbox with an origin of its own.
 */
export function objectHeaders(upstream: Headers, key: string, disposition: Disposition): Headers {
  const headers = new Headers();
  for (const name of passedHeaders) {
    const value = upstream.get(name);
    if (value !== null) headers.set(name, value);
  }
  const contentType = sentContentType(upstream.get("content-type") ?? "");
  headers.set("content-type", contentType);
  headers.set(
    "content-disposition",
    contentDisposition(mayBeInline(contentType) ? disposition : "attachment", key),
  );
  headers.set("content-security-policy", contentPolicy(contentType));
  headers.set("x-content-type-options", "nosniff");
  headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("cache-control", "private, no-cache, no-transform");
  return headers;
}

/**
 * A `Content-Disposition` (RFC 6266) that names the file after the last part of its key: in ASCII for old clients, and
 * in full as RFC 8187 has it. Characters that could end the header or leave the folder of downloads are replaced.
 */
export function contentDisposition(disposition: Disposition, key: string): string {
  const lastPart = key.replace(/\/+$/, "").split("/").at(-1) ?? "";
  // deno-lint-ignore no-control-regex -- these are what is looked for
  const name = lastPart.replaceAll(/[\x00-\x1f\x7f-\x9f\\]/g, "_") || "object";
  const ascii = name.replaceAll(/[^\x20-\x7e]/gu, "_").replaceAll(/["%]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed())
    .replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** The type of PDF files, the only ones without a sandbox. */
const pdf = "application/pdf";

/**
 * The stored type when it is a well-formed media type: of several, which a comma parts, browsers take the last. Not one of
 * several parts, each of which would bring headers of its own into the browser.
 */
function sentContentType(stored: string): string {
  if (!isMediaType(stored) || /^multipart\//i.test(stored)) return "application/octet-stream";
  return stored.split(";")[0].trim().toLowerCase() === pdf ? pdf : stored;
}

function contentPolicy(contentType: string): string {
  const policy = "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
  return contentType === pdf ? `${policy}; object-src 'self'` : `sandbox; ${policy}`;
}
