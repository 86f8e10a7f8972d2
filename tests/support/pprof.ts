import assert from "node:assert/strict";
import { runChild } from "./child.ts";
import { requireExecutable } from "./executables.ts";
import { until } from "./poll.ts";
import type { Program } from "./program.ts";

/** What makes the program listen for profiling on a free loopback port. */
export const profilingEnv = { SERVICE_PPROF_LISTEN: ":0" };

/** URL of the folder of a program's profiles, with a slash at its end. */
export async function profilesUrl(program: Pick<Program, "logs">): Promise<string> {
  const { address } = await until(
    () => program.logs().find(({ msg }) => msg === "profiling listening"),
    { what: "the listener of profiles" },
  );
  return `${address}/debug/pprof/`;
}

/** Runs Go's pprof, as people do, and returns its exit code and what it wrote. */
export async function runPprof(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const directory = await Deno.makeTempDir({ prefix: "pprof-" });
  try {
    const command = [requireExecutable("go"), "tool", "pprof", ...args];
    return await runChild(command, { env: { PPROF_TMPDIR: directory } });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** What Go's pprof reports. Throws when it does not accept the profile. */
export async function pprofReport(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runPprof(...args);
  assert.equal(code, 0, stderr);
  return stdout;
}
