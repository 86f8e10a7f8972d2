import assert from "node:assert/strict";
import { join } from "node:path";
import { runCommand } from "../support/command_line.ts";
import { json } from "../support/http_client.ts";
import { startProgram, withProgram } from "../support/program.ts";

Deno.test("a backup beside a running server is all that another one needs", async () => {
  const elsewhere = await Deno.makeTempDir({ prefix: "restored-" });
  try {
    await withProgram({}, async (program) => {
      const client = await program.signedIn();
      const add = (username: string) =>
        client.post("/api/admin/users", {
          json: { username, password: "a password of some length", role: "user" },
        });
      await json(add("before"), 201);
      // Writing goes on: every one is either in the backup or after it.
      const writing = Promise.all(["w1", "w2", "w3"].map((name) => json(add(name), 201)));
      const config = join(program.directory, "config.yaml");
      const to = join(elsewhere, "service.db");
      const backup = () => runCommand(["backup", "--config", config, "--to", to], { cwd: program.directory });
      const { code, stdout, stderr } = await backup();
      await writing;
      assert.deepEqual([code, stderr], [0, []]);
      const { size, mode } = await Deno.stat(to);
      assert.match(stdout.join("\n"), new RegExp(`service\\.db: ${size} bytes, schema version \\d+$`));
      assert.equal((mode ?? 0) & 0o777, 0o600);

      const again = await backup();
      assert.deepEqual([again.code, again.stdout], [1, []]);
      assert.match(again.stderr.join("\n"), /service\.db exists; a backup replaces nothing/);
      assert.equal((await Deno.stat(to)).size, size);
      assert.deepEqual(Array.from(Deno.readDirSync(elsewhere), ({ name }) => name), ["service.db"]);
    });
    const restored = await startProgram({ directory: elsewhere });
    try {
      const users = (await json((await restored.signedIn()).get("/api/admin/users"))).users;
      const names = users.map(({ username }: { username: string }) => username);
      assert.ok(names.includes("admin") && names.includes("before"), names.join());
    } finally {
      await restored.stop();
    }
  } finally {
    await Deno.remove(elsewhere, { recursive: true });
  }
});

const faults: [name: string, prepare: (directory: string) => Promise<void>, expected: RegExp][] = [
  ["no database", async () => {}, /there is no database .*service\.db/],
  [
    "a file that is none",
    (directory) => Deno.writeTextFile(join(directory, "service.db"), "x".repeat(5000)),
    /service\.db cannot be copied to .*: file is not a database/,
  ],
  [
    "a folder that is not there",
    (directory) => Deno.remove(join(directory, "backups")),
    /cannot be copied to .*backups/,
  ],
];

for (const [name, prepare, expected] of faults) {
  Deno.test(`a backup of ${name} fails and leaves nothing behind`, async () => {
    const directory = await Deno.makeTempDir({ prefix: "backup-" });
    try {
      const env = { SERVICE_SQLITE_PATH: join(directory, "service.db") };
      await Deno.mkdir(join(directory, "backups"));
      if (name.startsWith("a folder")) {
        await runCommand(["create-admin", "--username", "a", "--password", "correct horse battery"], {
          cwd: directory,
          env,
        });
      }
      await prepare(directory);
      const before = Array.from(Deno.readDirSync(directory), ({ name }) => name).sort();
      const { code, stdout, stderr } = await runCommand(["backup", "--to", "backups/b.db"], {
        cwd: directory,
        env,
      });
      assert.deepEqual([code, stdout], [1, []]);
      assert.match(stderr.join("\n"), expected);
      assert.deepEqual(Array.from(Deno.readDirSync(directory), ({ name }) => name).sort(), before);
      if (before.includes("backups")) assert.deepEqual([...Deno.readDirSync(join(directory, "backups"))], []);
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
}
