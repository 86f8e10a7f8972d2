/** Which audit rows are meant; a missing field means any. */
export interface AuditFilter {
  readonly userId?: string;
  /** An action, or a family of them when it ends in `*`. */
  readonly action?: string;
  readonly backend?: string;
  readonly bucket?: string;
  readonly key?: string;
  readonly status?: string;
  /** Milliseconds since the epoch, inclusive. */
  readonly from?: number;
  /** Milliseconds since the epoch, exclusive. */
  readonly to?: number;
}

/** A place in the list, newest first: rows are ordered by time, then by id. */
export interface AuditPosition {
  readonly at: number;
  readonly id: number;
}

/** A column of the audit table that a filter can ask for. */
export type AuditColumn = "user_id" | "action" | "backend" | "bucket" | "key" | "status";

/** What a filter asks of one column: a value, or any value that begins with it. */
export interface AuditCondition {
  readonly column: AuditColumn;
  readonly value: string;
  readonly isPrefix: boolean;
}

/** The conditions of a filter, without the time. */
export function conditionsOf(filter: AuditFilter): AuditCondition[] {
  const { userId, action, backend, bucket, key, status } = filter;
  const isPrefix = action?.endsWith("*") ?? false;
  const wanted: readonly (readonly [AuditColumn, string | undefined])[] = [
    ["user_id", userId],
    ["action", isPrefix ? action?.slice(0, -1) : action],
    ["backend", backend],
    ["bucket", bucket],
    ["key", key],
    ["status", status],
  ];
  return wanted.flatMap(([column, value]) =>
    value === undefined ? [] : [{ column, value, isPrefix: column === "action" && isPrefix }]
  ).filter(({ value, isPrefix }) => !isPrefix || value !== "");
}

/** Whether a column's value is one that the condition asks for. */
export function isMet({ value: wanted, isPrefix }: AuditCondition, value: string): boolean {
  return isPrefix ? value.startsWith(wanted) : value === wanted;
}

/** The condition in SQL, with the values of its parameters. */
export function conditionSql({ column, value, isPrefix }: AuditCondition): { sql: string; values: string[] } {
  // A range in place of LIKE: it needs no escaping.
  return isPrefix
    ? { sql: `${column} >= ? AND ${column} < ?`, values: [value, value + "\u{10ffff}"] }
    : { sql: `${column} = ?`, values: [value] };
}
