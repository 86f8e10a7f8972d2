import { defineCommand, exitCode } from "./command.ts";
import { configFlag, loadConfigFlag } from "./config_flag.ts";

/** Checks a configuration as `serve` would read it; touches no file, no database and no network. */
export const checkConfigCommand = defineCommand({
  flags: { config: configFlag },
  async run({ config: path }, io) {
    const { warnings } = await loadConfigFlag(path, io);
    for (const warning of warnings) io.stderr(`warning: ${warning}`);
    io.stdout(`${path ?? "the default configuration"} is valid`);
    return exitCode.ok;
  },
});
