import assert from "node:assert/strict";
import { load, problemsOf } from "./support.ts";

const malformed: [name: string, yaml: string, problems: string[]][] = [
  ["a tab", "log:\n\tlevel: info", ["c.yaml:2:1: Tabs are not allowed as indentation"]],
  ["an open bracket", "auth:\n  modes: [local\n", [
    "c.yaml:3:1: Flow sequence in block collection must be sufficiently indented and end with a ]",
  ]],
  ["a key twice", "log: {}\nlog: {}\n", ["c.yaml:2:1: Map keys must be unique"]],
  ["a broken indentation", 'server:\n  listen: ":1"\n log: {}\n', [
    "c.yaml:3:1: All mapping items must start at the same column",
  ]],
  ["an alias without an anchor", "server:\n  listen: *here\n", [
    "c.yaml:2:11: no anchor &here stands before the alias *here",
  ]],
  ["an unknown tag", "log: {level: !secret debug}", ["c.yaml:1:14: Unresolved tag: !secret"]],
  ["two documents", "log: {}\n---\nlog: {}\n", [
    "c.yaml:2:1: A second document begins; a configuration is one",
  ]],
  ["a list", "- log\n", ["c.yaml:1:1: is not a mapping of sections"]],
  ["a text", "just text\n", ["c.yaml:1:1: is not a mapping of sections"]],
];

for (const [name, yaml, problems] of malformed) {
  Deno.test(`malformed YAML: ${name}`, async () => {
    const all = await problemsOf(yaml);
    assert.deepEqual(all.slice(0, problems.length), problems);
    for (const problem of all) assert.match(problem, /^c\.yaml:\d+:\d+: .+$/);
  });
}

Deno.test("aliases that multiply are refused", async () => {
  const levels = Array.from(
    { length: 9 },
    (_, level) => `a${level + 1}: &a${level + 1} [${Array(9).fill(`*a${level}`)}]`,
  );
  const [problem] = await problemsOf(`a0: &a0 [x]\n${levels.join("\n")}\n`);
  assert.match(problem, /^c\.yaml:1:1: Excessive alias count/);
});

Deno.test("an alias stands for what its anchor marks, and its faults are where that is", async () => {
  const yaml =
    "server: &s\n  listen: nowhere\nlog: {}\nauth:\n  session:\n    lifetime: &t 2h\n    idle_timeout: *t\n";
  assert.deepEqual(await problemsOf(yaml), [
    'c.yaml:2:3: server.listen: "nowhere" is not an address such as :8080, 127.0.0.1:8080 or [::1]:8080',
  ]);
  const { config } = await load(yaml.replace("nowhere", ":1"));
  assert.equal(config.auth.session.idle_timeout, 7_200_000);
});

Deno.test("a byte order mark and CRLF line ends are no part of what the file says", async () => {
  const { config } = await load("\ufefflog:\r\n  level: warn\r\n");
  assert.equal(config.log.level, "warn");
  assert.match((await problemsOf("\ufefflog:\r\n  level: loud\r\n"))[0], /^c\.yaml:2:3: log\.level: "loud"/);
});

Deno.test("a value is shown on one line and not at any length", async () => {
  const [line] = await problemsOf(`log: {level: "a\\nb${"x".repeat(500)}"}`);
  assert.match(line, /^c\.yaml:1:7: log\.level: "a\\nbx+… is not one of debug, info, warn, error$/);
  assert.ok(line.length < 160);
});
