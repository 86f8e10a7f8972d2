import type { World } from "./world.ts";

/** An element by its selector, and a text in it or in its label. */
export type Sight = readonly [selector: string, text?: string];

/** A page by its path, and what has to be seen there once it is ready. */
export type Page = readonly [path: string, title: Sight, ...sights: Sight[]];

const files = "/b/main/files";

/** The preview of an object in its details. */
function preview(key: string, ...sights: Sight[]): Page {
  const inDetails = sights.map(([selector, text]): Sight => [`.details-body ${selector}`, text]);
  return [`${files}?o=${key}`, [".details h2", key], ...inDetails];
}

function settings(section: string, heading: string): Page {
  return [`${files}/settings/${section}`, ["main h2", heading]];
}

/** Every page of the dashboard, as an administrator sees it. */
export function pages({ shares }: World): Page[] {
  return [
    ["/", ["h1", "Overview"], ["main a", "Main storage"]],
    ["/b/main", ["h1", "Main storage"], ["main td a", "files"]],
    [files, ["h1", "files"], [".object-row", "docs"], [".object-row", "text.txt"]],
    [`${files}?view=grid`, ["h1", "files"], ["#objects", "picture.png"]],
    [`${files}?list=table`, ["h1", "files"], ["#objects", "table.csv"]],
    [`${files}?p=docs/`, ["h1", "docs"], [".object-row", "letter.txt"]],
    [`${files}?p=docs/&o=docs/letter.txt&tab=versions`, [".details", "2 versions"], [".timeline-item"]],
    preview("archive.zip", ["td", "docs/<b>.txt"], ["*", "1 entry"]),
    preview("data.json", [".code-number", "12345678901234567890"]),
    preview("drawing.svg", [".preview-image img"], ["*", "40 × 20"]),
    preview("log.gz", [".preview-text", "ERROR broken"]),
    preview("notes.md", [".preview-document em", "emphasis"]),
    preview("picture.png", [".preview-image img"], ["*", "48 × 32"]),
    preview("raw.bin", ["*", "00 01 02 41 42 ff"]),
    preview("report.pdf", ["iframe.preview-pdf"]),
    preview("table.csv", ["td", "Curie, Marie"]),
    preview("text.txt", [".preview-text", "Grüße, 世界"]),
    settings("general", "General"),
    settings("versioning", "Versioning"),
    settings("cors", "CORS"),
    settings("lifecycle", "Lifecycle"),
    settings("policy", "Policy"),
    settings("quota", "Quota"),
    settings("proxy-cors", "CORS of the S3 endpoint"),
    [`${files}/insights`, ["h1", "Insights"], ["h2", "What is in it"]],
    ["/search?q=text", ["h1", "Search"], ["main a", "text.txt"]],
    ["/shares", ["h1", "Shares"], ["main tbody tr", "docs"]],
    ["/transfers", ["h1", "Transfers"], ["h2", "By the server"]],
    ["/credentials", ["h1", "S3 credentials"], ["main", "Nightly backups"]],
    ["/me", ["h1", "Your account"], ["h2", "Sessions"]],
    ["/admin/users", ["h1", "Users"], ["main tbody tr", "admin"]],
    ["/admin/backends", ["h1", "Backends"], ["main", "Main storage"]],
    ["/admin/credentials", ["h1", "All S3 credentials"], ["main", "Nightly backups"]],
    ["/admin/health", ["h1", "Health"], ["h2", "Main storage"]],
    ["/admin/usage", ["h1", "Activity"], ["main .usage-charts svg"]],
    ["/admin/audit", ["h1", "Audit log"], ["main tbody tr", "admin"]],
    [shares.file, ["h1", "text.txt"], ["main a", "Download"]],
    [shares.folder, ["h1", "docs"], ["main", "letter.txt"]],
    [shares.upload, ["h1", "Send the photos"], ["main", "Choose files"]],
  ];
}
