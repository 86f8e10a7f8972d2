import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { UserDirectory } from "../../src/auth/user_directory.ts";
import { Logger } from "../../src/logging/logger.ts";
import { MergedCredentials } from "../../src/proxy/credentials/merged.ts";
import { SqliteCredentials } from "../../src/proxy/credentials/sqlite.ts";
import { Sealer } from "../../src/secrets/seal.ts";
import { Database } from "../../src/store/database.ts";
import { deleteUser, insertUser } from "../../src/store/users_repository.ts";
import type { CredentialRecord } from "../../src/store/virtual_credentials_repository.ts";

const secretKey = "a-secret-key-that-nobody-may-ever-read-0";

const ownerless: CredentialRecord = {
  accessKeyId: "AKIAAAAAAAAAAAAAAAAA",
  backendId: "main",
  buckets: ["photos", "films"],
  prefix: "team/",
  readOnly: false,
  description: "for the team",
  enabled: true,
  expiresAt: 4_000_000_000_000,
  userId: null,
  createdAt: 1,
  createdBy: "admin-id",
  updatedAt: 1,
  rotatedAt: null,
};

const owned: CredentialRecord = {
  ...ownerless,
  accessKeyId: "AKIABBBBBBBBBBBBBBBB",
  prefix: "",
  expiresAt: null,
  userId: "owner-id",
};

interface Fixture {
  readonly path: string;
  readonly database: Database;
  readonly users: UserDirectory;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly log: string[];
  /** Reads the database as a program that starts does. */
  load(sealer?: Sealer | null): SqliteCredentials;
}

async function withStore(body: (fixture: Fixture) => void): Promise<void> {
  const directory = await Deno.makeTempDir();
  const path = join(directory, "service.db");
  const database = new Database(path);
  try {
    insertUser(database, {
      id: "owner-id",
      username: "owner",
      email: null,
      role: "user",
      identitySource: "local",
      passwordHash: null,
      enabled: true,
      mustChangePassword: false,
      createdAt: 0,
      lastLoginAt: null,
      emailVouched: false,
    });
    const log: string[] = [];
    const logger = new Logger({
      level: "debug",
      format: "json",
      clock: () => 0,
      write: (line) => log.push(line),
    });
    const users = new UserDirectory(database);
    const sealer = new Sealer(randomBytes(32));
    const load = (opener: Sealer | null = sealer) =>
      new SqliteCredentials({ database, users, sealer: opener, logger });
    body({ path, database, users, sealer, logger, log, load });
  } finally {
    database.close();
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("a credential comes back from the database as it was stored, its secret sealed there", () =>
  withStore(({ path, log, load }) => {
    load().insert(ownerless, secretKey);
    const stored = load();
    assert.deepEqual(stored.findRecord(ownerless.accessKeyId), ownerless);
    assert.deepEqual(stored.find(ownerless.accessKeyId), {
      accessKeyId: ownerless.accessKeyId,
      secretKey,
      buckets: new Map([["photos", "main"], ["films", "main"]]),
      prefix: "team/",
      readOnly: false,
      enabled: true,
      expiresAt: 4_000_000_000_000,
      userId: "",
      createdAt: 1,
      source: "sqlite",
    });
    assert.equal(stored.find("AKIAUNKNOWNUNKNOWNXX"), undefined);
    for (const file of [path, `${path}-wal`]) {
      const bytes = new TextDecoder("latin1").decode(Deno.readFileSync(file));
      assert.ok(!bytes.includes(secretKey), `${file} holds the secret`);
    }
    assert.deepEqual(log, []);
  }));

Deno.test("the same object is found until something about it changes", () =>
  withStore(({ users, load }) => {
    const stored = load();
    stored.insert(owned, secretKey);
    const first = stored.find(owned.accessKeyId);
    assert.equal(stored.find(owned.accessKeyId), first);
    users.update("owner-id", { enabled: false });
    const disabled = stored.find(owned.accessKeyId);
    assert.equal(disabled?.enabled, false);
    assert.equal(stored.find(owned.accessKeyId), disabled);
    users.update("owner-id", { enabled: true });
    assert.deepEqual(stored.find(owned.accessKeyId), first);
  }));

Deno.test("a credential allows no more than its owner's role, and goes with its owner", () =>
  withStore(({ database, users, load }) => {
    const stored = load();
    stored.insert(owned, secretKey);
    stored.insert(ownerless, secretKey);
    assert.equal(stored.find(owned.accessKeyId)?.readOnly, false);
    users.update("owner-id", { role: "readonly" });
    assert.equal(stored.find(owned.accessKeyId)?.readOnly, true);
    users.update("owner-id", { role: "admin" });
    assert.equal(stored.find(owned.accessKeyId)?.readOnly, false);
    deleteUser(database, "owner-id");
    users.forget("owner-id");
    assert.equal(stored.find(owned.accessKeyId), undefined);
    assert.deepEqual(stored.records(), [ownerless]);
    assert.deepEqual(load().records(), [ownerless]);
  }));

Deno.test("changes count at once and outlive the program", () =>
  withStore(({ load }) => {
    const stored = load();
    stored.insert(ownerless, secretKey);
    const changed = { ...ownerless, buckets: ["films"], readOnly: true, enabled: false, expiresAt: null };
    stored.update(changed);
    stored.replaceSecret({ ...changed, rotatedAt: 7 }, "another-secret");
    for (const source of [stored, load()]) {
      const found = source.find(ownerless.accessKeyId);
      assert.equal(found?.secretKey, "another-secret");
      assert.deepEqual([...found?.buckets ?? []], [["films", "main"]]);
      assert.equal(found?.readOnly, true);
      assert.equal(found?.enabled, false);
      assert.equal(found?.expiresAt, undefined);
    }
    stored.remove(ownerless.accessKeyId);
    for (const source of [stored, load()]) {
      assert.equal(source.find(ownerless.accessKeyId), undefined);
      assert.equal(source.size, 0);
    }
  }));

Deno.test("a secret that cannot be opened is passed over and warned of once; a new one makes it good again", () =>
  withStore(({ log, load }) => {
    const before = load();
    before.insert(ownerless, secretKey);
    before.insert(owned, secretKey);
    const otherSealer = new Sealer(randomBytes(32));
    const stored = load(otherSealer);
    for (let count = 0; count < 3; count++) assert.equal(stored.find(ownerless.accessKeyId), undefined);
    assert.equal(stored.size, 0);
    assert.equal(stored.records().length, 2);
    assert.equal(log.length, 2);
    assert.ok(log[0].includes(ownerless.accessKeyId) && log[0].includes('"warn"'), log[0]);
    assert.ok(!log.join().includes(secretKey));
    stored.update({ ...ownerless, description: "changed" });
    assert.equal(stored.find(ownerless.accessKeyId), undefined);
    stored.replaceSecret(ownerless, "new-secret");
    assert.equal(load(otherSealer).find(ownerless.accessKeyId)?.secretKey, "new-secret");
    assert.equal(load(null).size, 0);
  }));

Deno.test("a sealed secret that is copied to another row does not open there", () =>
  withStore(({ database, load }) => {
    const stored = load();
    stored.insert(ownerless, secretKey);
    stored.insert(owned, "the-other-secret");
    database.run(
      `UPDATE virtual_credentials SET secret_sealed =
         (SELECT secret_sealed FROM virtual_credentials WHERE access_key_id = ?) WHERE access_key_id = ?`,
      ownerless.accessKeyId,
      owned.accessKeyId,
    );
    assert.equal(load().find(owned.accessKeyId), undefined);
  }));

const binding = {
  backendId: "main",
  bucket: "photos",
  mode: "ReadOnly",
  perSourceIpRps: 2.5,
  createdAt: 1,
  createdBy: "admin-id",
} as const;

Deno.test("a binding opens its bucket, unless its mode is None; a bucket is open on one backend only", () =>
  withStore(({ load }) => {
    const stored = load();
    stored.upsertBinding(binding);
    const open = { backend: "main", bucket: "photos", perSourceIpRps: 2.5, source: "sqlite" };
    for (const source of [stored, load()]) {
      assert.deepEqual(source.findBinding("photos"), open);
      assert.equal(source.findBinding("Photos"), undefined);
    }
    assert.throws(() => stored.upsertBinding({ ...binding, backendId: "other" }), /UNIQUE/);
    assert.equal(stored.findBinding("photos")?.backend, "main");
    stored.upsertBinding({ ...binding, backendId: "other", mode: "None" });
    assert.equal(stored.findBinding("photos")?.backend, "main");
    stored.upsertBinding({ ...binding, mode: "None" });
    for (const source of [stored, load()]) {
      assert.equal(source.findBinding("photos"), undefined);
      assert.equal(source.bindingRecords().length, 2);
    }
    stored.upsertBinding({ ...binding, backendId: "other" });
    assert.equal(stored.removeBinding("main", "photos"), true);
    assert.equal(stored.removeBinding("main", "photos"), false);
    assert.equal(load().findBinding("photos")?.backend, "other");
    assert.equal(stored.removeBinding("other", "photos"), true);
    assert.equal(stored.findBinding("photos"), undefined);
  }));

Deno.test("of two sources the first counts; what it hides is warned of once", () =>
  withStore(({ load, logger, log }) => {
    const second = load();
    second.insert(ownerless, secretKey);
    second.insert(owned, secretKey);
    second.upsertBinding(binding);
    second.upsertBinding({ ...binding, bucket: "films" });
    const hidden = second.find(ownerless.accessKeyId);
    assert.ok(hidden);
    const winner = { ...hidden, secretKey: "other", source: "kubernetes" } as const;
    const only = { ...winner, accessKeyId: "AKIACCCCCCCCCCCCCCCC" };
    const open = { backend: "remote", bucket: "photos", perSourceIpRps: 0, source: "kubernetes" } as const;
    const held = new Map([winner, only].map((credential) => [credential.accessKeyId, credential]));
    const first = {
      find: (accessKeyId: string) => held.get(accessKeyId),
      findBinding: (bucket: string) => bucket === "photos" ? open : undefined,
      credentials: () => held.values(),
      bindings: () => [open],
      size: held.size,
    };
    const merged = new MergedCredentials(first, second, logger);
    assert.equal(merged.size, 3);
    assert.deepEqual(
      [...merged.credentials()].map(({ accessKeyId, source }) => [accessKeyId, source]),
      [[ownerless.accessKeyId, "kubernetes"], [only.accessKeyId, "kubernetes"], [
        owned.accessKeyId,
        "sqlite",
      ]],
    );
    assert.deepEqual([...merged.bindings()].map(({ bucket, backend }) => [bucket, backend]), [
      ["photos", "remote"],
      ["films", "main"],
    ]);
    for (let count = 0; count < 2; count++) {
      assert.equal(merged.find(ownerless.accessKeyId), winner);
      assert.equal(merged.find(only.accessKeyId), only);
      assert.equal(merged.find(owned.accessKeyId), second.find(owned.accessKeyId));
      assert.equal(merged.find("AKIANOBODYNOBODYNOBO"), undefined);
      assert.equal(merged.findBinding("photos"), open);
      assert.equal(merged.findBinding("films")?.backend, "main");
      assert.equal(merged.findBinding("none"), undefined);
    }
    const warnings = log.map((line) => JSON.parse(line));
    assert.deepEqual(warnings.map(({ level, kind, name, hidden_by }) => [level, kind, name, hidden_by]), [
      ["warn", "credential", ownerless.accessKeyId, "kubernetes"],
      ["warn", "anonymous binding", "photos", "kubernetes"],
    ]);
    held.delete(ownerless.accessKeyId);
    assert.equal(merged.find(ownerless.accessKeyId), hidden);
  }));
