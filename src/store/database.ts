import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { migrations } from "./migrations/list.ts";
import type { Migration } from "./migrations/migration.ts";
import { createPrivately } from "./private_file.ts";

/** The database cannot be used: it cannot be opened, is newer than this program, or not a database. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

/** A row as SQLite returns it. Repositories turn it into a type of their own. */
export type Row = Record<string, null | number | bigint | string | Uint8Array>;

/** Statements of {@link Database.allComposed} that are kept. */
const maxComposed = 32;

/**
 * The one SQLite database. Write-ahead logging: a committed transaction outlives `kill -9`; readers never wait for the
 * writer. Statements are prepared once and kept.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Those used last come last. */
  readonly #composed = new Map<string, StatementSync>();

  /** Opens or creates the database at `path` and brings its schema up to date; throws {@link DatabaseError}. */
  constructor(readonly path: string, schema: readonly Migration[] = migrations) {
    this.#connection = open(path);
    this.#migrate(schema);
  }

  /** Every row of a query. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** Every row of a query whose text is one of very many: only the statements used last are kept. */
  allComposed(sql: string, ...values: SQLInputValue[]): Row[] {
    const statement = this.#composed.get(sql) ?? this.#connection.prepare(sql);
    this.#composed.delete(sql);
    this.#composed.set(sql, statement);
    const [oldest] = this.#composed.keys();
    if (this.#composed.size > maxComposed) this.#composed.delete(oldest);
    return statement.all(...values) as Row[];
  }

  /** The first row of a query, or `undefined`. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** Runs a statement and returns the number of rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Runs `work` in one transaction: all of it or, when it throws, none of it. Not for nested use. */
  transaction<T>(work: () => T): T {
    this.#connection.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  /** Size in bytes, without the write-ahead log. */
  size(): number {
    const row = this.get(
      "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
    );
    return Number(row?.bytes);
  }

  /**
   * Gives up to `pages` free pages at the end of the file back to the file system, as long as more than `spareShare` of
   * the file is free. Returns whether it gave any. Databases that were made without `auto_vacuum` keep them for rows to
   * come.
   */
  shrink(pages: number, spareShare: number): boolean {
    const row = this.get(
      `SELECT freelist_count AS free, page_count AS pages, auto_vacuum AS mode
       FROM pragma_freelist_count(), pragma_page_count(), pragma_auto_vacuum()`,
    );
    const isIncremental = Number(row?.mode) === 2;
    const free = Number(row?.free);
    if (!isIncremental || free <= spareShare * Number(row?.pages)) return false;
    this.#connection.exec(`PRAGMA incremental_vacuum(${pages})`);
    return true;
  }

  /** Closes the connection; the last one folds the write-ahead log into the file. */
  close(): void {
    this.#statements.clear();
    this.#composed.clear();
    this.#connection.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #migrate(schema: readonly Migration[]): void {
    const newest = schema.length;
    // The version is read inside the transaction: of two processes that start at once, one migrates and one waits.
    for (let done = false; !done;) {
      done = this.transaction(() => {
        const { user_version: current } = this.#connection.prepare("PRAGMA user_version").get() as {
          user_version: number;
        };
        if (current > newest) {
          throw new DatabaseError(
            `${this.path} has schema version ${current}, but this program knows only up to ${newest}: run the newer program`,
          );
        }
        if (current === newest) return true;
        this.#connection.exec(schema[current].sql);
        this.#connection.exec(`PRAGMA user_version = ${current + 1}`);
        return false;
      });
    }
  }
}

/** Makes a database that is not there yet, readable by its owner only; SQLite gives the files beside it the same mode. */
function createMissing(path: string): void {
  if (path === ":memory:") return;
  try {
    createPrivately(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

function open(path: string): DatabaseSync {
  try {
    createMissing(path);
    const connection = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5_000 });
    // The first setting is taken by an empty file only, before anything else is written to it.
    connection.exec(
      "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;",
    );
    return connection;
  } catch (error) {
    throw new DatabaseError(`the database ${path} cannot be opened: ${(error as Error).message}`);
  }
}
