/** Which audit rows are meant; a missing field means any. */
export interface AuditFilter {
  readonly userId?: string;
  /** An action, or a family of them when it ends in `*`. */
  readonly action?: string;
  readonly backend?: string;
  readonly bucket?: string;
  readonly key?: string;
  /** A part of the key. */
  readonly keyContains?: string;
  /** Key of a copy or of what was moved, which the row of its making has in its details; see {@link maxDetailBytes}. */
  readonly destinationKey?: string;
  readonly status?: string;
  /** The `result`, the `reason` or the `code` of the details; rows with details beyond 16 KiB do not match. `ok` means the status. */
  readonly result?: string;
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

/** Fields of the details of which one has to have the value that is asked for. */
const detailFields = {
  outcome: ["result", "reason", "code"],
  destination: ["dst_key"],
} as const;

/**
 * What a filter asks of one column, or of some fields of the details: a value, any value that begins with it, or any that has
 * it in it.
 */
export interface AuditCondition {
  readonly column: AuditColumn | keyof typeof detailFields;
  readonly value: string;
  readonly match: "equal" | "prefix" | "part";
}

/**
 * Longest details that are looked into, in bytes. Longer ones are lists of keys: whoever deletes many objects at once can
 * make thousands of them a megabyte long each, which nobody's filter may have to parse.
 */
const maxDetailBytes = 16 * 1024;

/** The conditions of a filter, without the time. */
export function conditionsOf(filter: AuditFilter): AuditCondition[] {
  const { userId, action, backend, bucket, key, keyContains, destinationKey } = filter;
  const { status, result } = statusOf(filter);
  const isFamily = action?.endsWith("*") ?? false;
  const wanted:
    readonly (readonly [AuditCondition["column"], string | undefined, AuditCondition["match"]])[] = [
      ["user_id", userId, "equal"],
      ["action", isFamily ? action?.slice(0, -1) || undefined : action, isFamily ? "prefix" : "equal"],
      ["backend", backend, "equal"],
      ["bucket", bucket, "equal"],
      ["key", key, "equal"],
      ["key", keyContains, "part"],
      ["status", status, "equal"],
      ["outcome", result, "equal"],
      ["destination", destinationKey, "equal"],
    ];
  return wanted.flatMap(([column, value, match]) => value === undefined ? [] : [{ column, value, match }]);
}

/** Only the rows of the S3 endpoint and of shares say `ok` in their details; the status of every row does. */
function statusOf({ status, result }: AuditFilter): Pick<AuditFilter, "status" | "result"> {
  return result === "ok" && (status ?? "ok") === "ok" ? { status: "ok" } : { status, result };
}

/** Whether a condition is about a column, whose index can hold it. */
export function isOfColumn(
  condition: AuditCondition,
): condition is AuditCondition & { readonly column: AuditColumn } {
  return !Object.hasOwn(detailFields, condition.column);
}

/** Whether a column's value is one that the condition asks for. */
export function isMet({ value: wanted, match }: AuditCondition, value: string): boolean {
  return match === "prefix" ? value.startsWith(wanted) : value === wanted;
}

/** The condition in SQL, with the values of its parameters. */
export function conditionSql({ column, value, match }: AuditCondition): { sql: string; values: string[] } {
  if (column === "outcome" || column === "destination") {
    const fields = detailFields[column].map((name) => `json_extract(detail, '$.${name}')`);
    return { sql: `octet_length(detail) <= ${maxDetailBytes} AND ? IN (${fields})`, values: [value] };
  }
  if (match === "part") return { sql: `instr(${column}, ?) > 0`, values: [value] };
  // A range in place of LIKE: it needs no escaping.
  return match === "prefix"
    ? { sql: `${column} >= ? AND ${column} < ?`, values: [value, value + "\u{10ffff}"] }
    : { sql: `${column} = ?`, values: [value] };
}
