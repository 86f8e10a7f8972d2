import { generateKeyPairSync, type JsonWebKey, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
// @ts-types="./oidc_provider.d.ts"
import Provider, { type Adapter, type Context, type Payload } from "oidc-provider";

/** What the provider says of a person, by claim; `sub` is the user name unless it is among them. */
export type Claims = Readonly<Record<string, unknown>>;

/** How an {@link IdentityProvider} behaves. */
export interface IdentityProviderOptions {
  /** People by the name they sign in with. */
  readonly users?: Readonly<Record<string, Claims>>;
  /** Where claims other than `sub` are: the ID token unless told. */
  readonly claimsIn?: "id_token" | "userinfo";
  /** Whether it has an end-session endpoint, as it has unless told. */
  readonly endSession?: boolean;
  /** Whether ID and logout tokens name the session at the provider, as they do unless told. */
  readonly sessionIds?: boolean;
  /** Without a secret the client is a public one. */
  readonly clientSecret?: string | null;
}

/** The only client of the provider. */
export const clientId = "dashboard";

/** Claims that can be asked for, besides the standard ones: names under which providers list groups. */
const groupClaims = ["groups", "roles", "realm_access", "resource_access", "https://idp.example/groups"];

/** An OpenID provider that follows the standards, on a loopback port. Its sign-in page asks for a user name only. */
export class IdentityProvider {
  readonly clientSecret: string | null;
  readonly #options: IdentityProviderOptions;
  readonly #users: Map<string, Claims>;
  readonly #records = new Map<string, Payload>();
  readonly #cookieKeys = [randomBytes(32).toString("hex")];
  #keys = [newKey()];
  #client: Record<string, unknown> | null = null;
  #provider: Provider | null = null;
  #server: Server | null = null;
  #port = 0;
  /** How many requests came for each path. */
  readonly requests = new Map<string, number>();

  private constructor(options: IdentityProviderOptions) {
    this.#options = options;
    this.#users = new Map(Object.entries(options.users ?? {}));
    this.clientSecret = options.clientSecret === undefined
      ? randomBytes(24).toString("base64url")
      : options.clientSecret;
  }

  /** Starts a provider, which has no client before {@link register}. */
  static async start(options: IdentityProviderOptions = {}): Promise<IdentityProvider> {
    const provider = new IdentityProvider(options);
    await provider.start();
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens, again on the port it had before. */
  async start(): Promise<void> {
    const server = createServer((request, response) => this.#answer(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", resolve);
    });
    this.#server = server;
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    this.#port = address.port;
    this.#provider ??= this.#build();
  }

  /** Closes the port; sessions and codes are kept for the next start. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  /** Makes the program at `url` the client. */
  register(url: string): void {
    this.#client = {
      client_id: clientId,
      ...(this.clientSecret === null
        ? { token_endpoint_auth_method: "none" }
        : { client_secret: this.clientSecret }),
      redirect_uris: [`${url}/auth/callback`],
      post_logout_redirect_uris: [url, `${url}/`, `${url}/login`],
      backchannel_logout_uri: `${url}/auth/backchannel-logout`,
      backchannel_logout_session_required: this.#options.sessionIds ?? true,
    };
    this.#provider = this.#build();
  }

  /** Adds a person or changes what is said of one. */
  setUser(username: string, claims: Claims): void {
    this.#users.set(username, claims);
  }

  /** Signs with a new key from now on; the old one is not published any more. */
  rotateKeys(): void {
    this.#keys = [newKey()];
    this.#provider = this.#build();
  }

  /** Tells the client that every session of a person has ended. Throws when the client does not take it. */
  async endSessions(username: string): Promise<void> {
    const client = await this.#provider?.Client.find(clientId);
    if (client === undefined) throw new Error("no client is registered");
    await client.backchannelLogout(this.#subject(username));
  }

  #subject(username: string): string {
    return String(this.#users.get(username)?.sub ?? username);
  }

  #build(): Provider {
    const { claimsIn = "id_token", endSession = true } = this.#options;
    return new Provider(this.issuer, {
      adapter: (kind: string) => recordsOf(kind, this.#records),
      clients: this.#client === null ? [] : [this.#client],
      jwks: { keys: this.#keys },
      cookies: { keys: this.#cookieKeys },
      claims: {
        openid: ["sub"],
        profile: ["name", "preferred_username", "nickname", "given_name", "family_name", ...groupClaims],
        email: ["email", "email_verified"],
      },
      conformIdTokenClaims: claimsIn === "userinfo",
      pkce: { required: () => true },
      ttl: ttls,
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: endSession, logoutSource, postLogoutSuccessSource },
      },
      interactions: { url: (_: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
      fetch: fetchWhole,
      findAccount: (_: Context, subject: string) => this.#account(subject),
      loadExistingGrant: (context: Context) => this.#grant(context),
      renderError: (context: Context, out: Record<string, string>) => {
        context.type = "text";
        context.body = `${out.error}: ${out.error_description}`;
      },
    });
  }

  #account(subject: string) {
    const username = [...this.#users.keys()].find((name) => this.#subject(name) === subject);
    if (username === undefined) return undefined;
    return { accountId: subject, claims: () => ({ ...this.#users.get(username), sub: subject }) };
  }

  /** Everyone lets the client see everything: there is no page that asks for it. */
  async #grant({ oidc: { client, session } }: Context) {
    if (this.#provider === null) return undefined;
    const grant = new this.#provider.Grant({ accountId: session.accountId, clientId: client.clientId });
    grant.addOIDCScope("openid profile email");
    await grant.save();
    return grant;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "/").split("?")[0];
    this.requests.set(path, (this.requests.get(path) ?? 0) + 1);
    if (path.startsWith("/interaction/")) return await this.#interact(request, response);
    if (path === "/favicon.ico") return void response.writeHead(204).end();
    this.#provider?.callback()(request, response);
  }

  /** The sign-in page: a form with a user name, or a refusal of the person. */
  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider;
    if (provider === null) return;
    const { uid } = await provider.interactionDetails(request, response);
    const form = request.method === "POST" ? await readForm(request) : null;
    const username = form?.get("username") ?? "";
    if (form?.has("cancel")) {
      const refused = { error: "access_denied", error_description: "The person said no." };
      return await provider.interactionFinished(request, response, refused);
    }
    if (this.#users.has(username)) {
      const login = { accountId: this.#subject(username) };
      return await provider.interactionFinished(request, response, { login });
    }
    const notice = form === null ? "" : "<p>There is no such user.</p>";
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page(
      "Sign in",
      `${notice}<form method="post" action="/interaction/${uid}">
        <label>User name <input name="username" autofocus></label>
        <button>Continue</button> <button name="cancel" value="1">Cancel</button>
      </form>`,
    ));
  }
}

/** Runs `body` with a provider, which is stopped whatever happens. */
export async function withIdentityProvider<T>(
  options: IdentityProviderOptions,
  body: (provider: IdentityProvider) => Promise<T>,
): Promise<T> {
  const provider = await IdentityProvider.start(options);
  try {
    return await body(provider);
  } finally {
    await provider.stop();
  }
}

/** Seconds that records are good for; told so that the library does not warn of its defaults. */
const ttls = {
  AccessToken: 600,
  AuthorizationCode: 60,
  Grant: 3600,
  IdToken: 600,
  Interaction: 600,
  Session: 3600,
};

/** `fetch` whose answers have been read: the library leaves those to logout tokens unread, which leaks them. */
async function fetchWhole(url: string, options: RequestInit): Promise<Response> {
  const { status, headers, body } = await fetch(url, options);
  const text = await new Response(body).text();
  return new Response(text === "" ? null : text, { status, headers });
}

function newKey(): JsonWebKey {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    ...privateKey.export({ format: "jwk" }),
    kid: randomBytes(8).toString("hex"),
    use: "sig",
    alg: "RS256",
  };
}

function logoutSource(context: Context, form: string): void {
  context.body = page(
    "Sign out",
    `${form}<button form="op.logoutForm" name="logout" value="yes">Sign out everywhere</button>`,
  );
}

function postLogoutSuccessSource(context: Context): void {
  context.body = page("Signed out", "<p>You are signed out of the identity provider.</p>");
}

function page(title: string, content: string): string {
  return `<!DOCTYPE html><html lang="en"><title>${title}</title><h1>${title}</h1>${content}</html>`;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
}

/** The records of one kind in `records`; nothing expires in the time of a test. */
function recordsOf(kind: string, records: Map<string, Payload>): Adapter {
  const keyOf = (id: string) => `${kind}:${id}`;
  return {
    upsert(id, payload) {
      records.set(keyOf(id), payload);
      return Promise.resolve();
    },
    find: (id) => Promise.resolve(records.get(keyOf(id))),
    findByUid(uid) {
      const found = [...records].find(([key, payload]) => key.startsWith(`${kind}:`) && payload.uid === uid);
      return Promise.resolve(found?.[1]);
    },
    findByUserCode: () => Promise.resolve(undefined),
    consume(id) {
      const record = records.get(keyOf(id));
      if (record !== undefined) record.consumed = Math.floor(Date.now() / 1000);
      return Promise.resolve();
    },
    destroy(id) {
      records.delete(keyOf(id));
      return Promise.resolve();
    },
    revokeByGrantId(grantId) {
      for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
      return Promise.resolve();
    },
  };
}
