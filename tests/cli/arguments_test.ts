import assert from "node:assert/strict";
import fc from "fast-check";
import { asksForHelp, parseFlags } from "../../src/cli/arguments.ts";
import { UsageError } from "../../src/cli/command.ts";

const flags = {
  username: { value: "NAME", summary: "", required: true },
  config: { value: "FILE", summary: "" },
  "must-change-password": { summary: "" },
} as const;

const good: [args: string[], expected: [string, string | undefined, boolean]][] = [
  [["--username", "a"], ["a", undefined, false]],
  [["--username=a"], ["a", undefined, false]],
  [["--username=a=b"], ["a=b", undefined, false]],
  [["--username=--a"], ["--a", undefined, false]],
  [["--username", "-a"], ["-a", undefined, false]],
  [["--username", "a b"], ["a b", undefined, false]],
  [["--must-change-password", "--config", "f", "--username", "a"], ["a", "f", true]],
];

for (const [args, [username, config, mustChange]] of good) {
  Deno.test(`arguments ${args.join(" ")}`, () => {
    assert.deepEqual(parseFlags(flags, args), { username, config, "must-change-password": mustChange });
  });
}

const bad: [args: string[], message: string][] = [
  [[], "--username is required"],
  [["--usernam", "a"], "unknown flag --usernam; did you mean --username?"],
  [["--usernam=a"], "unknown flag --usernam; did you mean --username?"],
  [["--zzz"], "unknown flag --zzz"],
  [["--"], "unknown flag --"],
  [["--toString"], "unknown flag --toString"],
  [["--__proto__=1"], "unknown flag --__proto__"],
  [["-u", "a"], 'unexpected argument "-u"'],
  [["a"], 'unexpected argument "a"'],
  [[""], 'unexpected argument ""'],
  [["--username", "a", "b"], 'unexpected argument "b"'],
  [["--username"], "--username needs a value: --username NAME"],
  [["--username="], "--username needs a value: --username NAME"],
  [["--username", ""], "--username needs a value: --username NAME"],
  [["--username", "--config", "f"], "--username needs a value: --username NAME"],
  [["--username", "a", "--username=b"], "--username is given twice"],
  [["--must-change-password", "--must-change-password"], "--must-change-password is given twice"],
  [["--must-change-password=yes"], "--must-change-password takes no value"],
];

for (const [args, message] of bad) {
  Deno.test(`arguments ${JSON.stringify(args)} are refused`, () => {
    assert.throws(() => parseFlags(flags, args), new UsageError(message));
  });
}

Deno.test("a value comes through unchanged however it is attached", () => {
  fc.assert(fc.property(fc.string({ minLength: 1 }), (value) => {
    assert.equal(parseFlags(flags, [`--username=${value}`]).username, value);
    fc.pre(!value.startsWith("--"));
    assert.equal(parseFlags(flags, ["--username", value]).username, value);
  }));
});

Deno.test("any arguments either parse or are a usage error", () => {
  const argument = fc.oneof(
    fc.string(),
    fc.constantFrom("--username", "--config=x", "--must-change-password"),
  );
  fc.assert(fc.property(fc.array(argument), (args) => {
    try {
      parseFlags(flags, args);
    } catch (error) {
      assert.ok(error instanceof UsageError);
    }
  }));
});

Deno.test("--help and -h anywhere ask for help", () => {
  assert.ok(asksForHelp(["--help"]));
  assert.ok(asksForHelp(["--config", "x", "-h"]));
  assert.ok(!asksForHelp(["--helpful", "help"]));
});
