import { startChild } from "./child.ts";
import { inheritedEnv, programCommand } from "./program.ts";

/** What {@link runCommand} takes besides the arguments. */
export interface CommandOptions {
  readonly cwd?: string;
  /** Added to the environment of the tests, from which the `SERVICE_*` variables are removed. */
  readonly env?: Record<string, string>;
  readonly stdin?: string;
}

/** What a command left behind: its exit code and the lines it wrote. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** Runs the program with `args`, as a user does, to its end. */
export async function runCommand(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = startChild([...programCommand(), ...args], {
    cwd: options.cwd,
    env: { ...inheritedEnv(), NO_COLOR: "1", ...options.env },
    clearEnv: true,
    stdin: options.stdin,
  });
  const { code } = await child.exited;
  return { code, stdout: child.stdout, stderr: child.stderr };
}
