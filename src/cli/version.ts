import { programName, version } from "../version.ts";
import { defineCommand, exitCode } from "./command.ts";

/** Prints name and version on one line. */
export const versionCommand = defineCommand({
  flags: {},
  run(_flags, io) {
    io.stdout(`${programName} ${version}`);
    return Promise.resolve(exitCode.ok);
  },
});
