import { resolve } from "node:path";
import { copyDatabase } from "../store/backup.ts";
import { DatabaseError } from "../store/database.ts";
import { CommandError, defineCommand, exitCode } from "./command.ts";
import { configFlag, loadConfigFlag } from "./config_flag.ts";

/** `backup`: copies the database into a new file, also beside a running server, and prints what was written. */
export const backupCommand = defineCommand({
  flags: {
    to: { value: "FILE", summary: "The new file; an existing one is never replaced", required: true },
    config: configFlag,
  },
  async run(flags, io) {
    const { config } = await loadConfigFlag(flags.config, io);
    try {
      const { bytes, schema } = await copyDatabase(config.db.sqlite.path, resolve(io.cwd, flags.to));
      io.stdout(`${flags.to}: ${bytes} bytes, schema version ${schema}`);
      return exitCode.ok;
    } catch (error) {
      if (error instanceof DatabaseError) throw new CommandError(error.message);
      throw error;
    }
  },
});
