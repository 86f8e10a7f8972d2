/** Severity, least to most. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Facts of a log line. Never a secret, a cookie, a query value or a body. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

const severity: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Where log lines go and what they look like. */
export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: "json" | "text";
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Takes one line without its line break. */
  readonly write: (line: string) => void;
}

/** Writes one line an event, as JSON or as text for people. */
export class Logger {
  readonly #options: LoggerOptions;

  constructor(options: LoggerOptions) {
    this.#options = options;
  }

  debug(message: string, fields: LogFields = {}): void {
    this.#log("debug", message, fields);
  }

  info(message: string, fields: LogFields = {}): void {
    this.#log("info", message, fields);
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#log("warn", message, fields);
  }

  error(message: string, fields: LogFields = {}): void {
    this.#log("error", message, fields);
  }

  #log(level: LogLevel, msg: string, fields: LogFields): void {
    const { format, clock, write } = this.#options;
    if (severity[level] < severity[this.#options.level]) return;
    const time = new Date(clock()).toISOString();
    if (format === "json") return write(JSON.stringify({ time, level, msg, ...fields }));
    const pairs = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ` ${name}=${quoted(String(value))}`);
    write(`${time} ${level.toUpperCase().padEnd(5)} ${oneLine(msg)}${pairs.join("")}`);
  }
}

/** A value that could be taken for several, or break the line, is written as a JSON string. */
function quoted(value: string): string {
  return /^[\w.:/@%+,{}[\]-]+$/.test(value) ? value : JSON.stringify(value);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, " ");
}
