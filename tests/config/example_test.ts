import assert from "node:assert/strict";
import { parse } from "yaml";
import { backendSchema, configSchema } from "../../src/config/schema.ts";
import { leafKeys } from "../../src/config/schema_keys.ts";
import { load } from "./support.ts";
import { valueAt } from "./values.ts";

const example = await Deno.readTextFile(new URL("../../config.example.yaml", import.meta.url));
const guide = await Deno.readTextFile(new URL("../../docs/configuration.md", import.meta.url));

/** The example with its sample backend in place of the empty list. */
const withBackend = example.replace("backends: []", "backends:").replaceAll(/^#(?= {2})/gm, "");

const keys = leafKeys(configSchema);
const plainKeys = keys.filter((key) => !key.includes("[]"));
const backendKeys = leafKeys(backendSchema);
/** What a backend cannot do without, for which there is no default. */
const backendNeeds = ["id", "type", "endpoint"];

Deno.test("the example says what holds without it", async () => {
  assert.deepEqual(
    withoutFunctions((await load(example)).config),
    withoutFunctions((await load(undefined)).config),
  );
});

Deno.test("the example has every key with its default", () => {
  const tree = parse(example);
  for (const key of plainKeys) {
    const value = valueAt(tree, key);
    assert.notEqual(value, undefined, `${key} is missing`);
    const section = key.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
    assert.deepEqual(
      withoutFunctions(valueAt(configSchema.parse(section), key)),
      withoutFunctions(valueAt(configSchema.parse({}), key)),
      key,
    );
  }
  assert.deepEqual(tree.backends, []);
});

Deno.test("the example's backend has every key with its default", async () => {
  const [backend, ...rest] = parse(withBackend).backends;
  assert.deepEqual(rest, []);
  assert.deepEqual(Object.keys(backend).sort(), backendKeys.sort());
  const defaults = backendSchema.parse({ id: "x", type: "s3v4" });
  for (const key of backendKeys.filter((name) => !backendNeeds.includes(name))) {
    assert.deepEqual(backend[key], valueAt(defaults, key), key);
  }
  assert.equal((await load(withBackend)).config.backends.length, 1);
});

Deno.test("every key of the example has a comment before it, or shares one with the key before", () => {
  const lines = example.split("\n");
  const bare = lines.filter((line, index) => {
    const isValue = /^\s*\w+: +\S/.test(line);
    return isValue && !/^\s*(#|\w+: )/.test(lines[index - 1]) && !lines[index - 1].endsWith(":");
  });
  assert.deepEqual(bare, []);
});

for (
  const variable of [
    "SERVICE_LISTEN",
    "SERVICE_PUBLIC_URL",
    "SERVICE_LOG_LEVEL",
    "SERVICE_LOG_FORMAT",
    "SERVICE_SQLITE_PATH",
    "SERVICE_SECRET_KEY_FILE",
    "SERVICE_SECRET_KEY",
    "SERVICE_PPROF_LISTEN",
  ]
) {
  Deno.test(`the guide tells of ${variable}`, () => {
    assert.match(guide, new RegExp(`\`${variable}\``));
  });
}

Deno.test("the guide has a table row for every key", () => {
  const documented = [...guide.matchAll(/^\| `([\w.[\]]+)` +\|/gm)].map(([, key]) => key);
  for (const key of keys) assert.ok(documented.includes(key), `${key} is missing`);
});

Deno.test("the guide's examples can be loaded", async () => {
  const samples = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) => yaml);
  assert.ok(samples.length >= 4);
  for (const yaml of samples) {
    const names = [...yaml.matchAll(/_env: (\w+)/g)].map(([, name]) => [name, "set"]);
    await load(yaml, {
      ...Object.fromEntries(names),
      STATIC_PASSWORD_HASH: "$argon2id$v=19$m=8,t=1,p=1$YQ$YQ",
    });
  }
});

/** Ranges of addresses are made with a function each, which would make equal ones differ. */
function withoutFunctions(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
