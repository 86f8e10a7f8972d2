import type { AuditFilter } from "./audit_filter.ts";
import { type AuditScan, branchStatement, planAuditScan } from "./audit_scan.ts";
import type { Database } from "./database.ts";

/** How many rows a step of time has. */
export interface AuditStep {
  /** When it begins, in milliseconds since the epoch. */
  readonly at: number;
  /** Rows of status `ok`, and all others. */
  readonly ok: number;
  readonly failed: number;
}

/** How the rows that match a filter are spread over time. */
export interface AuditHistogram {
  readonly stepMs: number;
  /** Oldest first, without gaps. */
  readonly steps: readonly AuditStep[];
  /** Rows from before this moment, in milliseconds since the epoch, were not looked at; `null` when all were. */
  readonly countedFrom: number | null;
  /** Whether the counts are estimates, since counting every row would have taken long. */
  readonly isEstimated: boolean;
}

/** The rows of one branch of a scan, within one status. */
interface Branch {
  readonly scan: AuditScan;
  readonly values: readonly string[];
  readonly isOk: boolean;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Lengths of steps, each of which is divided by a clock's or a calendar's marks. */
const stepLengths = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 30, 90].map((count) => count * day),
];

/** Index entries that are looked at for one histogram, roughly: what bounds the time it takes. */
const countBudget = 60_000;

/**
 * Parts of a step that are looked at one by one, where its rows are too many to be counted; neighbours are taken
 * together where even one look at each would be more than these statements, each of which takes as long as ten rows.
 */
const samplesPerStep = 4;
const maxSampleStatements = 4_000;

/** Statuses that are told apart; there are fewer. */
const maxStatuses = 20;

/**
 * Counts the rows that match in at most `maxSteps` steps of time: exactly as long as that is cheap. Where it is not, the
 * first rows of each part of a step tell how close together they are. `now` ends a filter that has no end.
 */
export function countAuditSteps(
  database: Database,
  filter: AuditFilter,
  maxSteps: number,
  now: number,
): AuditHistogram {
  const branches = branchesByStatus(database, filter);
  const countedFrom = breakOf(branches);
  const to = filter.to ?? now + 1;
  const from = filter.from ?? firstTime(database, branches, countedFrom) ?? to;
  const stepMs = stepLength(from, to, maxSteps);
  const start = Math.floor(from / stepMs) * stepMs;
  const counts = Array.from(
    { length: Math.max(0, Math.ceil((to - start) / stepMs)) },
    () => ({ ok: 0, failed: 0 }),
  );
  const add = (branch: Branch, step: number, rows: number) => {
    if (step < 0 || step >= counts.length) return;
    counts[step][branch.isOk ? "ok" : "failed"] += rows;
  };
  const large: Branch[] = [];
  for (const branch of branches) {
    const limit = Math.max(100, Math.floor(countBudget / branches.length));
    const rows = rowsWithin(database, branch, from, to, limit + 1);
    if (rows > limit) large.push(branch);
    else countExactly(database, branch, { from, to, start, stepMs }, (step, rows) => add(branch, step, rows));
  }
  const cells = Math.max(1, large.length * counts.length);
  const together = Math.ceil(cells / maxSampleStatements);
  const parts = Math.max(1, Math.min(samplesPerStep, Math.floor(maxSampleStatements / cells)));
  const sample = Math.max(8, Math.floor(countBudget / (cells * parts)));
  for (const branch of large) {
    for (let step = 0; step < counts.length; step += together) {
      const next = Math.min(step + together, counts.length);
      const begin = Math.max(from, start + step * stepMs);
      const end = Math.min(to, start + next * stepMs);
      const rows = estimate(database, branch, begin, end, { parts, sample }) / (next - step);
      for (let each = step; each < next; each++) add(branch, each, rows);
    }
  }
  return {
    stepMs,
    steps: counts.map(({ ok, failed }, step) => ({
      at: start + step * stepMs,
      ok: Math.round(ok),
      failed: Math.round(failed),
    })),
    countedFrom,
    isEstimated: large.length > 0,
  };
}

/** Every part of an index that holds what matches, of each status: the index by time alone could not tell them apart. */
function branchesByStatus(database: Database, filter: AuditFilter): Branch[] {
  const statuses = filter.status === undefined ? distinctStatuses(database) : [filter.status];
  return statuses.flatMap((status) => {
    const scan = planAuditScan(database, { ...filter, status });
    return scan.branches.map((values) => ({ scan, values, isOk: status === "ok" }));
  });
}

function distinctStatuses(database: Database): string[] {
  const found: string[] = [];
  while (found.length < maxStatuses) {
    const last = found.at(-1);
    const row = database.get(
      `SELECT status FROM audit_events INDEXED BY audit_events_by_status WHERE status >= ? ORDER BY status LIMIT 1`,
      last === undefined ? "" : `${last}\0`,
    );
    if (row === undefined) break;
    found.push(String(row.status));
  }
  return found;
}

/** Where the first of the scans was broken off: before that, counts would tell only a part. */
function breakOf(branches: readonly Branch[]): number | null {
  const breaks = branches.flatMap(({ scan }) => scan.brokenOffAt === null ? [] : [scan.brokenOffAt.at]);
  return breaks.length === 0 ? null : Math.max(...breaks);
}

function firstTime(
  database: Database,
  branches: readonly Branch[],
  countedFrom: number | null,
): number | undefined {
  const times = branches.flatMap(({ scan, values }) => {
    const { sql, values: params } = branchStatement(scan, values, "at");
    const row = database.allComposed(`${sql} ORDER BY at LIMIT 1`, ...params)[0];
    return row === undefined ? [] : [Number(row.at)];
  });
  if (times.length === 0) return undefined;
  return Math.max(Math.min(...times), countedFrom ?? -Infinity);
}

/** The shortest step of {@link stepLengths}, or of many days, that needs no more than `maxSteps`. */
function stepLength(from: number, to: number, maxSteps: number): number {
  const fits = (step: number) => Math.ceil(to / step) - Math.floor(from / step) <= maxSteps;
  const longest = stepLengths[stepLengths.length - 1];
  return stepLengths.find(fits) ?? (Math.ceil((to - from) / longest / (maxSteps - 1)) + 1) * longest;
}

/** The number of a branch's rows in a time, no further than `limit`. */
function rowsWithin(
  database: Database,
  { scan, values }: Branch,
  from: number,
  to: number,
  limit: number,
): number {
  const { sql, values: params } = branchStatement(within(scan, from, to), values, "1");
  return Number(
    database.allComposed(`SELECT count(*) AS total FROM (${sql} LIMIT ?)`, ...params, limit)[0].total,
  );
}

function countExactly(
  database: Database,
  { scan, values }: Branch,
  { from, to, start, stepMs }: { from: number; to: number; start: number; stepMs: number },
  add: (step: number, rows: number) => void,
): void {
  const { sql, values: params } = branchStatement(within(scan, from, to), values, "at");
  const rows = database.allComposed(
    `SELECT CAST((at - ?) / ? AS INTEGER) AS step, count(*) AS total FROM (${sql}) GROUP BY 1`,
    start,
    stepMs,
    ...params,
  );
  for (const { step, total } of rows) add(Number(step), Number(total));
}

/** About how many rows a branch has in a time: the first rows of each of its `parts` tell how many there may be. */
function estimate(
  database: Database,
  { scan, values }: Branch,
  from: number,
  to: number,
  { parts, sample }: { parts: number; sample: number },
): number {
  const length = (to - from) / parts;
  let total = 0;
  for (let part = 0; part < parts; part++) {
    const begin = Math.round(from + part * length);
    const end = Math.round(from + (part + 1) * length);
    const { sql, values: params } = branchStatement(within(scan, begin, end), values, "at");
    const [row] = database.allComposed(
      `SELECT count(*) AS total, max(at) AS last FROM (${sql} ORDER BY at LIMIT ?)`,
      ...params,
      sample,
    );
    const found = Number(row.total);
    total += found < sample ? found : found * Math.max(1, (end - begin) / (Number(row.last) + 1 - begin));
  }
  return total;
}

/** The same scan, of the rows from `from` to before `to`. */
function within(scan: AuditScan, from: number, to: number): AuditScan {
  return {
    ...scan,
    before: { at: Math.min(to, scan.before.at), id: to < scan.before.at ? 0 : scan.before.id },
    notBefore: {
      at: Math.max(from, scan.notBefore.at),
      id: from > scan.notBefore.at ? 0 : scan.notBefore.id,
    },
  };
}
