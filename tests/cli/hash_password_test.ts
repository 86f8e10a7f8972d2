import assert from "node:assert/strict";
import { verify } from "@node-rs/argon2";
import { runCommand } from "../support/command_line.ts";

const accepted: [name: string, args: string[], stdin: string | undefined, password: string][] = [
  ["--password", ["--password", "correct horse"], undefined, "correct horse"],
  ["--password=", ["--password=--correct"], undefined, "--correct"],
  ["standard input without a line break", ["--password-stdin"], "correct horse", "correct horse"],
  ["standard input with a line break", ["--password-stdin"], "correct horse\n", "correct horse"],
  ["standard input with CRLF", ["--password-stdin"], "correct horse\r\n", "correct horse"],
  ["the first line of several", ["--password-stdin"], "first\nsecond\n", "first"],
  ["spaces and other scripts", ["--password-stdin"], " пароль 密码 \n", " пароль 密码 "],
];

for (const [name, args, stdin, password] of accepted) {
  Deno.test(`hash-password hashes a password from ${name}`, async () => {
    const { code, stdout, stderr } = await runCommand(["hash-password", ...args], { stdin });
    assert.equal(code, 0);
    assert.deepEqual(stderr, []);
    assert.equal(stdout.length, 1);
    assert.match(stdout[0], /^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
    assert.equal(await verify(stdout[0], password), true);
    assert.equal(await verify(stdout[0], `${password}x`), false);
  });
}

Deno.test("the static account takes what hash-password prints", async () => {
  const { stdout: [hash] } = await runCommand(["hash-password", "--password", "correct horse"]);
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/c.yaml`;
    await Deno.writeTextFile(
      file,
      "auth: {modes: [static], static: {username: root, password_hash_env: ROOT_HASH}}",
    );
    const { code } = await runCommand(["check-config", "--config", file], { env: { ROOT_HASH: hash } });
    assert.equal(code, 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const eitherOr = "give the password with either --password or --password-stdin";
const refused: [name: string, args: string[], stdin: string | undefined, message: string][] = [
  ["neither flag", [], undefined, eitherOr],
  ["both flags", ["--password", "x", "--password-stdin"], "x", eitherOr],
  ["an empty argument", ["--password", ""], undefined, "--password needs a value: --password PASSWORD"],
  ["empty standard input", ["--password-stdin"], "", "the password is empty"],
  ["an empty first line", ["--password-stdin"], "\nsecond\n", "the password is empty"],
  [
    "an endless line",
    ["--password-stdin"],
    "x".repeat(1_000_000),
    "the password is longer than 1024 characters",
  ],
];

for (const [name, args, stdin, message] of refused) {
  Deno.test(`hash-password refuses ${name}`, async () => {
    const { code, stdout, stderr } = await runCommand(["hash-password", ...args], { stdin });
    assert.equal(code, 2);
    assert.deepEqual(stdout, []);
    assert.deepEqual(stderr, [
      `storage-dashboard hash-password: ${message} (see "storage-dashboard hash-password --help")`,
    ]);
  });
}
