import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { load, problemsOf } from "./support.ts";
import { valueAt } from "./values.ts";

const overrides: [variable: string, key: string, value: string, expected: unknown][] = [
  ["SERVICE_LISTEN", "server.listen.text", "127.0.0.1:1", "127.0.0.1:1"],
  ["SERVICE_PUBLIC_URL", "server.public_url", "https://files.example.com", "https://files.example.com"],
  ["SERVICE_LOG_LEVEL", "log.level", "debug", "debug"],
  ["SERVICE_LOG_FORMAT", "log.format", "text", "text"],
  ["SERVICE_SQLITE_PATH", "db.sqlite.path", "/var/lib/x.db", "/var/lib/x.db"],
  ["SERVICE_SECRET_KEY_FILE", "server.secret_key_file", "/etc/key", "/etc/key"],
];

const file = `
server: {listen: ":9", public_url: "http://file", secret_key_file: file.key}
log: {level: error, format: json}
db: {sqlite: {path: file.db}}
`;

for (const [variable, key, value, expected] of overrides) {
  Deno.test(`${variable} goes before the file and the defaults`, async () => {
    for (const yaml of [file, undefined, "server:\n"]) {
      const { config } = await load(yaml, { [variable]: value });
      assert.equal(valueAt(config, key), expected);
    }
  });

  Deno.test(`${variable} set to nothing is not set`, async () => {
    const { config } = await load(file, { [variable]: "" });
    assert.equal(valueAt(config, key), valueAt((await load(file)).config, key));
  });
}

Deno.test("a fault in an overriding value names the variable, not the file", async () => {
  assert.deepEqual(await problemsOf(file, { SERVICE_LISTEN: "nowhere", SERVICE_LOG_LEVEL: "loud" }), [
    'SERVICE_LISTEN: server.listen: "nowhere" is not an address such as :8080, 127.0.0.1:8080 or [::1]:8080',
    'SERVICE_LOG_LEVEL: log.level: "loud" is not one of debug, info, warn, error',
  ]);
});

Deno.test("an overriding value puts right what the file has wrong", async () => {
  const { config } = await load("log: {level: loud}", { SERVICE_LOG_LEVEL: "warn" });
  assert.equal(config.log.level, "warn");
});

Deno.test("the ninth rule sees the overriding value", async () => {
  assert.deepEqual(await problemsOf("s3_proxy: {enabled: true}", { SERVICE_LISTEN: ":8090" }), [
    'c.yaml:1:1: s3_proxy.listen: ":8090" must differ from server.listen (:8090)',
  ]);
});

for (const encoding of ["hex", "base64"] as const) {
  Deno.test(`SERVICE_SECRET_KEY is read as ${encoding}`, async () => {
    const key = randomBytes(32);
    const { config } = await load(undefined, { SERVICE_SECRET_KEY: key.toString(encoding) });
    assert.deepEqual(config.root_key, new Uint8Array(key));
  });
}

const badKeys = ["x", "0".repeat(63), "0".repeat(65), "g".repeat(64), "A".repeat(44), `${"A".repeat(42)}==`];

for (const key of badKeys) {
  Deno.test(`SERVICE_SECRET_KEY of ${key.length} characters is refused and not shown`, async () => {
    assert.deepEqual(await problemsOf(undefined, { SERVICE_SECRET_KEY: key }), [
      "SERVICE_SECRET_KEY: is not 64 hexadecimal or 44 base64 characters",
    ]);
  });
}

Deno.test("SERVICE_PPROF_LISTEN is an address", async () => {
  const { config } = await load(undefined, { SERVICE_PPROF_LISTEN: "127.0.0.1:6060" });
  assert.equal(config.pprof_listen?.port, 6060);
  assert.equal((await load(undefined)).config.pprof_listen, undefined);
  assert.deepEqual(await problemsOf(undefined, { SERVICE_PPROF_LISTEN: "6060" }), [
    'SERVICE_PPROF_LISTEN: "6060" is not an address such as 127.0.0.1:6060',
  ]);
});

Deno.test("SERVICE_PPROF_LISTEN without a host is on loopback, with one it is obeyed", async () => {
  const hostOf = async (text: string) =>
    (await load(undefined, { SERVICE_PPROF_LISTEN: text })).config.pprof_listen?.hostname;
  assert.equal(await hostOf(":6060"), "127.0.0.1");
  assert.equal(await hostOf("0.0.0.0:6060"), "0.0.0.0");
  assert.equal(await hostOf("[::]:6060"), "::");
});

Deno.test("SERVICE_PPROF_LISTEN must differ from the other listeners that are on", async () => {
  const problems = (text: string) => problemsOf("s3_proxy: {enabled: true}", { SERVICE_PPROF_LISTEN: text });
  assert.deepEqual(await problems(":8080"), [
    'SERVICE_PPROF_LISTEN: ":8080" must differ from server.listen (:8080)',
  ]);
  assert.deepEqual(await problems("127.0.0.1:8090"), [
    'SERVICE_PPROF_LISTEN: "127.0.0.1:8090" must differ from s3_proxy.listen (:8090)',
  ]);
  const { config } = await load(undefined, { SERVICE_PPROF_LISTEN: ":8090" });
  assert.equal(config.pprof_listen?.port, 8090);
});
