/**
 * What a page may load: our own files and nothing else, no inline script or style, no `eval`, no frames around us.
 * `trusted-types 'none'` makes every HTML sink of the DOM throw.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "frame-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'none'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** An HTML answer with the headers that every page has. Pages show one user's data: nothing keeps them. */
export function htmlResponse(
  html: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": contentSecurityPolicy,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy":
        "camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text made safe inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]);
}

/** JSON made safe inside a `<script type="application/json">`, whose end tag it must not contain. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
