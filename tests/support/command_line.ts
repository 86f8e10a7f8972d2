import { fileURLToPath } from "node:url";
import { startChild } from "./child.ts";

const mainModule = fileURLToPath(new URL("../../main.ts", import.meta.url));

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
  const inherited = Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("SERVICE_"));
  const child = startChild([Deno.execPath(), "run", "--quiet", "--allow-all", mainModule, ...args], {
    cwd: options.cwd,
    env: { ...Object.fromEntries(inherited), NO_COLOR: "1", ...options.env },
    clearEnv: true,
    stdin: options.stdin,
  });
  const { code } = await child.exited;
  // The runtime warns on the same stream of packages that it cannot set up.
  const stderr = child.stderr.filter((line) => !line.startsWith("Warning "));
  return { code, stdout: child.stdout, stderr };
}
