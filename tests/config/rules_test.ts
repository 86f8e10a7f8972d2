import assert from "node:assert/strict";
import { problemsOf, type Variables } from "./support.ts";

/** A configuration that must be refused, and every line that says why. */
interface BadConfig {
  readonly name: string;
  readonly yaml: string;
  readonly variables?: Variables;
  readonly problems: string[];
}

/** A backend with only what the case at hand adds. */
const backend = "{id: a, type: s3v4, endpoint: 'http://h:1'";

/** The nine rules of the specification. */
const nineRules: BadConfig[] = [
  {
    name: "1, listen is empty",
    yaml: 'server:\n  listen: ""',
    problems: ["c.yaml:2:3: server.listen: must not be empty"],
  },
  {
    name: "2, log.format",
    yaml: "log:\n  format: xml",
    problems: ['c.yaml:2:3: log.format: "xml" is not one of json, text'],
  },
  {
    name: "3, log.level",
    yaml: "log:\n  level: verbose",
    problems: ['c.yaml:2:3: log.level: "verbose" is not one of debug, info, warn, error'],
  },
  {
    name: "4, db.driver",
    yaml: "db:\n  driver: postgres",
    problems: ['c.yaml:2:3: db.driver: "postgres" is not supported: only sqlite is'],
  },
  {
    name: "5, db.sqlite.path is empty",
    yaml: 'db:\n  sqlite:\n    path: ""',
    problems: ["c.yaml:3:5: db.sqlite.path: must not be empty"],
  },
  {
    name: "6, auth.modes is empty",
    yaml: "auth:\n  modes: []",
    problems: ["c.yaml:2:3: auth.modes: must not be empty"],
  },
  {
    name: "6, auth.modes holds another value",
    yaml: "auth:\n  modes: [local, ldap]",
    problems: ['c.yaml:2:18: auth.modes[1]: "ldap" is not one of local, oidc, static'],
  },
  {
    name: "7, two backends with one id",
    yaml: `backends:\n  - ${backend}}\n  - ${backend}}`,
    problems: ['c.yaml:3:6: backends[1].id: "a" is already the id of backends[0]'],
  },
  {
    name: "8, an empty id",
    yaml: "backends:\n  - {id: '', type: s3v4, endpoint: 'http://h:1'}",
    problems: ["c.yaml:2:6: backends[0].id: must not be empty"],
  },
  {
    name: "8, an empty type",
    yaml: "backends:\n  - {id: a, type: '', endpoint: 'http://h:1'}",
    problems: ["c.yaml:2:13: backends[0].type: must not be empty"],
  },
  {
    name: "8, neither id nor type",
    yaml: "backends:\n  - {endpoint: 'http://h:1'}",
    problems: ["c.yaml:2:5: backends[0].id: is required", "c.yaml:2:5: backends[0].type: is required"],
  },
  {
    name: "9, s3_proxy.listen is empty",
    yaml: 's3_proxy:\n  enabled: true\n  listen: ""',
    problems: ["c.yaml:3:3: s3_proxy.listen: must not be empty when s3_proxy.enabled is true"],
  },
  {
    name: "9, s3_proxy.listen equals server.listen",
    yaml: 'server:\n  listen: ":80"\ns3_proxy:\n  enabled: true\n  listen: ":80"',
    problems: ['c.yaml:5:3: s3_proxy.listen: ":80" must differ from server.listen (:80)'],
  },
  {
    name: "9, the default s3_proxy.listen equals server.listen",
    yaml: 'server:\n  listen: ":8090"\ns3_proxy:\n  enabled: true',
    problems: ['c.yaml:3:1: s3_proxy.listen: ":8090" must differ from server.listen (:8090)'],
  },
];

/** Values of single keys. */
const badValues: [yaml: string, problem: string][] = [
  [
    "server: {listen: 8080}",
    "c.yaml:1:10: server.listen: 8080 is not an address such as :8080, 127.0.0.1:8080 or [::1]:8080",
  ],
  [
    "server: {listen: ':99999'}",
    'c.yaml:1:10: server.listen: ":99999" is not an address such as :8080, 127.0.0.1:8080 or [::1]:8080',
  ],
  [
    "server: {shutdown_timeout: 10}",
    "c.yaml:1:10: server.shutdown_timeout: 10 is not a duration such as 30m, 8h or 1h30m",
  ],
  ["server: {shutdown_timeout: -1s}", 'c.yaml:1:10: server.shutdown_timeout: "-1s" must not be negative'],
  ["server: {shutdown_timeout: 25d}", 'c.yaml:1:10: server.shutdown_timeout: "25d" is longer than 24 days'],
  [
    "server: {trusted_proxies: 10.0.0.0/8}",
    'c.yaml:1:10: server.trusted_proxies: "10.0.0.0/8" is not a list',
  ],
  [
    "server: {trusted_proxies: [10.0.0.0/8, 10.0.0.0/40]}",
    'c.yaml:1:40: server.trusted_proxies[1]: "10.0.0.0/40" is not a range of addresses such as 10.0.0.0/8 or fd00::/8',
  ],
  ["server: {secret_key_file: 1}", "c.yaml:1:10: server.secret_key_file: 1 is not a string"],
  [
    "server: {public_url: files.example.com}",
    "c.yaml:1:10: server.public_url: is not an http(s) URL, or has a user name, a query or a fragment",
  ],
  ...["/a//b", "/a/../b", "/./a", "/a b", "/a%2Fb", "/a;b", "/ä"].map((path): [string, string] => [
    `server: {public_url: "https://example.com${path}"}`,
    `c.yaml:1:10: server.public_url: "https://example.com${path}" has a path with something besides letters, digits, "-", "_", "." and "~" between its slashes`,
  ]),
  ...["/api", "/s/storage", "/b/main", "/static"].map((path): [string, string] => [
    `server: {public_url: "https://example.com${path}"}`,
    `c.yaml:1:10: server.public_url: "https://example.com${path}" has a path that begins like one of the dashboard itself; put it below another one, such as /storage`,
  ]),
  ["server: [a]", "c.yaml:1:1: server: a list is not a mapping"],
  [
    "auth: {session: {lifetime: 8 hours}}",
    'c.yaml:1:18: auth.session.lifetime: "8 hours" is not a duration such as 30m, 8h or 1h30m',
  ],
  [
    "auth: {session: {idle_timeout: 0s}}",
    'c.yaml:1:18: auth.session.idle_timeout: "0s" must be more than zero',
  ],
  ["auth: {session: {idle_timeout: ''}}", "c.yaml:1:18: auth.session.idle_timeout: must not be empty"],
  [
    "auth: {local: {password: {min_length: 0}}}",
    "c.yaml:1:27: auth.local.password.min_length: 0 is less than 1",
  ],
  [
    "auth: {local: {password: {min_length: 8.5}}}",
    "c.yaml:1:27: auth.local.password.min_length: 8.5 is not a whole number",
  ],
  [
    "auth: {local: {password: {prevent_reuse: yes}}}",
    'c.yaml:1:27: auth.local.password.prevent_reuse: "yes" is not true or false',
  ],
  [
    "auth: {local: {lockout: {window: 0}}}",
    "c.yaml:1:26: auth.local.lockout.window: 0 must be more than zero",
  ],
  [
    "auth: {oidc: {role_mapping: {admin: ops}}}",
    'c.yaml:1:30: auth.oidc.role_mapping.admin: "ops" is not a list',
  ],
  ["auth: {oidc: {scopes: ['']}}", "c.yaml:1:24: auth.oidc.scopes[0]: must not be empty"],
  [
    "quotas: {scan_interval: 0s}",
    'c.yaml:1:10: quotas.scan_interval: "0s" must not be zero (a negative duration means never)',
  ],
  ["ratelimit: {api_per_minute: -1}", "c.yaml:1:13: ratelimit.api_per_minute: -1 is less than 0"],
  ["ratelimit: {share_per_minute: many}", 'c.yaml:1:13: ratelimit.share_per_minute: "many" is not a number'],
  [
    "s3_proxy: {host_suffixes: [-x]}",
    'c.yaml:1:28: s3_proxy.host_suffixes[0]: "-x" is not a host name such as s3.example.com',
  ],
  ["s3_proxy: {anonymous_rps: -0.5}", "c.yaml:1:12: s3_proxy.anonymous_rps: -0.5 is less than 0"],
  ["s3_proxy: {global_rps: .nan}", "c.yaml:1:12: s3_proxy.global_rps: NaN is not a number"],
  [
    "s3_proxy: {listen: nowhere}",
    'c.yaml:1:12: s3_proxy.listen: "nowhere" is not an address such as :8080, 127.0.0.1:8080 or [::1]:8080',
  ],
  [
    "s3_proxy: {kubernetes: {namespace: ''}}",
    "c.yaml:1:25: s3_proxy.kubernetes.namespace: must not be empty",
  ],
  [
    "audit: {sampling: {proxy_success_read_rate: 1.1}}",
    "c.yaml:1:20: audit.sampling.proxy_success_read_rate: 1.1 is more than 1",
  ],
  ["audit: {retention: -1d}", 'c.yaml:1:9: audit.retention: "-1d" must not be negative'],
  ["backends: {id: a}", "c.yaml:1:1: backends: a mapping is not a list"],
  ["backends: [~]", "c.yaml:1:12: backends[0]: null is not a mapping"],
  [
    "backends: [{id: a, type: azure, endpoint: 'http://h'}]",
    'c.yaml:1:20: backends[0].type: "azure" is not supported: only s3v4 is',
  ],
  [
    "backends: [{id: a/b, type: s3v4, endpoint: 'http://h'}]",
    'c.yaml:1:13: backends[0].id: "a/b" is not 1 to 63 letters, digits, dots, underscores or hyphens, the first a letter or digit',
  ],
  [
    "backends: [{id: a, type: s3v4}]",
    "c.yaml:1:12: backends[0].endpoint: is required, or a region of AWS in its place",
  ],
  [
    "backends: [{id: a, type: s3v4, endpoint: 'http://h/path'}]",
    "c.yaml:1:32: backends[0].endpoint: is not an http(s) URL of scheme, host and port alone, such as https://s3.example.com:9000",
  ],
  [
    "backends: [{id: a, type: s3v4, endpoint: 's3.example.com'}]",
    "c.yaml:1:32: backends[0].endpoint: is not an http(s) URL of scheme, host and port alone, such as https://s3.example.com:9000",
  ],
];

const unknownKeys: [yaml: string, problem: string][] = [
  ["sever: {}", "c.yaml:1:1: sever: is not a known key; did you mean server?"],
  ["log:\n  levl: info", "c.yaml:2:3: log.levl: is not a known key; did you mean log.level?"],
  ["auth: {local: {lockout: {attempts: 3}}}", "c.yaml:1:26: auth.local.lockout.attempts: is not a known key"],
  [
    "backends:\n  - id: a\n    type: s3v4\n    endpoint: http://h\n    path-style: true",
    "c.yaml:5:5: backends[0].path-style: is not a known key; did you mean backends[0].path_style?",
  ],
  [
    "auth: {oidc: {role_mapping: {admins: [a]}}}",
    "c.yaml:1:30: auth.oidc.role_mapping.admins: is not a known key; did you mean auth.oidc.role_mapping.admin?",
  ],
  [
    "api_per_minute: 3",
    "c.yaml:1:1: api_per_minute: is not a known key; did you mean ratelimit.api_per_minute?",
  ],
  ["__proto__: {a: 1}", "c.yaml:1:1: __proto__: is not a known key"],
  ["zzz: 1", "c.yaml:1:1: zzz: is not a known key"],
];

const signIn: BadConfig[] = [
  {
    name: "oidc without its keys",
    yaml: "auth:\n  modes: [oidc]\n  oidc:\n    scopes: [email]",
    problems: [
      "c.yaml:3:3: auth.oidc.issuer: is required when auth.modes includes oidc",
      "c.yaml:3:3: auth.oidc.client_id: is required when auth.modes includes oidc",
      "c.yaml:4:5: auth.oidc.scopes: must include openid",
    ],
  },
  {
    name: "the static mode without its keys",
    yaml: "auth:\n  modes: [static]",
    problems: [
      "c.yaml:1:1: auth.static.username: is required when the static account is in use",
      "c.yaml:1:1: auth.static.password_hash_env: is required when the static account is in use",
    ],
  },
  {
    name: "an enabled static account without a name",
    yaml: "auth:\n  static:\n    enabled: true\n    password_hash_env: HASH",
    variables: { HASH: "$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHQ$aGFzaA" },
    problems: ["c.yaml:2:3: auth.static.username: is required when the static account is in use"],
  },
];

const together: BadConfig[] = [
  ...nineRules.map((rule) => ({ ...rule, name: `rule ${rule.name}` })),
  ...[...badValues, ...unknownKeys].map(([yaml, problem]) => ({ name: yaml, yaml, problems: [problem] })),
  ...signIn,
];

for (const { name, yaml, variables, problems } of together) {
  Deno.test(`refused: ${name}`, async () => {
    assert.deepEqual(await problemsOf(yaml, variables), problems);
  });
}

Deno.test("every broken rule is reported at once, in the order of the file", async () => {
  const problems = await problemsOf(
    `backends:
  - id: a
    type: s3v4
    endpoint: http://h
    access_key_env: NOT_SET
    secret_key_env: NOT_SET_EITHER
  - id: a
    type: ""
log: {level: loud, formt: json}
server: {listen: ""}
auth: {modes: [ldap], session: {lifetime: 8}}
s3_proxy: {enabled: true, listen: ""}
`,
    { SERVICE_SQLITE_PATH: "x", SERVICE_LOG_FORMAT: "xml", SERVICE_SECRET_KEY: "short" },
  );
  assert.deepEqual(problems, [
    'c.yaml:5:5: backends[0].access_key_env: "NOT_SET" names an environment variable that is not set',
    'c.yaml:6:5: backends[0].secret_key_env: "NOT_SET_EITHER" names an environment variable that is not set',
    'c.yaml:7:5: backends[1].id: "a" is already the id of backends[0]',
    "c.yaml:7:5: backends[1].endpoint: is required, or a region of AWS in its place",
    "c.yaml:8:5: backends[1].type: must not be empty",
    'c.yaml:9:7: log.level: "loud" is not one of debug, info, warn, error',
    "c.yaml:9:20: log.formt: is not a known key; did you mean log.format?",
    "c.yaml:10:10: server.listen: must not be empty",
    'c.yaml:11:16: auth.modes[0]: "ldap" is not one of local, oidc, static',
    "c.yaml:11:33: auth.session.lifetime: 8 is not a duration such as 30m, 8h or 1h30m",
    "c.yaml:12:27: s3_proxy.listen: must not be empty when s3_proxy.enabled is true",
    'SERVICE_LOG_FORMAT: log.format: "xml" is not one of json, text',
    "SERVICE_SECRET_KEY: is not 64 hexadecimal or 44 base64 characters",
  ]);
});
