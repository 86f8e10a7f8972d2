import { currentLanguage } from "../../static/lib/i18n.js";
import { escapeHtml } from "./html_response.ts";
import { readPreferences } from "./preferences.ts";
import type { StaticFiles } from "./static_files.ts";

/** What a document is made of. */
export interface DocumentParts {
  readonly title: string;
  /** Of the request: its cookies say how the browser wants pages to look. */
  readonly headers: Headers;
  /** Style sheets besides `app.css`; `pages.css`, which has the pages other than the object browser, when absent. */
  readonly styles?: readonly string[];
  /** The page's script; that of the dashboard, which has the modules, when absent. */
  readonly script?: string;
  /** Modules that are best loaded at once. */
  readonly modules?: readonly string[];
  /** More of the head, as HTML. */
  readonly head?: string;
  /** As HTML. */
  readonly body: string;
}

/** A whole HTML document around a body, in the language that is in force. */
export function renderDocument(files: StaticFiles, parts: DocumentParts): string {
  const { title, headers, styles = ["pages.css"], script, modules = [], head = "", body } = parts;
  const preferences = Object.entries(readPreferences(headers))
    .map(([name, value]) => value === undefined || name === "language" ? "" : ` data-${name}="${value}"`)
    .join("");
  const [first, ...rest] = script === undefined
    ? files.moduleUrls(currentLanguage(), modules)
    : [files.url(script)];
  const preloads = rest.map((url) => `<link rel="modulepreload" href="${url}">`).join("\n");
  const sheets = ["app.css", ...styles]
    .map((sheet) => `<link rel="stylesheet" href="${files.url(sheet)}">`).join("\n");
  return `<!doctype html>
<html lang="${currentLanguage()}"${preferences}>
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="${files.url("favicon.svg")}">
${sheets}
${preloads}
<script type="module" src="${first}"></script>
${head}</head>
<body>
${body}
</body>
</html>
`;
}
