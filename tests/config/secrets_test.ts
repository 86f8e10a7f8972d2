import assert from "node:assert/strict";
import { load, problemsOf, type Variables } from "./support.ts";

const passwordHash = "$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHQ$aGFzaA";

const yaml = `backends:
  - id: a
    type: s3v4
    endpoint: http://h
    access_key_env: A_ACCESS
    secret_key_env: A_SECRET
  - {id: b, type: s3v4, endpoint: "http://h"}
auth:
  modes: [local, oidc, static]
  oidc:
    issuer: https://id.example.com
    client_id: c
    client_secret_env: OIDC_SECRET
  static:
    username: root
    password_hash_env: ROOT_HASH
`;

const variables: Variables = {
  A_ACCESS: "access",
  A_SECRET: "secret",
  OIDC_SECRET: "client secret",
  ROOT_HASH: passwordHash,
};

Deno.test("secrets come from the variables that the file names", async () => {
  const { config } = await load(yaml, variables);
  assert.deepEqual(config.backends[0].credentials, { access_key: "access", secret_key: "secret" });
  assert.equal(config.backends[1].credentials, undefined);
  assert.equal(config.auth.oidc.client_secret, "client secret");
  assert.equal(config.auth.static.password_hash, passwordHash);
});

const positions: [variable: string, position: string, key: string][] = [
  ["A_ACCESS", "5:5", "backends[0].access_key_env"],
  ["A_SECRET", "6:5", "backends[0].secret_key_env"],
  ["OIDC_SECRET", "13:5", "auth.oidc.client_secret_env"],
  ["ROOT_HASH", "16:5", "auth.static.password_hash_env"],
];

for (const [variable, position, key] of positions) {
  for (const [state, value] of [["not set", undefined], ["empty", ""]] as const) {
    Deno.test(`${key} names a variable that is ${state}`, async () => {
      const { [variable]: _left, ...others } = variables;
      assert.deepEqual(
        await problemsOf(yaml, value === undefined ? others : { ...others, [variable]: value }),
        [
          `c.yaml:${position}: ${key}: "${variable}" names an environment variable that is not set`,
        ],
      );
    });
  }
}

const notInUse: [name: string, yaml: string][] = [
  ["the client secret without the mode oidc", "auth: {oidc: {client_secret_env: NOT_SET}}"],
  [
    "the hash of a static account that is off",
    "auth: {static: {username: root, password_hash_env: NOT_SET}}",
  ],
];

for (const [name, text] of notInUse) {
  Deno.test(`a variable that nothing needs may be unset: ${name}`, async () => {
    await load(text);
  });
}

for (const [given, missing] of [["access_key_env", "secret_key_env"], ["secret_key_env", "access_key_env"]]) {
  Deno.test(`${given} needs ${missing}`, async () => {
    const text = `backends: [{id: a, type: s3v4, endpoint: "http://h", ${given}: A_ACCESS}]`;
    assert.deepEqual(await problemsOf(text, variables), [
      `c.yaml:1:12: backends[0].${missing}: is required with ${given}`,
    ]);
  });
}

for (
  const hash of ["hunter2", "$2b$10$abcdefghijklmnopqrstuv", passwordHash.replace("argon2id", "argon2i")]
) {
  Deno.test(`a password hash that is not argon2id is refused and not shown: ${hash.slice(0, 8)}`, async () => {
    assert.deepEqual(await problemsOf(yaml, { ...variables, ROOT_HASH: hash }), [
      'c.yaml:16:5: auth.static.password_hash_env: "ROOT_HASH" names an environment variable that holds no ' +
      "argon2id hash (hash-password makes one)",
    ]);
  });
}

const leaks: [key: string, text: (secret: string) => string][] = [
  [
    "secret_key_env",
    (secret) =>
      `backends: [{id: a, type: s3v4, endpoint: "http://h", access_key_env: A_ACCESS, secret_key_env: "${secret}"}]`,
  ],
  [
    "access_key_env",
    (secret) =>
      `backends: [{id: a, type: s3v4, endpoint: "http://h", access_key_env: "${secret}", secret_key_env: A_SECRET}]`,
  ],
  [
    "a key of its own",
    (secret) => `backends: [{id: a, type: s3v4, endpoint: "http://h", secret_key: "${secret}"}]`,
  ],
  [
    "client_secret_env",
    (secret) =>
      `auth: {modes: [oidc], oidc: {issuer: "http://h", client_id: c, client_secret_env: "${secret}"}}`,
  ],
  [
    "password_hash_env",
    (secret) => `auth: {modes: [static], static: {username: u, password_hash_env: "${secret}"}}`,
  ],
  ["endpoint", (secret) => `backends: [{id: a, type: s3v4, endpoint: "http://u:${secret}@h"}]`],
  ["public_url", (secret) => `server: {public_url: "http://u:${secret}@h"}`],
  ["issuer", (secret) => `auth: {oidc: {issuer: "http://u:${secret}@h"}}`],
];

for (const [key, text] of leaks) {
  Deno.test(`a secret that stands in the file by mistake is not repeated: ${key}`, async () => {
    for (const secret of ["wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "minioadminpassword", passwordHash]) {
      const problems = (await problemsOf(text(secret), variables)).join("\n");
      assert.ok(!problems.includes(secret), problems);
    }
  });
}

Deno.test("what an operator should know of a usable configuration is a warning", async () => {
  const open = await load(undefined);
  assert.equal(open.warnings.length, 2);
  assert.match(open.warnings[0], /^server\.trusted_proxies is empty and server\.listen \(:8080\) is open/);
  assert.match(open.warnings[1], /^neither SERVICE_SECRET_KEY nor server\.secret_key_file is set/);
  const closed = await load("server: {listen: '127.0.0.1:1', secret_key_file: key}");
  assert.deepEqual(closed.warnings, []);
  const behindProxy = await load("server: {trusted_proxies: [10.0.0.0/8], secret_key_file: key}");
  assert.deepEqual(behindProxy.warnings, []);
});

Deno.test("an S3 endpoint that is open to other machines believes their forwarded headers, too", async () => {
  const server = "server: {listen: '127.0.0.1:1', secret_key_file: key}";
  const { warnings } = await load(`${server}\ns3_proxy: {enabled: true}`);
  assert.match(
    warnings.join("\n"),
    /^server\.trusted_proxies is empty and s3_proxy\.listen \(:8090\) is open/,
  );
  assert.deepEqual((await load(server)).warnings, []);
});

Deno.test("an identity provider that cannot be trusted or gives nobody a role is a warning", async () => {
  const oidc = async (keys: string) => {
    const server = "server: {listen: '127.0.0.1:1', secret_key_file: key}";
    return (await load(`${server}\nauth: {modes: [oidc], oidc: {client_id: c, ${keys}}}`)).warnings;
  };
  const open = await oidc("issuer: 'http://id.example.com', role_mapping: {admin: [ops]}");
  assert.equal(open.length, 2);
  assert.match(open[0], /^auth\.oidc\.issuer is not https/);
  assert.match(open[1], /^auth\.oidc\.role_mapping is set and auth\.oidc\.role_claim is empty/);
  assert.deepEqual(await oidc("issuer: 'http://[::1]:9000', role_mapping: {admin: []}"), []);
  assert.deepEqual(
    await oidc("issuer: 'https://id.example.com', role_mapping: {admin: [a]}, role_claim: g"),
    [],
  );
});

Deno.test("profiles that other machines can ask for are a warning", async () => {
  const text = "server: {listen: '127.0.0.1:1', secret_key_file: key}";
  const warnings = async (address: string) => (await load(text, { SERVICE_PPROF_LISTEN: address })).warnings;
  assert.deepEqual(await warnings("0.0.0.0:6060"), [
    "SERVICE_PPROF_LISTEN (0.0.0.0:6060) is open to other machines: profiles need no sign-in",
  ]);
  for (const address of [":6060", "localhost:6060", "[::1]:6060"]) {
    assert.deepEqual(await warnings(address), [], address);
  }
});
