import { z } from "zod";
import { addressesCollide } from "./listen_address.ts";
import { type Finding, formatValue, type KeyPath } from "./problem.ts";
import {
  authSchema,
  backendSchema,
  oidcSchema,
  s3ProxySchema,
  serverSchema,
  staticSchema,
} from "./schema.ts";
import { isTree, type Tree } from "./source.ts";

/** `undefined` in place of a value that breaks its own rules: no rule about several keys is then checked with it. */
function usable<S extends z.ZodType>(schema: S) {
  return schema.optional().catch(undefined);
}

/** A section of which unknown keys are skipped, and a wrong type is read as an empty one. */
function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.preprocess((value) => isTree(value) ? value : {}, z.object(shape));
}

/** A backend; of an item that is no mapping, nothing can be used. */
const backendInput = z.object({
  id: usable(backendSchema.shape.id),
  endpoint: usable(backendSchema.shape.endpoint),
  region: usable(backendSchema.shape.region),
  access_key_env: usable(backendSchema.shape.access_key_env),
  secret_key_env: usable(backendSchema.shape.secret_key_env),
}).catch({});

const ruleInput = section({
  server: section({ listen: usable(serverSchema.shape.listen) }),
  auth: section({
    modes: usable(authSchema.shape.modes),
    oidc: section({
      issuer: usable(oidcSchema.shape.issuer),
      client_id: usable(oidcSchema.shape.client_id),
      client_secret_env: usable(oidcSchema.shape.client_secret_env),
      scopes: usable(oidcSchema.shape.scopes),
    }),
    static: section({
      enabled: usable(staticSchema.shape.enabled),
      username: usable(staticSchema.shape.username),
      password_hash_env: usable(staticSchema.shape.password_hash_env),
    }),
  }),
  backends: z.preprocess((value) => Array.isArray(value) ? value : [], z.array(backendInput)),
  s3_proxy: section({
    enabled: usable(s3ProxySchema.shape.enabled),
    listen: usable(s3ProxySchema.shape.listen),
  }),
});

/** The values that rules across keys look at, defaults included; those that cannot be used are `undefined`. */
export type RuleInput = z.output<typeof ruleInput>;

/** Reads {@link RuleInput} from a configuration that may be broken elsewhere. */
export function readRuleInput(tree: Tree): RuleInput {
  return ruleInput.parse(tree);
}

/** Checks the rules that span several keys. */
export function ruleFindings(input: RuleInput): Finding[] {
  return [
    ...listenFindings(input),
    ...input.backends.flatMap((_, index) => backendFindings(input, index)),
    ...(usesOidc(input) ? oidcFindings(input.auth.oidc) : []),
    ...(usesStaticAccount(input.auth) ? staticFindings(input.auth.static) : []),
  ];
}

/** Whether people sign in with an identity provider. */
export function usesOidc(input: RuleInput): boolean {
  return input.auth.modes?.includes("oidc") ?? false;
}

/** Whether the static account can sign in: it is enabled, or `static` is among the modes. */
export function usesStaticAccount(auth: RuleInput["auth"]): boolean {
  return auth.static.enabled === true || (auth.modes?.includes("static") ?? false);
}

/** The specification's ninth rule. */
function listenFindings({ server, s3_proxy }: RuleInput): Finding[] {
  const path = ["s3_proxy", "listen"];
  if (!s3_proxy.enabled || s3_proxy.listen === undefined) return [];
  if (s3_proxy.listen === null) return [{ path, rule: "must not be empty when s3_proxy.enabled is true" }];
  if (server.listen === undefined || !addressesCollide(server.listen, s3_proxy.listen)) return [];
  const rule = `must differ from server.listen (${server.listen.text})`;
  return [{ path, value: formatValue(s3_proxy.listen.text), rule }];
}

function backendFindings({ backends }: RuleInput, index: number): Finding[] {
  const { id, endpoint, region, access_key_env, secret_key_env } = backends[index];
  const findings: Finding[] = [];
  const report = (key: string, rule: string, value?: string) => {
    findings.push({ path: ["backends", index, key], value, rule });
  };
  const twin = backends.findIndex((backend) => id !== undefined && backend.id === id);
  if (twin !== -1 && twin < index) report("id", `is already the id of backends[${twin}]`, formatValue(id));
  if (endpoint === "" && region === "") report("endpoint", "is required, or a region of AWS in its place");
  if (access_key_env === "" && secret_key_env) report("access_key_env", "is required with secret_key_env");
  if (secret_key_env === "" && access_key_env) report("secret_key_env", "is required with access_key_env");
  return findings;
}

function oidcFindings(oidc: RuleInput["auth"]["oidc"]): Finding[] {
  const reason = "is required when auth.modes includes oidc";
  const findings = (["issuer", "client_id"] as const)
    .filter((key) => oidc[key] === "")
    .map((key): Finding => ({ path: ["auth", "oidc", key], rule: reason }));
  if (oidc.scopes !== undefined && !oidc.scopes.includes("openid")) {
    // OpenID Connect Core 1.0, section 3.1.2.1.
    findings.push({ path: ["auth", "oidc", "scopes"], rule: "must include openid" });
  }
  return findings;
}

function staticFindings(account: RuleInput["auth"]["static"]): Finding[] {
  const path = (key: string): KeyPath => ["auth", "static", key];
  return (["username", "password_hash_env"] as const)
    .filter((key) => account[key] === "")
    .map((key) => ({ path: path(key), rule: "is required when the static account is in use" }));
}
