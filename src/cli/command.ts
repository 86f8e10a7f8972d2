import type { Environment } from "../config/environment.ts";

/** Process exit codes. */
export const exitCode = {
  /** The command did its work. */
  ok: 0,
  /** The configuration, or what the command needs to start, is at fault. */
  failure: 1,
  /** The command line is at fault. */
  usage: 2,
} as const;

/** A flag of a command, written `--name` or, when it takes a value, `--name VALUE` or `--name=VALUE`. */
export interface Flag {
  /** What the value is, as help shows it: `FILE`. A flag without it takes no value. */
  readonly value?: string;
  /** What the flag does, as help shows it: a sentence without its full stop, with the default where there is one. */
  readonly summary: string;
  /** Whether the command cannot run without it; only for flags that take a value. */
  readonly required?: boolean;
}

/** The flags of a command by their names, without the leading hyphens. */
export type Flags = Readonly<Record<string, Flag>>;

/** What the command line says: the text of a flag that takes a value, and whether another one is there. */
export type FlagValues<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends { readonly value: string }
    ? F[Name] extends { readonly required: true } ? string : string | undefined
    : boolean;
};

/** The outer world of a command. */
export interface CommandIo {
  readonly stdin: ReadableStream<Uint8Array>;
  /** Writes one line; the line break is added. */
  readonly stdout: (line: string) => void;
  /** Writes one line; the line break is added. */
  readonly stderr: (line: string) => void;
  readonly env: Environment;
  /** The folder that relative paths on the command line start from. */
  readonly cwd: string;
}

/**
 * A command of the program. Its name and summary are in the table of `commands.ts`, so that help can be shown without
 * loading it.
 */
export interface Command<F extends Flags = Flags> {
  readonly flags: F;
  /**
   * Does the work and resolves to the exit code. Throws {@link UsageError} for a command line at fault (exit 2),
   * `ConfigError` or {@link CommandError} for what the operator can put right (exit 1); any other error is a defect.
   */
  run(flags: FlagValues<F>, io: CommandIo): Promise<number>;
}

/** Declares a command; `run` sees each flag under its name with its type. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}

/** The command line is at fault; the message says how, in one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command cannot do its work; the message tells the operator why, in one line. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
