import {
  type AuditColumn,
  type AuditCondition,
  type AuditFilter,
  type AuditPosition,
  conditionsOf,
  conditionSql,
  isMet,
  isOfColumn,
} from "./audit_filter.ts";
import type { Database } from "./database.ts";

/** An index of the audit table: its columns, after which come the time and the id. */
interface AuditIndex {
  readonly name: string;
  /** Columns of any number of values, of which strangers make up some: the index is of no use without a value of each. */
  readonly heads: readonly AuditColumn[];
  /** Columns of few values, each of which is a part of its own. */
  readonly tails: readonly AuditColumn[];
}

/** The indexes of migration 0011, those first that are likely to leave the fewest rows. */
const indexes: readonly AuditIndex[] = [
  { name: "audit_events_by_key", heads: ["key"], tails: [] },
  { name: "audit_events_by_place", heads: ["backend", "bucket"], tails: ["action", "status"] },
  { name: "audit_events_by_bucket", heads: ["bucket"], tails: ["action", "status"] },
  { name: "audit_events_by_user", heads: ["user_id"], tails: ["action", "status"] },
  { name: "audit_events_by_backend", heads: ["backend"], tails: ["action", "status"] },
  { name: "audit_events_by_action", heads: [], tails: ["action", "status"] },
  { name: "audit_events_by_status", heads: [], tails: ["status"] },
  { name: "audit_events_by_time", heads: [], tails: [] },
];

/**
 * Parts of an index that are merged at most. There are fewer actions and statuses than that; SQLite has a limit of 500.
 */
const maxBranches = 400;

/** Rows that are looked at for one page or one count, when no index holds all that is asked for. */
const scanBudget = 5_000;

/**
 * How the rows that match a filter are found, newest first. Each branch is a part of one index, in the order of time, and
 * the merge of them is what the index has; `residual` is what is left to be checked at the rows themselves.
 */
export interface AuditScan {
  readonly index: string;
  readonly columns: readonly AuditColumn[];
  readonly branches: readonly (readonly string[])[];
  readonly residual: readonly AuditCondition[];
  /** Only rows before this position. */
  readonly before: AuditPosition;
  /** Only rows at this position and after it. */
  readonly notBefore: AuditPosition;
  /** Where the scan ends although there may be more that matches before it; `null` when it goes through all. */
  readonly brokenOffAt: AuditPosition | null;
}

/** A statement with the values of its parameters. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/**
 * Chooses how to find what matches, newest first, before `position`. An index that holds all that is asked for is gone
 * through as far as it is wanted. Where none does, that one is taken whose newest 5,000 rows reach furthest back, and the
 * scan is broken off there, so that no filter takes long: who reads on goes on at `brokenOffAt`.
 */
export function planAuditScan(database: Database, filter: AuditFilter, position?: AuditPosition): AuditScan {
  const conditions = conditionsOf(filter);
  const range = rangeOf(filter, position);
  let best: AuditScan | null = null;
  for (const index of indexes) {
    const branches = branchesOf(database, index, conditions);
    if (branches === null) continue;
    const columns = [...index.heads, ...index.tails];
    const residual = conditions.filter((condition) => !isIndexed(condition, columns));
    const scan: AuditScan = {
      ...range,
      index: index.name,
      columns,
      branches,
      residual,
      brokenOffAt: null,
    };
    if (branches.length === 0 || residual.length === 0) return scan;
    const end = budgetEnd(database, scan);
    if (end === null) return scan;
    if (best === null || isEarlier(end, best.notBefore)) best = { ...scan, notBefore: end, brokenOffAt: end };
  }
  if (best === null) throw new Error("the index by time fits every filter");
  return best;
}

/** The statement that finds the positions of the next `limit` rows of a scan. */
export function positionsStatement(scan: AuditScan, limit: number, offset = 0): Statement {
  const branches = scan.branches.map((branch) => branchStatement(scan, branch, "at, id"));
  const selects = branches.map(({ sql }) => sql).join(" UNION ALL ");
  return {
    sql: `${selects} ORDER BY at DESC, id DESC LIMIT ? OFFSET ?`,
    values: [...branches.flatMap(({ values }) => values), limit, offset],
  };
}

/** The statement that counts the rows of one branch of a scan, no further than `limit`. */
export function countStatement(scan: AuditScan, branch: readonly string[], limit: number): Statement {
  const { sql, values } = branchStatement(scan, branch, "1");
  return { sql: `SELECT count(*) AS total FROM (${sql} LIMIT ?)`, values: [...values, limit] };
}

/** The statement that reads one branch of a scan, in no order. */
export function branchStatement(scan: AuditScan, branch: readonly string[], result: string): Statement {
  const { index, columns, residual, before, notBefore } = scan;
  const checks = residual.map(conditionSql);
  const where = [
    ...columns.map((column) => `${column} = ?`),
    "(at, id) < (?, ?) AND (at, id) >= (?, ?)",
    ...checks.map(({ sql }) => sql),
  ];
  return {
    sql: `SELECT ${result} FROM audit_events INDEXED BY ${index} WHERE ${where.join(" AND ")}`,
    values: [
      ...branch,
      before.at,
      before.id,
      notBefore.at,
      notBefore.id,
      ...checks.flatMap(({ values }) => values),
    ],
  };
}

/** Whether an index of these columns holds what a condition asks for. */
function isIndexed(condition: AuditCondition, columns: readonly AuditColumn[]): boolean {
  return isOfColumn(condition) && condition.match !== "part" && columns.includes(condition.column);
}

/** The combinations of values in an index that meet the conditions, or `null` when the index is of no use for them. */
function branchesOf(
  database: Database,
  { name, heads, tails }: AuditIndex,
  conditions: readonly AuditCondition[],
): string[][] | null {
  const find = (column: AuditColumn) => conditions.find((condition) => isIndexed(condition, [column]));
  const fixed = heads.flatMap((column) => find(column)?.value ?? []);
  if (fixed.length < heads.length) return null;
  if (tails.length === 0) return [fixed];
  const wanted = tails.map(find);
  if (heads.length === 0 && wanted[0] === undefined) return null;
  const branches: string[][] = [];
  let values = wanted.map((condition) => condition?.value ?? "");
  // One seek for each combination, whatever the number of its rows: a "loose" or "skip" scan.
  while (true) {
    const row = database.get(nextCombination(name, heads, tails), ...fixed, ...values);
    if (row === undefined) return branches;
    values = tails.map((column) => String(row[column]));
    const meets = values.map((value, index) => {
      const condition = wanted[index];
      return condition === undefined || isMet(condition, value);
    });
    if (!meets[0]) return branches;
    if (meets.every(Boolean)) branches.push([...fixed, ...values]);
    if (branches.length > maxBranches) return null;
    // No text is between this and the same with a NUL behind it. SQLite would step through all rows for a `>`.
    values = values.with(-1, `${values[values.length - 1]}\0`);
  }
}

function nextCombination(
  index: string,
  heads: readonly AuditColumn[],
  tails: readonly AuditColumn[],
): string {
  const where = [
    ...heads.map((column) => `${column} = ?`),
    `(${tails}) >= (${tails.map(() => "?")})`,
  ];
  return `SELECT ${tails} FROM audit_events INDEXED BY ${index} WHERE ${where.join(" AND ")}
    ORDER BY ${tails} LIMIT 1`;
}

/** Position of the last row that the budget allows for, or `null` when a scan needs less. */
function budgetEnd(database: Database, scan: AuditScan): AuditPosition | null {
  const { sql, values } = positionsStatement({ ...scan, residual: [] }, 1, scanBudget - 1);
  const [row] = database.allComposed(sql, ...values);
  return row === undefined ? null : { at: Number(row.at), id: Number(row.id) };
}

function rangeOf({ from, to }: AuditFilter, position: AuditPosition | undefined) {
  const end: AuditPosition = { at: to ?? Number.MAX_SAFE_INTEGER, id: 0 };
  return {
    before: position !== undefined && isEarlier(position, end) ? position : end,
    notBefore: { at: from ?? Number.MIN_SAFE_INTEGER, id: 0 },
  };
}

function isEarlier(first: AuditPosition, second: AuditPosition): boolean {
  return first.at < second.at || (first.at === second.at && first.id < second.id);
}
