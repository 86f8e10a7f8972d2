import { programName } from "../version.ts";
import type { Flags } from "./command.ts";
import type { CommandEntry } from "./commands.ts";

/** The help of the program, as lines. */
export function programHelp(commands: readonly CommandEntry[]): string[] {
  return [
    "Dashboard, HTTP API and S3 endpoint for object storage on S3-compatible backends.",
    "",
    `Usage: ${programName} <command> [flags]`,
    "",
    "Commands:",
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    "",
    `"${programName} <command> --help" lists the flags of a command.`,
    "Exit codes: 0 done, 1 configuration or start-up error, 2 usage error.",
  ];
}

/** The help of one command, as lines. */
export function commandHelp({ name, summary }: CommandEntry, flags: Flags): string[] {
  const rows = Object.entries(flags).map(([flag, { value, summary, required }]): [string, string] => [
    value === undefined ? `--${flag}` : `--${flag} ${value}`,
    required ? `${summary} (required)` : summary,
  ]);
  const usage = `Usage: ${programName} ${name}`;
  if (rows.length === 0) return [`${summary}.`, "", usage];
  return [`${summary}.`, "", `${usage} [flags]`, "", "Flags:", ...columns(rows)];
}

/** Two columns, indented, the second one aligned. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
