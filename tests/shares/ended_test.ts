import assert from "node:assert/strict";
import { join } from "node:path";
import { Database } from "../../src/store/database.ts";
import { migrations } from "../../src/store/migrations/list.ts";
import {
  countOpenShares,
  removeSharesEndedBefore,
  trimEndedShares,
} from "../../src/store/share_bounds_repository.ts";
import { findShare, insertShare, type NewShare, revokeShares } from "../../src/store/shares_repository.ts";

const now = Date.parse("2026-05-04T12:00:00Z");

async function withPath(work: (path: string) => void): Promise<void> {
  const directory = await Deno.makeTempDir();
  try {
    work(join(directory, "shares.db"));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const fields: NewShare = {
  kind: "object",
  code: "",
  backendId: "main",
  bucket: "files",
  key: "a.txt",
  keys: [],
  versionId: null,
  disposition: "attachment",
  note: "",
  passwordHash: null,
  maxDownloads: null,
  createdBy: "maria",
  createdAt: now - 1000,
  expiresAt: null,
  upload: null,
};

Deno.test("shares that have ended are forgotten, long ago or many; what they selected goes with them", () =>
  withPath((path) => {
    const database = new Database(path);
    const add = (settings: Partial<NewShare> = {}) =>
      insertShare(database, { ...fields, code: crypto.randomUUID(), ...settings }).id;
    const selectedKeys = () => Number(database.get("SELECT count(*) AS total FROM share_keys")?.total);
    const open = add();
    const selection = add({ kind: "selection", keys: ["a.txt", "b/"] });
    const expired = add({ kind: "selection", keys: ["a.txt"], expiresAt: now - 1 });
    const later = add({ expiresAt: now + 1 });
    const others = add({ createdBy: "paul", expiresAt: now - 1 });
    assert.deepEqual(countOpenShares(database, "maria", now), { shares: 3, keys: 3 });

    assert.equal(revokeShares(database, { id: selection }, now), 1);
    assert.equal(selectedKeys(), 1);
    assert.equal(findShare(database, selection)?.keyCount, 2);
    assert.deepEqual(countOpenShares(database, "maria", now), { shares: 2, keys: 1 });

    trimEndedShares(database, "maria", 1, now);
    const left = () =>
      [open, selection, expired, later, others].filter((id) => findShare(database, id) !== null);
    assert.deepEqual(left(), [open, expired, later, others]);
    removeSharesEndedBefore(database, now - 1);
    assert.deepEqual(left(), [open, expired, later, others]);
    removeSharesEndedBefore(database, now);
    assert.deepEqual(left(), [open, later]);
    assert.equal(selectedKeys(), 0);
    database.close();
  }));

Deno.test("links that were made before keep what they promised", () =>
  withPath((path) => {
    const older = new Database(path, migrations.slice(0, 15));
    for (const [id, kind, revoked] of [[1, "selection", null], [2, "selection", now], [3, "upload", null]]) {
      older.run(
        `INSERT INTO shares (id, code, kind, backend_id, bucket, key, disposition, created_by, created_at, revoked_at)
         VALUES (?, ?, ?, 'main', 'files', '', 'attachment', 'maria', 0, ?)`,
        id,
        `code ${id}`,
        kind,
        revoked,
      );
    }
    for (const id of [1, 2]) older.run("INSERT INTO share_keys (share_id, key) VALUES (?, 'a.txt')", id);
    older.close();
    const database = new Database(path);
    assert.deepEqual([1, 2].map((id) => findShare(database, id)?.keyCount), [1, 1]);
    assert.deepEqual(database.all("SELECT share_id FROM share_keys").map(({ share_id }) => share_id), [1]);
    assert.equal(findShare(database, 3)?.upload?.keepFolders, false);
    database.close();
  }));
