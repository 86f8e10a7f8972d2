import assert from "node:assert/strict";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { testPassword, withProgram } from "../support/program.ts";

const config = { auth: { local: { allow_self_registration: true } } };
const credentials = { username: "admin", password: testPassword };

/** What browsers say of a request that another site's page has sent. */
function foreignHeaders(url: string): Record<string, Record<string, string>> {
  const { host, hostname } = new URL(url);
  return {
    "another site": { "sec-fetch-site": "cross-site" },
    "another site, in capitals": { "sec-fetch-site": "Cross-Site" },
    "another origin": { origin: "https://evil.example" },
    "an origin without a name": { origin: "null" },
    "our name as a beginning": { origin: `http://${host}.evil.example` },
    "our name as a user": { origin: `http://${host}@evil.example` },
    "our name with another port": { origin: `http://${hostname}:1` },
    "another host of our domain": { "sec-fetch-site": "same-site", origin: "https://evil.example" },
    "another port of our host": { "sec-fetch-site": "same-site", origin: `http://${hostname}:1` },
    "no origin at all": { origin: "" },
  };
}

/** What another site would want a browser to send without a session of ours. */
const requests: Readonly<
  Record<string, (client: Client, headers: Record<string, string>) => Promise<Response>>
> = {
  "a sign-in": (client, headers) => client.post("/auth/login/local", { headers, json: credentials }),
  "a sign-in by form": (client, headers) =>
    client.post("/auth/login/local", { headers, body: new URLSearchParams(credentials) }),
  "a registration": (client, headers) =>
    client.post("/auth/register", { headers, json: { ...credentials, username: "newcomer" } }),
  "an unlocking": (client, headers) =>
    client.post("/s/0123456789012345678901/unlock", { headers, json: { password: "guess" } }),
  "an unlocking by form": (client, headers) =>
    client.post("/s/0123456789012345678901/unlock", {
      headers,
      body: new URLSearchParams({ password: "guess" }),
    }),
};

Deno.test("what another site has a browser send without a session is refused, and changes nothing", async (t) => {
  await withProgram({ config }, async (program) => {
    for (const [what, send] of Object.entries(requests)) {
      await t.step(what, async () => {
        for (const [from, headers] of Object.entries(foreignHeaders(program.url))) {
          const client = program.client();
          assert.equal(await refusal(send(client, headers)), "403 csrf_invalid", from);
          assert.equal(client.cookies.size, 0, from);
        }
      });
    }
    const admin = await program.signedIn();
    assert.equal((await json(admin.get("/api/admin/users"))).total, 1);
  });
});

Deno.test("what one's own pages and programs send is not", () =>
  withProgram({ config }, async (program) => {
    const own: Record<string, string>[] = [
      {},
      { origin: program.url },
      { "sec-fetch-site": "same-origin", origin: program.url },
      { "sec-fetch-site": "none" },
    ];
    for (const headers of own) {
      const what = JSON.stringify(headers);
      assert.equal(await status(requests["a sign-in"](program.client(), headers)), 200, what);
      assert.equal(await status(requests["a sign-in by form"](program.client(), headers)), 303, what);
      assert.equal(await refusal(requests["an unlocking"](program.client(), headers)), "404 not_found", what);
    }
  }));

Deno.test("a page of another site cannot sign somebody out or be read by them", () =>
  withProgram({}, async (program) => {
    const client = await program.signedIn();
    assert.equal(await status(client.get("/auth/logout")), 405);
    const answer = await client.get("/api/me", { headers: { origin: "https://evil.example" } });
    await answer.body?.cancel();
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
    const preflight = await client.request("OPTIONS", "/api/me", {
      headers: { "origin": "https://evil.example", "access-control-request-method": "DELETE" },
    });
    await preflight.body?.cancel();
    assert.equal(preflight.headers.get("access-control-allow-origin"), null);
    assert.equal(await status(client.get("/api/me")), 200);
  }));
