import assert from "node:assert/strict";
import { join } from "node:path";
import { runCommand } from "../support/command_line.ts";

/** A fresh folder, in which `config.yaml` is the only file. */
async function inFolder(yaml: string | Uint8Array, body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const bytes = typeof yaml === "string" ? new TextEncoder().encode(yaml) : yaml;
    await Deno.writeFile(join(folder, "config.yaml"), bytes);
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function filesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

const valid = "server: {listen: '127.0.0.1:0', secret_key_file: root.key}\ndb: {sqlite: {path: made.db}}\n";

Deno.test("check-config accepts a valid file, exits 0 and makes nothing", async () => {
  await inFolder(valid, async (folder) => {
    const result = await runCommand(["check-config", "--config", "config.yaml"], { cwd: folder });
    assert.deepEqual(result, { code: 0, stdout: ["config.yaml is valid"], stderr: [] });
    assert.deepEqual(filesIn(folder), ["config.yaml"]);
  });
});

Deno.test("check-config takes a path from anywhere, and the environment before the file", async () => {
  await inFolder(valid, async (folder) => {
    const path = join(folder, "config.yaml");
    const { code, stderr } = await runCommand(["check-config", `--config=${path}`], {
      env: { SERVICE_LOG_LEVEL: "loud" },
    });
    assert.equal(code, 1);
    assert.deepEqual(stderr, ['SERVICE_LOG_LEVEL: log.level: "loud" is not one of debug, info, warn, error']);
  });
});

Deno.test("check-config without a file checks the defaults and warns on stderr", async () => {
  await inFolder(valid, async (folder) => {
    const { code, stdout, stderr } = await runCommand(["check-config"], { cwd: folder });
    assert.equal(code, 0);
    assert.deepEqual(stdout, ["the default configuration is valid"]);
    assert.equal(stderr.length, 2);
    for (const line of stderr) assert.match(line, /^warning: /);
    assert.deepEqual(filesIn(folder), ["config.yaml"]);
  });
});

const broken = `${valid}log: {level: loud, format: xml}
backends:
  - {id: a, type: s3v4, endpoint: "http://127.0.0.1:9", access_key_env: NOT_SET, secret_key_env: hunter2secret}
`;

for (const command of ["check-config", "serve", "create-admin"]) {
  const args = command === "create-admin" ? ["--username", "root", "--password", "a long password"] : [];

  Deno.test(`${command} refuses a broken configuration with every fault, exits 1 and makes nothing`, async () => {
    await inFolder(broken, async (folder) => {
      const result = await runCommand([command, ...args, "--config", "config.yaml"], { cwd: folder });
      assert.deepEqual(result, {
        code: 1,
        stdout: [],
        stderr: [
          'config.yaml:3:7: log.level: "loud" is not one of debug, info, warn, error',
          'config.yaml:3:20: log.format: "xml" is not one of json, text',
          'config.yaml:5:57: backends[0].access_key_env: "NOT_SET" names an environment variable that is not set',
          "config.yaml:5:82: backends[0].secret_key_env: names an environment variable that is not set",
        ],
      });
      assert.deepEqual(filesIn(folder), ["config.yaml"]);
    });
  });
}

const unreadable: [name: string, content: string | Uint8Array, path: string, problem: RegExp][] = [
  ["malformed YAML", "server:\n  listen: [\n", "config.yaml", /^config\.yaml:\d+:\d+: \S/],
  ["binary data", Uint8Array.of(0, 255, 254, 1), "config.yaml", /^config\.yaml:1:1: /],
  ["a missing file", "", "missing.yaml", /^missing\.yaml: does not exist$/],
  ["a folder", "", ".", /^\.: cannot be read: /],
];

for (const [name, content, path, problem] of unreadable) {
  Deno.test(`check-config on ${name} exits 1 with one line`, async () => {
    await inFolder(content, async (folder) => {
      const { code, stdout, stderr } = await runCommand(["check-config", "--config", path], { cwd: folder });
      assert.equal(code, 1);
      assert.deepEqual(stdout, []);
      assert.match(stderr[0], problem);
      assert.deepEqual(filesIn(folder), ["config.yaml"]);
    });
  });
}

for (const args of [["--config"], ["--confg", "x"], ["config.yaml"], ["--config", "a", "--config", "b"]]) {
  Deno.test(`check-config ${args.join(" ")} is a usage error`, async () => {
    const { code, stdout, stderr } = await runCommand(["check-config", ...args]);
    assert.equal(code, 2);
    assert.deepEqual(stdout, []);
    assert.equal(stderr.length, 1);
    assert.match(stderr[0], /^storage-dashboard check-config: /);
  });
}
