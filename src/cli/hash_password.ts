import { hashPassword } from "../auth/passwords.ts";
import { defineCommand, exitCode } from "./command.ts";
import { passwordFlags, readPassword } from "./password_flags.ts";

/** Prints the PHC string `$argon2id$…` of a password, as `auth.static.password_hash_env` expects it. */
export const hashPasswordCommand = defineCommand({
  flags: passwordFlags,
  async run(flags, io) {
    io.stdout(await hashPassword(await readPassword(flags, io)));
    return exitCode.ok;
  },
});
