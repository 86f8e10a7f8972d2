import assert from "node:assert/strict";
import { join } from "node:path";
import { Database, DatabaseError } from "../../src/store/database.ts";
import { migrations } from "../../src/store/migrations/list.ts";

async function withDirectory(work: (directory: string) => void | Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir();
  try {
    await work(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const version = (database: Database) => Number(database.get("PRAGMA user_version")?.user_version);

Deno.test("a new database gets every migration, in WAL mode with foreign keys", () =>
  withDirectory((directory) => {
    const database = new Database(join(directory, "new.db"));
    assert.equal(version(database), migrations.length);
    assert.equal(database.get("PRAGMA journal_mode")?.journal_mode, "wal");
    assert.equal(database.get("PRAGMA foreign_keys")?.foreign_keys, 1);
    database.close();
  }));

Deno.test("migrations run once, in order, and one that fails leaves nothing of itself", () =>
  withDirectory((directory) => {
    const path = join(directory, "grow.db");
    const first = { name: "0001_a", sql: "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1);" };
    const broken = {
      name: "0002_b",
      sql: "CREATE TABLE b (x INTEGER) STRICT; INSERT INTO missing VALUES (1);",
    };
    const second = { name: "0002_b", sql: "CREATE TABLE b (x INTEGER) STRICT;" };
    new Database(path, [first]).close();
    assert.throws(() => new Database(path, [first, broken]));
    const database = new Database(path, [first, second]);
    assert.equal(version(database), 2);
    assert.equal(database.all("SELECT x FROM a").length, 1);
    database.close();
  }));

Deno.test("a database newer than the program is refused and not changed", () =>
  withDirectory((directory) => {
    const path = join(directory, "newer.db");
    const migration = { name: "0001_a", sql: "CREATE TABLE a (x INTEGER) STRICT;" };
    new Database(path, [migration, { name: "0002_b", sql: "CREATE TABLE b (x INTEGER) STRICT;" }]).close();
    assert.throws(() => new Database(path, [migration]), (error: Error) => {
      assert.ok(error instanceof DatabaseError);
      assert.match(error.message, /version 2.*up to 1/);
      return true;
    });
  }));

Deno.test("a transaction that throws leaves nothing behind", () =>
  withDirectory((directory) => {
    const schema = [{ name: "0001_a", sql: "CREATE TABLE a (x INTEGER) STRICT;" }];
    const database = new Database(join(directory, "rollback.db"), schema);
    assert.throws(() =>
      database.transaction(() => {
        database.run("INSERT INTO a VALUES (1)");
        throw new Error("no");
      })
    );
    assert.equal(database.all("SELECT * FROM a").length, 0);
    database.close();
  }));

Deno.test("a file that is no database, or in no folder, is named in the error", () =>
  withDirectory(async (directory) => {
    const path = join(directory, "text.db");
    await Deno.writeTextFile(
      path,
      "this is not a database file, only some text of sufficient length\n".repeat(40),
    );
    for (const bad of [path, join(directory, "missing", "x.db")]) {
      assert.throws(() => new Database(bad), (error: Error) => {
        assert.ok(error instanceof DatabaseError);
        assert.ok(error.message.includes(bad));
        return true;
      });
    }
  }));

Deno.test("a new database and the files beside it can be read by their owner only", () =>
  withDirectory((directory) => {
    const path = join(directory, "private.db");
    const database = new Database(path);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      assert.equal((Deno.statSync(file).mode ?? 0) & 0o777, 0o600, file);
    }
    database.close();
  }));
