import { Buffer } from "node:buffer";
import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type Claims, clientId } from "./identity_provider.ts";

/** How a token is signed, other than rightly. */
export type WrongSignature =
  | "none"
  | "HS256 with the client secret"
  | "HS256 with the public key"
  | "a key of somebody else"
  | "cut off";

/** What the provider does otherwise than the standards say; each part is for itself. */
export interface Misconduct {
  /** Changes the claims of the ID token; those that are `undefined` are left out. */
  readonly claims?: (claims: Claims) => Claims;
  readonly signature?: WrongSignature;
  /** Added to the header of the ID token. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** Changes the query with which the browser comes back. */
  readonly callback?: (query: URLSearchParams) => void;
  /** Answers in place of an endpoint. */
  readonly token?: (request: Request) => Response | Promise<Response>;
  readonly userinfo?: (request: Request) => Response | Promise<Response>;
  readonly keys?: (request: Request) => Response | Promise<Response>;
  /** Changes the discovery document. */
  readonly discovery?: (document: Claims) => Claims;
}

interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/**
 * An OpenID provider on a loopback port that does what a test tells it to do wrong. It asks nobody for anything: whoever comes
 * is sent back as the {@link HostileIdentityProvider.person}.
 */
export class HostileIdentityProvider {
  readonly clientSecret = randomBytes(24).toString("base64url");
  /** Who signs in next. */
  person: Claims = { sub: "mallory", preferred_username: "mallory", groups: ["storage-users"] };
  /** What goes wrong until it is changed. */
  misconduct: Misconduct = {};
  /** Method and path of every request. */
  readonly requests: string[] = [];
  /** Every token and code that was given out. */
  readonly issued: string[] = [];
  readonly #grants = new Map<string, { nonce: string; challenge: string; person: Claims }>();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #issuerPath: string;
  #key = newKey();

  private constructor(issuerPath: string) {
    this.#issuerPath = issuerPath;
    const address = { hostname: "127.0.0.1", port: 0, onListen() {} };
    this.#server = Deno.serve(address, (request) => this.#answer(request));
  }

  /** Starts a provider whose issuer has this path. */
  static start(issuerPath = ""): HostileIdentityProvider {
    return new HostileIdentityProvider(issuerPath);
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#server.addr.port}${this.#issuerPath}`;
  }

  /** What the addresses of all endpoints begin with. */
  get #base(): string {
    return this.issuer.replace(/\/$/, "");
  }

  /** It lets everyone be its client. */
  register(): void {}

  async stop(): Promise<void> {
    await this.#server.shutdown();
  }

  /** Signs with a new key from now on; the old one is not published any more. */
  rotateKeys(): void {
    this.#key = newKey();
  }

  /** How many requests came for a path. */
  count(path: string): number {
    return this.requests.filter((request) => request.endsWith(` ${path}`)).length;
  }

  /** A logout token (OpenID Connect Back-Channel Logout 1.0, 2.4), with some claims changed. */
  logoutToken(claims: Claims, signature?: WrongSignature, header: Claims = { typ: "logout+jwt" }): string {
    const now = seconds();
    const all = {
      iss: this.issuer,
      aud: clientId,
      iat: now,
      exp: now + 120,
      jti: randomBytes(12).toString("hex"),
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
      ...claims,
    };
    return this.#sign(all, signature, header);
  }

  async #answer(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const path = request.url.startsWith(this.#base) ? request.url.slice(this.#base.length).split("?")[0] : "";
    this.requests.push(`${request.method} ${path}`);
    const { misconduct } = this;
    switch (path) {
      case "/.well-known/openid-configuration":
        return Response.json(misconduct.discovery?.(this.#discovery()) ?? this.#discovery());
      case "/keys":
        return await misconduct.keys?.(request) ?? Response.json({ keys: [this.#publicKey()] });
      case "/authorize":
        return this.#authorize(searchParams);
      case "/token":
        return await misconduct.token?.(request) ?? await this.#token(request);
      case "/userinfo":
        return await misconduct.userinfo?.(request) ?? Response.json(this.person);
      default:
        return new Response("nothing here", { status: 404 });
    }
  }

  #discovery(): Claims {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.#base}/authorize`,
      token_endpoint: `${this.#base}/token`,
      userinfo_endpoint: `${this.#base}/userinfo`,
      jwks_uri: `${this.#base}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
    };
  }

  #publicKey(): Claims {
    const { id, publicKey } = this.#key;
    return { ...publicKey.export({ format: "jwk" }), kid: id, use: "sig", alg: "RS256" };
  }

  #authorize(query: URLSearchParams): Response {
    const code = randomBytes(16).toString("base64url");
    this.issued.push(code);
    this.#grants.set(code, {
      nonce: query.get("nonce") ?? "",
      challenge: query.get("code_challenge") ?? "",
      person: this.person,
    });
    const back = new URLSearchParams({ code, state: query.get("state") ?? "", iss: this.issuer });
    this.misconduct.callback?.(back);
    const location = `${query.get("redirect_uri")}?${back}`;
    return new Response(null, { status: 302, headers: { location } });
  }

  async #token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const grant = this.#grants.get(form.get("code") ?? "");
    this.#grants.delete(form.get("code") ?? "");
    const challenge = createHash("sha256").update(form.get("code_verifier") ?? "").digest("base64url");
    if (grant === undefined || challenge !== grant.challenge) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    const now = seconds();
    const { nonce, person } = grant;
    const claims = { iss: this.issuer, aud: clientId, iat: now, exp: now + 300, nonce, ...person };
    const { misconduct } = this;
    const idToken = this.#sign(
      misconduct.claims?.(claims) ?? claims,
      misconduct.signature,
      misconduct.header,
    );
    const accessToken = randomBytes(24).toString("base64url");
    this.issued.push(idToken, accessToken);
    return Response.json({
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: 300,
      id_token: idToken,
    });
  }

  #sign(claims: Claims, signature?: WrongSignature, header: Claims = {}): string {
    const algorithm = signature === "none" ? "none" : signature?.startsWith("HS256") ? "HS256" : "RS256";
    const input = `${encode({ alg: algorithm, kid: this.#key.id, ...header })}.${encode(claims)}`;
    return `${input}.${this.#signatureOf(input, signature)}`;
  }

  #signatureOf(input: string, signature?: WrongSignature): string {
    switch (signature) {
      case "none":
        return "";
      case "HS256 with the client secret":
        return createHmac("sha256", this.clientSecret).update(input).digest("base64url");
      case "HS256 with the public key": {
        const pem = this.#key.publicKey.export({ type: "spki", format: "pem" });
        return createHmac("sha256", pem).update(input).digest("base64url");
      }
      case "a key of somebody else":
        return sign("sha256", Buffer.from(input), newKey().privateKey).toString("base64url");
      case "cut off":
        return sign("sha256", Buffer.from(input), this.#key.privateKey).toString("base64url").slice(0, -8);
      default:
        return sign("sha256", Buffer.from(input), this.#key.privateKey).toString("base64url");
    }
  }
}

/** Runs `body` with a provider whose issuer has this path. It is stopped whatever happens. */
export async function withHostileIdentityProvider<T>(
  body: (provider: HostileIdentityProvider) => Promise<T>,
  issuerPath = "",
): Promise<T> {
  const provider = HostileIdentityProvider.start(issuerPath);
  try {
    return await body(provider);
  } finally {
    await provider.stop();
  }
}

/** An answer that never comes; the request is let go when the client gives up. */
export function neverAnswer(request: Request): Promise<Response> {
  return new Promise((resolve) => {
    request.signal.addEventListener("abort", () => resolve(new Response(null)));
  });
}

/** A JSON answer without end. `sent` is called with the size of each piece, in bytes. */
export function endlessAnswer(sent: (bytes: number) => void): Response {
  const piece = new TextEncoder().encode("x".repeat(65_536));
  let begun = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(begun ? piece : new TextEncoder().encode('{"access_token":"'));
      begun = true;
      sent(piece.length);
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

function newKey(): SigningKey {
  const id = randomBytes(8).toString("hex");
  return { id, ...generateKeyPairSync("rsa", { modulusLength: 2048 }) };
}

function encode(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
