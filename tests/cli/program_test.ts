import assert from "node:assert/strict";
import { runCommand } from "../support/command_line.ts";

const commands = [
  "serve",
  "quickstart",
  "create-admin",
  "backup",
  "hash-password",
  "check-config",
  "version",
];

for (const args of [[], ["help"], ["--help"], ["-h"]]) {
  Deno.test(`${["storage-dashboard", ...args].join(" ")} lists the commands`, async () => {
    const { code, stdout, stderr } = await runCommand(args);
    assert.equal(code, 0);
    assert.deepEqual(stderr, []);
    const listed = stdout.flatMap((line) => /^ {2}([a-z-]+) {2,}\S/.exec(line)?.[1] ?? []);
    assert.deepEqual(listed, commands);
  });
}

const flagsOf: [command: string, flags: string[]][] = [
  ["serve", ["--config FILE"]],
  ["quickstart", [
    "--data-dir",
    "--listen",
    "--proxy-listen",
    "--upstream",
    "--admin-username",
    "--admin-password",
  ]],
  ["create-admin", [
    "--username",
    "--password",
    "--password-stdin",
    "--email",
    "--must-change-password",
    "--config FILE",
  ]],
  ["backup", ["--to FILE", "--config FILE"]],
  ["hash-password", ["--password PASSWORD", "--password-stdin"]],
  ["check-config", ["--config FILE"]],
  ["version", []],
];

for (const [command, flags] of flagsOf) {
  Deno.test(`${command} --help lists the flags of the command`, async () => {
    const { code, stdout, stderr } = await runCommand([command, "--help"]);
    assert.equal(code, 0);
    assert.deepEqual(stderr, []);
    assert.ok(stdout.some((line) => line.startsWith(`Usage: storage-dashboard ${command}`)));
    for (const flag of flags) {
      assert.ok(stdout.some((line) => line.startsWith(`  ${flag}`)), `${flag} in\n${stdout.join("\n")}`);
    }
    assert.deepEqual(await runCommand(["help", command]), { code, stdout, stderr });
  });
}

for (const args of [["version"], ["--version"]]) {
  Deno.test(`${args[0]} prints the version of deno.json`, async () => {
    const project = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
    assert.deepEqual(await runCommand(args), {
      code: 0,
      stdout: [`storage-dashboard ${project.version}`],
      stderr: [],
    });
  });
}

const usageErrors: [args: string[], message: string][] = [
  [
    ["serv"],
    'storage-dashboard: unknown command "serv"; did you mean serve? (see "storage-dashboard --help")',
  ],
  [["zzzzzz"], 'storage-dashboard: unknown command "zzzzzz" (see "storage-dashboard --help")'],
  [["--config", "x"], 'storage-dashboard: unknown command "--config" (see "storage-dashboard --help")'],
  [
    ["help", "serv"],
    'storage-dashboard: unknown command "serv"; did you mean serve? (see "storage-dashboard --help")',
  ],
  [["help", "serve", "x"], 'storage-dashboard: unexpected argument "x" (see "storage-dashboard --help")'],
  [
    ["version", "x"],
    'storage-dashboard version: unexpected argument "x" (see "storage-dashboard version --help")',
  ],
  [
    ["version", "--verbose"],
    'storage-dashboard version: unknown flag --verbose (see "storage-dashboard version --help")',
  ],
  [
    ["serve", "--confg", "x"],
    'storage-dashboard serve: unknown flag --confg; did you mean --config? (see "storage-dashboard serve --help")',
  ],
  [
    ["create-admin", "--password", "x"],
    'storage-dashboard create-admin: --username is required (see "storage-dashboard create-admin --help")',
  ],
];

for (const [args, message] of usageErrors) {
  Deno.test(`${args.join(" ")} is a usage error`, async () => {
    assert.deepEqual(await runCommand(args), { code: 2, stdout: [], stderr: [message] });
  });
}
