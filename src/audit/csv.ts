import type { AuditEventJson } from "./event_json.ts";

const columns = [
  "id",
  "timestamp",
  "user_id",
  "username",
  "action",
  "backend",
  "bucket",
  "key",
  "request_id",
  "ip",
  "user_agent",
  "status",
] as const satisfies readonly (keyof AuditEventJson)[];

/** The first line of the file, with its line break (RFC 4180). */
export const csvHeader = [...columns, "detail"].join(",") + "\r\n";

/** One event as a line of the file. */
export function csvLine(event: AuditEventJson): string {
  const cells = [...columns.map((column) => String(event[column] ?? "")), JSON.stringify(event.detail)];
  return cells.map(csvCell).join(",") + "\r\n";
}

/**
 * One cell. Text that a spreadsheet would take for a formula gets a leading apostrophe
 * (https://owasp.org/www-community/attacks/CSV_Injection): keys and user agents are chosen by strangers.
 */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
