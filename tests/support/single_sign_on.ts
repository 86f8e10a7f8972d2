import assert from "node:assert/strict";
import { type Client, json } from "./http_client.ts";
import { clientId } from "./identity_provider.ts";
import { type Program, type ProgramOptions, withProgram } from "./program.ts";

/** What a program has to know of a provider. */
export interface ProviderAccess {
  readonly issuer: string;
  /** Without a secret the client is a public one. */
  readonly clientSecret: string | null;
  /** Tells the provider where the program is. */
  register(url: string): void;
}

/** What a {@link Program} with single sign-on is started with. */
export interface SingleSignOnOptions extends ProgramOptions {
  /** Keys of `auth.oidc`, over those that are needed and the mapping of {@link roleMapping}. */
  readonly oidc?: Record<string, unknown>;
  /** Other keys of `auth`. */
  readonly auth?: Record<string, unknown>;
}

/** Which groups give which role, unless a test says otherwise. */
export const roleMapping = {
  admin: ["storage-admins"],
  user: ["storage-users", "developers"],
  readonly: ["everyone"],
};

/** Runs `body` with a program whose users sign in with `provider`, or with a password. */
export function withSingleSignOn<T>(
  provider: ProviderAccess,
  options: SingleSignOnOptions,
  body: (program: Program) => Promise<T>,
): Promise<T> {
  return withProgram(singleSignOnOptions(provider, options), async (program) => {
    provider.register(program.url);
    return await body(program);
  });
}

/** What a program is started with to do as {@link withSingleSignOn} says. */
export function singleSignOnOptions(
  { issuer, clientSecret }: ProviderAccess,
  { oidc, auth, config, env, ...options }: SingleSignOnOptions,
): ProgramOptions {
  const secret: Record<string, string> = clientSecret === null ? {} : { [secretVariable]: clientSecret };
  return {
    ...options,
    env: { ...secret, ...env },
    config: {
      ...config,
      auth: {
        modes: ["local", "oidc"],
        ...auth,
        oidc: {
          issuer,
          client_id: clientId,
          client_secret_env: clientSecret === null ? "" : secretVariable,
          role_claim: "groups",
          role_mapping: roleMapping,
          ...oidc,
        },
      },
    },
  };
}

const secretVariable = "TEST_OIDC_CLIENT_SECRET";

/** A person's browser at the provider: keeps its cookies there. */
export class ProviderVisit {
  readonly #cookies = new Map<string, string>();

  /**
   * Goes to an address of the provider, signs in as `username` where asked for a name, or cancels without one, and returns the
   * address outside of the provider that the browser is sent to at the end.
   */
  async goTo(start: string, username: string | null): Promise<URL> {
    const { origin } = new URL(start);
    let answer = await this.#fetch(new URL(start));
    for (let step = 0; step < 10; step++) {
      const location = answer.headers.get("location");
      const text = await answer.text();
      if (location === null) {
        const form = formOf(text);
        assert.ok(form !== null && !text.includes("There is no such user"), `${answer.status} ${text}`);
        const fields: Record<string, string> = username === null
          ? { cancel: "1" }
          : { username, logout: "yes" };
        answer = await this.#fetch(
          new URL(form.action, origin),
          new URLSearchParams({ ...form.fields, ...fields }),
        );
        continue;
      }
      const target = new URL(location, origin);
      if (target.origin !== origin) return target;
      answer = await this.#fetch(target);
    }
    throw new Error(`${start} leads nowhere`);
  }

  async #fetch(url: URL, form?: URLSearchParams): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, {
      method: form === undefined ? "GET" : "POST",
      headers: { cookie },
      body: form,
      redirect: "manual",
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair] = line.split(";");
      const separator = pair.indexOf("=");
      const name = pair.slice(0, separator);
      if (/expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, pair.slice(separator + 1));
    }
    return answer;
  }
}

/** Begins a sign-in at the program and returns the address at the provider that it sends the browser to. */
export async function beginSignIn(client: Client, next?: string): Promise<string> {
  const query = next === undefined ? "" : `?next=${encodeURIComponent(next)}`;
  const answer = await client.get(`/auth/login/oidc${query}`);
  const text = await answer.text();
  assert.ok(answer.status === 302 || answer.status === 303, `${answer.status} ${text}`);
  return answer.headers.get("location") ?? assert.fail("no redirect");
}

/** Begins a sign-in and goes through it at the provider; returns path and query of the callback, which is not called yet. */
export async function reachCallback(
  client: Client,
  username: string | null,
  { next, visit = new ProviderVisit() }: { next?: string; visit?: ProviderVisit } = {},
): Promise<string> {
  const callback = await visit.goTo(await beginSignIn(client, next), username);
  assert.equal(callback.origin, client.url);
  return callback.pathname + callback.search;
}

/** Signs in with the provider; returns the program's answer to the callback. */
export async function singleSignOn(
  client: Client,
  username: string | null,
  options: { next?: string; visit?: ProviderVisit } = {},
): Promise<Response> {
  return await client.get(await reachCallback(client, username, options));
}

/** A client that has signed in with the provider. Throws when that fails. */
export async function signedInAs(
  program: Program,
  username: string,
  options: { next?: string; visit?: ProviderVisit } = {},
): Promise<Client> {
  const client = program.client();
  const answer = await singleSignOn(client, username, options);
  await answer.body?.cancel();
  assert.ok(client.cookies.has("service_session"), `${answer.status} ${answer.headers.get("location")}`);
  return client;
}

/** The form of a page of the provider: where it goes, and its hidden fields. */
function formOf(text: string): { action: string; fields: Record<string, string> } | null {
  const action = /<form[^>]* action="([^"]*)"/.exec(text)?.[1];
  if (action === undefined) return null;
  const hidden = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return { action, fields: Object.fromEntries([...hidden].map(([, name, value]) => [name, value])) };
}

/** Checks that a sign-in has failed as one with single sign-on does: back to the sign-in page, and nobody is signed in. */
export async function assertSignInFailed(answer: Response, client: Client, what = ""): Promise<void> {
  const text = await answer.text();
  assert.equal(answer.status, 303, `${what} ${text}`);
  const location = new URL(answer.headers.get("location") ?? "", client.url);
  assert.equal(location.origin, client.url, what);
  assert.equal(location.pathname, "/login", `${what} ${location}`);
  assert.equal(location.searchParams.get("error"), "oidc_failed", what);
  assert.ok(!client.cookies.has("service_session"), `${what}: a session began`);
}

/** An audit record of a sign-in, as the API gives it. */
export interface SignInRecord {
  readonly user_id: string;
  readonly status: string;
  readonly ip: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The audit records of sign-ins from a client's address, the latest first. */
export async function signInRecords(admin: Client, { ip }: Client): Promise<SignInRecord[]> {
  const { events } = await json(admin.get("/api/admin/audit?action=auth.login&limit=500"));
  return events.filter((event: SignInRecord) => event.ip === ip);
}
