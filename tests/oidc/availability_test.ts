import assert from "node:assert/strict";
import { Discovery } from "../../src/auth/oidc/discovery.ts";
import { OidcFailure } from "../../src/auth/oidc/failure.ts";
import { Logger } from "../../src/logging/logger.ts";
import {
  endlessAnswer,
  type HostileIdentityProvider,
  neverAnswer,
  withHostileIdentityProvider,
} from "../support/hostile_identity_provider.ts";
import { json, status } from "../support/http_client.ts";
import { type Claims, IdentityProvider } from "../support/identity_provider.ts";
import { until } from "../support/poll.ts";
import { type Program, withProgram } from "../support/program.ts";
import {
  assertSignInFailed,
  reachCallback,
  signedInAs,
  signInRecords,
  singleSignOn,
  singleSignOnOptions,
  withSingleSignOn,
} from "../support/single_sign_on.ts";

const ada = { sub: "0001", preferred_username: "ada", groups: ["storage-admins"] };

Deno.test("the service does not need the provider to be up", async (t) => {
  const idp = await IdentityProvider.start({ users: { ada } });
  await idp.stop();
  try {
    await withProgram(singleSignOnOptions(idp, {}), async (program) => {
      idp.register(program.url);

      await t.step("it starts without, and passwords work", async () => {
        assert.equal(await status(program.client().get("/readyz")), 200);
        const admin = await program.signedIn();
        const client = program.client();
        const answer = await client.get("/auth/login/oidc?next=/admin/users");
        const location = answer.headers.get("location") ?? "";
        await assertSignInFailed(answer, client);
        assert.equal(new URL(location, program.url).searchParams.get("next"), "/admin/users");
        const page = await (await client.get(location)).text();
        assert.match(page, /cannot be reached|not available|unavailable/i);
        const [record] = await signInRecords(admin, client);
        assert.equal(record.status, "error");
        assert.equal(record.detail.reason, "provider_unavailable");
      });

      await t.step("it works as soon as the provider does", async () => {
        await idp.start();
        await signInWithin(program, 60_000);
      });

      await t.step("it goes away in the middle of a sign-in, and comes back with other keys", async () => {
        const session = await signedInAs(program, "ada");
        const client = program.client();
        const callback = await reachCallback(client, "ada");
        await idp.stop();
        await assertSignInFailed(await client.get(callback), client);
        assert.equal((await json(session.get("/api/me"))).username, "ada", "sessions go on");
        assert.ok(await status(session.post("/auth/logout")) < 300, "and can be ended");
        await idp.start();
        idp.rotateKeys();
        await signInWithin(program, 60_000);
      });
    });
  } finally {
    await idp.stop();
  }
});

Deno.test("a provider that hangs holds up nobody but who waits for it", () =>
  withHostileIdentityProvider((idp) =>
    withSingleSignOn(idp, {}, async (program) => {
      await signedInAs(program, "");
      idp.misconduct = { token: neverAnswer };
      const clients = Array.from({ length: 5 }, () => program.client());
      const started = performance.now();
      let ended = 0;
      const waiting = clients.map((client) => singleSignOn(client, "").finally(() => ended++));
      await until(() => idp.count("/token") >= 6, { what: "the sign-ins to wait" });
      const admin = await program.signedIn();
      assert.equal(await status(admin.get("/api/me")), 200);
      assert.equal(ended, 0, "a sign-in with a password is through while they wait");
      for (const [index, answer] of (await Promise.all(waiting)).entries()) {
        await assertSignInFailed(answer, clients[index]);
      }
      assert.ok(performance.now() - started < 40_000, "they are given up in time");
    })
  ));

Deno.test("what the provider says of itself must hold together", async (t) => {
  const wrong: Record<string, (document: Claims) => unknown> = {
    "another issuer": (document) => ({ ...document, issuer: "https://evil.example" }),
    "an issuer with a slash more": (document) => ({ ...document, issuer: `${document.issuer}/x/` }),
    "no issuer": (document) => ({ ...document, issuer: undefined }),
    "no authorization endpoint": (document) => ({ ...document, authorization_endpoint: undefined }),
    "an authorization endpoint that is a script": (document) => ({
      ...document,
      authorization_endpoint: "javascript:alert(1)",
    }),
    "no token endpoint": (document) => ({ ...document, token_endpoint: undefined }),
    "a token endpoint that is a file": (document) => ({ ...document, token_endpoint: "file:///etc/passwd" }),
    "no keys": (document) => ({ ...document, jwks_uri: undefined }),
    "only signatures by a shared secret": (document) => ({
      ...document,
      id_token_signing_alg_values_supported: ["HS256"],
    }),
    "only tokens without a signature": (document) => ({
      ...document,
      id_token_signing_alg_values_supported: ["none"],
    }),
    "a list": () => [],
  };
  await withHostileIdentityProvider(async (idp) => {
    for (const [name, change] of Object.entries(wrong)) {
      await t.step(name, async () => {
        let now = 0;
        const discovery = discoveryOf(idp, () => now);
        idp.misconduct = { discovery: (document) => change(document) as Claims };
        await assertUnavailable(discovery);
        const asked = idp.requests.length;
        await assertUnavailable(discovery);
        assert.equal(idp.requests.length, asked, "it is not asked again at once");
        idp.misconduct = {};
        now += 60_000;
        assert.equal((await discovery.metadata()).issuer, idp.issuer);
      });
    }
    await t.step("once it was right, an error does not undo it", async () => {
      let now = 0;
      const discovery = discoveryOf(idp, () => now);
      await discovery.metadata();
      idp.misconduct = { discovery: () => ({}) };
      now += 24 * 3_600_000;
      assert.equal((await discovery.metadata()).issuer, idp.issuer);
      await assert.rejects(discovery.metadata(3_600_000), OidcFailure, "who wants to know anew is told");
      assert.equal((await discovery.metadata()).issuer, idp.issuer);
    });
  });
});

Deno.test("a page, a redirect, an error and an answer without end are no description", async (t) => {
  const answers: Record<string, () => Response> = {
    "a page": () => new Response("<h1>It works</h1>", { headers: { "content-type": "text/html" } }),
    "a redirect": () => new Response(null, { status: 302, headers: { location: "/elsewhere" } }),
    "an error": () => new Response(null, { status: 503 }),
    "without end": () => endlessAnswer(() => {}),
  };
  let asked = "";
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const { pathname } = new URL(url);
    assert.equal(pathname, "/.well-known/openid-configuration");
    return answers[asked]();
  });
  try {
    for (const name of Object.keys(answers)) {
      await t.step(name, async () => {
        asked = name;
        await assertUnavailable(discoveryOf({ issuer: `http://127.0.0.1:${server.addr.port}` }, () => 0));
      });
    }
  } finally {
    await server.shutdown();
  }
});

function discoveryOf({ issuer }: Pick<HostileIdentityProvider, "issuer">, clock: () => number): Discovery {
  const logger = new Logger({ level: "error", format: "json", clock, write: () => {} });
  return new Discovery({ issuer, logger, clock });
}

async function assertUnavailable(discovery: Discovery): Promise<void> {
  await assert.rejects(
    discovery.metadata(),
    (error) => error instanceof OidcFailure && error.reason === "provider_unavailable",
  );
}

/** Tries until the provider is believed to be up again; each time from another address, for there is a limit. */
async function signInWithin(program: Program, timeoutMs: number): Promise<void> {
  await until(async () => await signedInAs(program, "ada") !== null, {
    timeoutMs,
    intervalMs: 250,
    what: "the provider to be used again",
  });
}
