import type { BenchCase, Targets } from "./cases.ts";
import type { SideResult } from "./load.ts";

/** What a case has measured. */
export interface CaseResult {
  readonly benchCase: Pick<BenchCase, "name" | "title" | "targets">;
  /** Missing when the upstream knows no such thing. */
  readonly direct?: SideResult;
  readonly endpoint: SideResult;
}

/** All that a run has measured. */
export interface RunResult {
  readonly cases: readonly CaseResult[];
  /** One request at a time. */
  readonly alone: readonly CaseResult[];
  /** The largest resident set that the program ever had, in bytes. */
  readonly peakResident: number;
}

const caseColumns = [
  "case",
  "direct/s",
  "endpoint/s",
  "ratio",
  "≥",
  "p50 ms",
  "p99 ms",
  "CPU µs",
  "≤",
  "upstream CPU µs",
  "RSS MiB",
  "errors",
];
const aloneColumns = ["alone on the machine", "direct p50 ms", "endpoint p50 ms", "added ms", "≤"];

const mebibyte = 1 << 20;
const residentTargetMebibytes = 200;
const addedLatencyTargetMs = 1;

/** The middle one of some figures. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Rate of the endpoint as a share of that of the upstream driven directly: the middle one of the shares of the rounds,
 * each of which measured both one right after the other.
 */
export function ratioOf({ direct, endpoint }: CaseResult): number | undefined {
  return direct && median(endpoint.rates.map((rate, round) => rate / direct.rates[round]));
}

/** The run as Markdown; figures that miss their target are bold. */
export function formatReport({ cases, alone, peakResident }: RunResult): string {
  const peak = mark(toMebibytes(peakResident), residentTargetMebibytes, "most");
  const disturbance = 100 * median(cases.map(({ endpoint }) => endpoint.disturbance));
  return [
    table(caseColumns, cases.map(caseRow)),
    "p50, p99 and the upstream's processor time are those of direct → endpoint. CPU µs is the program's processor time for",
    "a request, user and system, all threads.",
    "",
    table(aloneColumns, alone.map(aloneRow)),
    `Resident set of the program at its peak: ${peak} MiB (≤ ${residentTargetMebibytes}).`,
    `Other processes took ${
      disturbance.toFixed(0)
    } % of the machine: rates mean nothing above a few per cent.`,
    "",
    ...failureLines([...cases, ...alone]),
  ].join("\n");
}

function failureLines(cases: readonly CaseResult[]): string[] {
  const lines = cases.flatMap(({ benchCase, direct, endpoint }) =>
    [direct, endpoint].flatMap((result) =>
      result === undefined || result.failures === 0
        ? []
        : [`- ${benchCase.title}, ${result.side}: ${result.failures}, such as: ${result.messages[0]}`]
    )
  );
  return lines.length === 0 ? ["No request failed."] : ["Requests failed:", ...lines];
}

function caseRow(result: CaseResult): string[] {
  const { benchCase: { title, targets }, direct, endpoint } = result;
  return [
    title,
    direct === undefined ? "–" : rate(direct),
    rate(endpoint),
    ...ratioCells(ratioOf(result), targets),
    pair(direct?.p50, endpoint.p50, 2),
    pair(direct?.p99, endpoint.p99, 1),
    mark(Math.round(endpoint.processor.program), targets.processorMicroseconds, "most"),
    String(targets.processorMicroseconds ?? ""),
    pair(direct?.processor.upstream, endpoint.processor.upstream, 0),
    String(toMebibytes(endpoint.resident)),
    String(endpoint.failures + (direct?.failures ?? 0)),
  ];
}

function ratioCells(ratio: number | undefined, { ratio: target }: Targets): string[] {
  if (ratio === undefined) return ["–", ""];
  return [mark(Number(ratio.toFixed(2)), target, "least"), target?.toFixed(2) ?? ""];
}

function aloneRow({ benchCase, direct, endpoint }: CaseResult): string[] {
  const added = endpoint.p50 - (direct?.p50 ?? 0);
  return [
    benchCase.title,
    direct?.p50.toFixed(2) ?? "–",
    endpoint.p50.toFixed(2),
    mark(Number(added.toFixed(2)), addedLatencyTargetMs, "most"),
    addedLatencyTargetMs.toFixed(2),
  ];
}

/** A figure, in bold when it misses its target. */
function mark(value: number, target: number | undefined, bound: "least" | "most"): string {
  const missed = target !== undefined && (bound === "least" ? value < target : value > target);
  return missed ? `**${value}**` : String(value);
}

function rate({ rates }: SideResult): string {
  const value = median(rates);
  return value.toFixed(value < 100 ? 1 : 0);
}

function pair(direct: number | undefined, endpoint: number, digits: number): string {
  return `${direct?.toFixed(digits) ?? "–"} → ${endpoint.toFixed(digits)}`;
}

function toMebibytes(bytes: number): number {
  return Math.round(bytes / mebibyte);
}

function table(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const rule = line(header.map((_, index) => index === 0 ? "---" : "---:"));
  return `${[line(header), rule, ...rows.map(line)].join("\n")}\n`;
}
