import { resolve } from "node:path";
import { loadConfig, type LoadedConfig } from "../config/load.ts";
import type { CommandIo, Flag } from "./command.ts";

/** The flag that names the configuration file. */
export const configFlag = {
  value: "FILE",
  summary: "Configuration file; without it, the defaults and the SERVICE_* variables alone",
} as const satisfies Flag;

/** Loads the configuration as {@link configFlag} names it. Throws `ConfigError` with every broken rule. */
export function loadConfigFlag(path: string | undefined, { env, cwd }: CommandIo): Promise<LoadedConfig> {
  return loadConfig({ path, env, readTextFile: (name) => Deno.readTextFile(resolve(cwd, name)) });
}
