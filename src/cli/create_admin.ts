import { buildAccounts } from "../accounts.ts";
import { Problem } from "../problem.ts";
import { Database, DatabaseError } from "../store/database.ts";
import { emailField, usernameField } from "../users/fields.ts";
import { CommandError, defineCommand, exitCode, UsageError } from "./command.ts";
import { configFlag, loadConfigFlag } from "./config_flag.ts";
import { passwordFlags, readPassword } from "./password_flags.ts";

/** `create-admin`: adds an administrator and prints their id. */
export const createAdminCommand = defineCommand({
  flags: {
    username: { value: "NAME", summary: "User name of the new administrator", required: true },
    ...passwordFlags,
    email: { value: "ADDRESS", summary: "E-mail address" },
    "must-change-password": { summary: "Ask for a new password at the first sign-in" },
    config: configFlag,
  },
  async run(flags, io) {
    const username = usernameField.safeParse(flags.username);
    if (!username.success) throw new UsageError(`--username ${username.error.issues[0].message}`);
    const email = emailField.safeParse(flags.email ?? "");
    if (!email.success) throw new UsageError(`--email ${email.error.issues[0].message}`);
    const password = await readPassword(flags, io);
    const { config } = await loadConfigFlag(flags.config, io);
    let database: Database | undefined;
    try {
      database = new Database(config.db.sqlite.path);
      const { users } = buildAccounts(database, config.auth, Date.now);
      const user = await users.create({
        username: username.data,
        email: email.data,
        password,
        role: "admin",
        mustChangePassword: flags["must-change-password"],
      });
      io.stdout(user.id);
      return exitCode.ok;
    } catch (error) {
      if (error instanceof DatabaseError) throw new CommandError(error.message);
      if (error instanceof Problem) throw new CommandError(`${error.code}: ${error.message}`);
      throw error;
    } finally {
      database?.close();
    }
  },
});
