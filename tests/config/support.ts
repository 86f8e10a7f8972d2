import assert from "node:assert/strict";
import { loadConfig, type LoadedConfig } from "../../src/config/load.ts";
import { ConfigError, formatProblem } from "../../src/config/problem.ts";

/** Variables by name. */
export type Variables = Readonly<Record<string, string>>;

/** Loads a configuration from `yaml`, which errors call `c.yaml`; without one, from the defaults and the variables. */
export function load(yaml: string | undefined, variables: Variables = {}): Promise<LoadedConfig> {
  return loadConfig({
    path: yaml === undefined ? undefined : "c.yaml",
    env: { get: (name) => variables[name] },
    readTextFile: () => Promise.resolve(yaml ?? ""),
  });
}

/** The lines an operator sees for a configuration that must be refused. */
export async function problemsOf(yaml: string | undefined, variables: Variables = {}): Promise<string[]> {
  try {
    await load(yaml, variables);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.problems.map(formatProblem);
  }
  assert.fail(`accepted:\n${yaml}`);
}
