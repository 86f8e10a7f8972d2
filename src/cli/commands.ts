import type { Command } from "./command.ts";

/** A command as help lists it. */
export interface CommandEntry {
  readonly name: string;
  /** What the command does: a sentence without its full stop. */
  readonly summary: string;
  /** Loads the command, and with it only the modules that it needs. */
  load(): Promise<Command>;
}

/** Every command of the program, in the order of its help. */
export const commands: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Run the dashboard, and the S3 endpoint when it is enabled",
    load: async () => (await import("./serve.ts")).serveCommand,
  },
  {
    name: "quickstart",
    summary: "Try the program: an S3 server with sample data, an administrator, the dashboard",
    load: async () => (await import("./quickstart.ts")).quickstartCommand,
  },
  {
    name: "create-admin",
    summary: "Add an administrator to the database, also beside a running server",
    load: async () => (await import("./create_admin.ts")).createAdminCommand,
  },
  {
    name: "backup",
    summary: "Copy the database into a new file, also beside a running server",
    load: async () => (await import("./backup.ts")).backupCommand,
  },
  {
    name: "hash-password",
    summary: "Print the argon2id hash of a password, for the static account",
    load: async () => (await import("./hash_password.ts")).hashPasswordCommand,
  },
  {
    name: "check-config",
    summary: "Check a configuration and change nothing",
    load: async () => (await import("./check_config.ts")).checkConfigCommand,
  },
  {
    name: "version",
    summary: "Print the version",
    load: async () => (await import("./version.ts")).versionCommand,
  },
];
