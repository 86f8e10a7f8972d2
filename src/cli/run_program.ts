import { nearest } from "../config/nearest.ts";
import { ConfigError, formatProblem } from "../config/problem.ts";
import { programName } from "../version.ts";
import { asksForHelp, parseFlags } from "./arguments.ts";
import { CommandError, type CommandIo, exitCode, UsageError } from "./command.ts";
import { type CommandEntry, commands } from "./commands.ts";
import { commandHelp, programHelp } from "./help.ts";

/**
 * Runs the command that `args`, the arguments after the program's name, begin with; without one, prints the help.
 * Resolves to the exit code; rejects only for a defect.
 */
export async function runProgram(args: readonly string[], io: CommandIo): Promise<number> {
  const [name = "help", ...rest] = args;
  try {
    if (name === "help" || name === "--help" || name === "-h") return await printHelp(rest, io);
    const entry = findCommand(name === "--version" ? "version" : name);
    if (asksForHelp(rest)) return await printHelp([entry.name], io);
    const command = await entry.load();
    return await command.run(parseFlags(command.flags, rest), io);
  } catch (error) {
    return reportError(error, name, io);
  }
}

async function printHelp(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, stray] = args;
  if (stray !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(stray)}`);
  const entry = name === undefined ? undefined : findCommand(name);
  const lines = entry === undefined ? programHelp(commands) : commandHelp(entry, (await entry.load()).flags);
  lines.forEach(io.stdout);
  return exitCode.ok;
}

function findCommand(name: string): CommandEntry {
  const entry = commands.find((candidate) => candidate.name === name);
  if (entry !== undefined) return entry;
  const meant = nearest(name, commands.map((candidate) => candidate.name));
  const suggestion = meant === null ? "" : `; did you mean ${meant}?`;
  throw new UsageError(`unknown command ${JSON.stringify(name)}${suggestion}`);
}

/** Tells the operator what to put right. An error that is neither theirs nor foreseen goes on to the runtime. */
function reportError(error: unknown, name: string, io: CommandIo): number {
  if (error instanceof UsageError) {
    const known = commands.some((command) => command.name === name);
    const prefix = known ? `${programName} ${name}` : programName;
    io.stderr(`${prefix}: ${error.message} (see "${prefix} --help")`);
    return exitCode.usage;
  }
  if (error instanceof ConfigError) {
    error.problems.map(formatProblem).forEach(io.stderr);
    return exitCode.failure;
  }
  if (error instanceof CommandError) {
    io.stderr(`${programName} ${name}: ${error.message}`);
    return exitCode.failure;
  }
  throw error;
}
