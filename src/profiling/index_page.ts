import { escapeHtml } from "../pages/html_response.ts";
import { programName } from "../version.ts";

const profiles = [
  {
    path: "profile?seconds=30",
    text: "Where processor time goes: recorded for 1 to 300 seconds, 30 unless told.",
  },
  {
    path: "heap",
    text: "What holds memory: allocated since the start and still in use, after a garbage collection.",
  },
  {
    path: "allocs?seconds=30",
    text:
      "What allocates memory: all of it within 1 to 300 seconds, 30 unless told. Afterwards heap begins anew.",
  },
];

/** The page that says which profiles there are; `url` is where they are, with a slash at its end. */
export function indexPage(url: string): string {
  const title = `Profiles of ${escapeHtml(programName)}`;
  const entries = profiles.map(({ path, text }) => `
<dt><a href="${path}">${path}</a></dt>
<dd><p>${text}</p><pre>go tool pprof '${escapeHtml(url + path)}'</pre></dd>`);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>In the format of <a href="https://github.com/google/pprof">pprof</a>. Add <code>-top</code> for a table, or
<code>-http=127.0.0.1:0</code> for flame graphs in the browser.</p>
<dl>${entries.join("")}
</dl>
</body>
</html>
`;
}
