/** One broken rule of the configuration. */
export interface ConfigProblem {
  /** The key as a dotted path (`backends[1].id`), a variable without a key, or empty for the file as a whole. */
  readonly key: string;
  /** The offending value as it is shown; absent when there is none, or when it could be a secret. */
  readonly value?: string;
  /** What is wrong, as the end of a sentence: `is not one of debug, info, warn, error`. */
  readonly rule: string;
  /** The environment variable that overrides the key, when the fault is in its value. */
  readonly variable?: string;
  /** The configuration file, when the fault is in it. */
  readonly file?: string;
  /** Counted from 1, like `column`. */
  readonly line?: number;
  readonly column?: number;
}

/** The configuration cannot be used; `problems` holds every broken rule. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(formatProblem).join("\n"));
    this.problems = problems;
  }
}

/** One line: `config.yaml:12:5: log.level: "verbose" is not one of debug, info, warn, error`. */
export function formatProblem(problem: ConfigProblem): string {
  const position = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(
    ":",
  );
  const place = problem.variable ?? position;
  const statement = problem.value === undefined ? problem.rule : `${problem.value} ${problem.rule}`;
  return [place, problem.key, statement].filter((part) => part !== "").join(": ");
}

/** A path from the root of the configuration: keys of mappings, indexes of lists. */
export type KeyPath = readonly (string | number)[];

/** A broken rule before it is known where the value came from. */
export interface Finding {
  readonly path: KeyPath;
  readonly value?: string;
  readonly rule: string;
}

/** `["backends", 1, "id"]` → `backends[1].id`. */
export function formatPath(path: KeyPath): string {
  return path.map((part) => typeof part === "number" ? `[${part}]` : `.${part}`).join("").replace(/^\./, "");
}

/** A value as an error shows it: short, on one line, and lists and mappings by their kind alone. */
export function formatValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a mapping";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
