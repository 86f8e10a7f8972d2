import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { errorMessage } from "../error_message.ts";
import { DatabaseError } from "./database.ts";
import { createPrivately } from "./private_file.ts";

/** A copy of a database. */
export interface DatabaseCopy {
  readonly bytes: number;
  /** Version of its schema: what a program must know to open it. */
  readonly schema: number;
}

/**
 * Copies the database at `path` into the new file `target`, as it stands at one moment; a program that uses it meanwhile goes
 * on. The copy is checked and on disk before it gets its name, and only its owner can read it.
 *
 * Throws {@link DatabaseError} when there is no database, when `target` exists, and when the copy cannot be made; nothing is
 * left behind then.
 */
export async function copyDatabase(path: string, target: string): Promise<DatabaseCopy> {
  if (await exists(target)) throw new DatabaseError(`${target} exists; a backup replaces nothing`);
  const partial = `${target}.${randomUUID()}.partial`;
  try {
    vacuumInto(path, partial);
    const schema = inspect(partial);
    const { size: bytes } = await Deno.stat(partial);
    await sync(partial);
    // Takes the name, unless somebody else did so meanwhile.
    createPrivately(target);
    await rename(partial, target);
    await sync(dirname(target));
    return { bytes, schema };
  } catch (error) {
    await Deno.remove(partial).catch(() => {});
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`${path} cannot be copied to ${target}: ${errorMessage(error)}`);
  }
}

/** A write-ahead log cannot be read without the file of its index, which SQLite makes: so nothing is opened read-only here. */
function vacuumInto(path: string, partial: string): void {
  if (!isFile(path)) throw new DatabaseError(`there is no database ${path}`);
  // VACUUM fills a file that is there and empty, and leaves its mode as it is.
  createPrivately(partial);
  using source = new DatabaseSync(path, { timeout: 5_000 });
  source.prepare("VACUUM INTO ?").run(partial);
}

/** The version of a database's schema. Throws for one whose pages do not hold together. */
function inspect(path: string): number {
  using copy = new DatabaseSync(path, { readOnly: true });
  const { quick_check: verdict } = copy.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
  if (verdict !== "ok") throw new Error(`it is damaged: ${verdict}`);
  const { user_version: schema } = copy.prepare("PRAGMA user_version").get() as { user_version: number };
  return schema;
}

/** Moves a file over an empty one, which goes if that cannot be done. */
async function rename(from: string, to: string): Promise<void> {
  try {
    await Deno.rename(from, to);
  } catch (error) {
    await Deno.remove(to).catch(() => {});
    throw error;
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw new DatabaseError(`${path} cannot be written: ${errorMessage(error)}`);
  }
}

async function sync(path: string): Promise<void> {
  using file = await Deno.open(path);
  await file.sync();
}
