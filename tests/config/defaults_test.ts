import assert from "node:assert/strict";
import { leafKeys } from "../../src/config/schema_keys.ts";
import { backendSchema, configSchema } from "../../src/config/schema.ts";
import { load } from "./support.ts";
import { valueAt } from "./values.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Key, default and its value in the program, as the specification has them; the last two keys are this service's own. */
const defaults: Readonly<Record<string, unknown>> = {
  "server.listen": { hostname: "::", port: 8080, text: ":8080" },
  "server.shutdown_timeout": 10_000,
  "server.public_url": "",
  "server.trusted_proxies": [],
  "server.secret_key_file": "",
  "log.level": "info",
  "log.format": "json",
  "db.driver": "sqlite",
  "db.sqlite.path": "./service.db",
  "auth.modes": ["local"],
  "auth.session.lifetime": 8 * hour,
  "auth.session.idle_timeout": hour,
  "auth.local.allow_self_registration": false,
  "auth.local.require_admin_approval": false,
  "auth.local.password.min_length": 12,
  "auth.local.password.prevent_reuse": true,
  "auth.local.lockout.max_attempts": 5,
  "auth.local.lockout.window": 15 * minute,
  "auth.local.reset_email.enabled": false,
  "auth.oidc.issuer": "",
  "auth.oidc.client_id": "",
  "auth.oidc.client_secret_env": "",
  "auth.oidc.scopes": ["openid", "profile", "email"],
  "auth.oidc.role_claim": "",
  "auth.oidc.role_mapping": {},
  "auth.static.enabled": false,
  "auth.static.username": "",
  "auth.static.password_hash_env": "",
  "quotas.scan_interval": 30 * minute,
  "ratelimit.api_per_minute": 600,
  "s3_proxy.enabled": false,
  "s3_proxy.listen": { hostname: "::", port: 8090, text: ":8090" },
  "s3_proxy.host_suffixes": [],
  "s3_proxy.global_rps": 0,
  "s3_proxy.per_key_rps": 0,
  "s3_proxy.anonymous_enabled": false,
  "s3_proxy.anonymous_rps": 20,
  "s3_proxy.kubernetes.enabled": false,
  "s3_proxy.kubernetes.namespace": "service-system",
  "s3_proxy.kubernetes.kubeconfig": "",
  "audit.sampling.proxy_success_read_rate": 0,
  "ratelimit.share_per_minute": 10,
  "shares.max_per_user": 1000,
  "shares.max_lifetime": 0,
  "audit.retention": 0,
};

const backendKeys = [
  "id",
  "name",
  "type",
  "endpoint",
  "region",
  "access_key_env",
  "secret_key_env",
  "path_style",
];

for (
  const [name, yaml] of [["no file", undefined], ["an empty file", ""], ["a file of comments", "# nothing\n"]]
) {
  Deno.test(`the defaults hold with ${name}`, async () => {
    const { config } = await load(yaml);
    for (const [key, value] of Object.entries(defaults)) assert.deepEqual(valueAt(config, key), value, key);
    assert.deepEqual(config.backends, []);
  });
}

Deno.test("the defaults hold with sections that are left empty", async () => {
  const { config } = await load("server:\nauth:\n  local:\n    lockout:\nbackends:\ns3_proxy:\n  listen:\n");
  for (const [key, value] of Object.entries(defaults)) assert.deepEqual(valueAt(config, key), value, key);
});

Deno.test("the schema has the keys of the specification and our own, and no other", () => {
  const own = ["backends[].presign"];
  const expected = [...Object.keys(defaults), ...backendKeys.map((key) => `backends[].${key}`), ...own];
  assert.deepEqual(leafKeys(configSchema).sort(), expected.sort());
});

Deno.test("a backend needs id, type and endpoint; the rest has defaults", async () => {
  const { config } = await load("backends:\n  - {id: a, type: s3v4, endpoint: 'http://127.0.0.1:9000'}\n");
  assert.deepEqual(config.backends, [{
    id: "a",
    name: "a",
    type: "s3v4",
    endpoint: "http://127.0.0.1:9000",
    region: "us-east-1",
    access_key_env: "",
    secret_key_env: "",
    path_style: false,
    presign: false,
    credentials: undefined,
  }]);
  assert.equal(backendSchema.safeParse({ id: "a" }).success, false);
});

for (
  const [region, endpoint] of [
    ["eu-central-1", "https://s3.eu-central-1.amazonaws.com"],
    ["cn-north-1", "https://s3.cn-north-1.amazonaws.com.cn"],
  ]
) {
  Deno.test(`a backend in region ${region} without an endpoint is AWS's`, async () => {
    const { config } = await load(`backends: [{id: a, type: s3v4, region: ${region}}]`);
    assert.equal(config.backends[0].endpoint, endpoint);
    assert.equal(config.backends[0].region, region);
  });
}

Deno.test("a file's values go before the defaults", async () => {
  const { config } = await load(
    `
server: {listen: "127.0.0.1:80", shutdown_timeout: 0, public_url: "https://files.example.com/base/", trusted_proxies: [10.0.0.0/8, "::1"]}
log: {level: "", format: ""}
db: {driver: ""}
auth:
  modes: [static, oidc]
  session: {lifetime: 1h30m}
  oidc: {issuer: "https://id.example.com/", client_id: c, role_mapping: {admin: [ops], readonly: [all]}}
  static: {username: root, password_hash_env: HASH}
quotas: {scan_interval: -1s}
ratelimit: {api_per_minute: 0, share_per_minute: 0}
s3_proxy: {enabled: true, listen: ":9999", host_suffixes: [S3.Example.com], global_rps: 0.5}
audit: {sampling: {proxy_success_read_rate: 1}, retention: 365d}
`,
    { HASH: "$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHQ$aGFzaA" },
  );
  assert.deepEqual(config.server.listen, { hostname: "127.0.0.1", port: 80, text: "127.0.0.1:80" });
  assert.equal(config.server.shutdown_timeout, 0);
  assert.equal(config.server.public_url, "https://files.example.com/base");
  assert.deepEqual(config.server.trusted_proxies.map((range) => range.contains("10.9.9.9")), [true, false]);
  assert.deepEqual(config.log, { level: "info", format: "json" });
  assert.equal(config.db.driver, "sqlite");
  assert.deepEqual(config.auth.modes, ["static", "oidc"]);
  assert.equal(config.auth.session.lifetime, 1.5 * hour);
  assert.deepEqual(config.auth.oidc.role_mapping, { admin: ["ops"], readonly: ["all"] });
  assert.equal(config.quotas.scan_interval, -1_000);
  assert.deepEqual(config.ratelimit, { api_per_minute: 0, share_per_minute: 0 });
  assert.deepEqual(config.s3_proxy.host_suffixes, ["s3.example.com"]);
  assert.equal(config.s3_proxy.listen.port, 9999);
  assert.equal(config.audit.retention, 365 * 24 * hour);
});
