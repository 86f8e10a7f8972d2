import { initial } from "./0001_initial.ts";
import type { Migration } from "./migration.ts";

/** Every migration, in order: the schema version is the number of them that have run. */
export const migrations: readonly Migration[] = [initial];
