import assert from "node:assert/strict";
import { join } from "node:path";
import { status } from "../support/http_client.ts";
import { withHostileIdentityProvider } from "../support/hostile_identity_provider.ts";
import { startProgram } from "../support/program.ts";
import { reachCallback, signedInAs, singleSignOn, singleSignOnOptions } from "../support/single_sign_on.ts";

Deno.test("no token, code or secret of a sign-in is in the log, the audit, an answer or the database", () =>
  withHostileIdentityProvider(async (idp) => {
    const directory = await Deno.makeTempDir({ prefix: "oidc-secrets-" });
    const seen: string[] = [];
    const secrets = new Set([idp.clientSecret]);
    try {
      const options = singleSignOnOptions(idp, { directory, config: { log: { level: "debug" } } });
      const program = await startProgram(options);
      try {
        idp.person = { sub: "root", preferred_username: "root", groups: ["storage-admins"] };
        const admin = await signedInAs(program, "");
        secrets.add(admin.cookies.get("service_session") ?? assert.fail());
        const misconducts = [
          {},
          { claims: () => ({ sub: "x" }) },
          { signature: "none" },
          {
            token: () =>
              Response.json({ error: "invalid_client", error_description: idp.clientSecret }, {
                status: 401,
              }),
          },
          { token: () => new Response(idp.clientSecret, { status: 500 }) },
          { callback: (query: URLSearchParams) => query.set("state", "guessed") },
          { callback: (query: URLSearchParams) => query.set("iss", idp.clientSecret) },
        ] as const;
        for (const misconduct of misconducts) {
          idp.misconduct = misconduct;
          const client = program.client();
          const answer = await singleSignOn(client, "");
          seen.push(await answer.text(), ...[...answer.headers].map(([, value]) => value));
          const location = answer.headers.get("location");
          if (location?.startsWith("/login")) seen.push(await (await client.get(location)).text());
          const session = client.cookies.get("service_session");
          if (session !== undefined) {
            secrets.add(session);
            // The browser that signs in is who may have its own session.
            seen.splice(0, seen.length, ...seen.map((text) => text.replaceAll(session, "")));
          }
        }
        idp.misconduct = {};
        const logout = idp.logoutToken({ sub: "nobody" });
        secrets.add(logout);
        for (const token of [logout, logout, `${logout}x`]) {
          await status(
            program.client().post("/auth/backchannel-logout", {
              body: new URLSearchParams({ logout_token: token }),
            }),
          );
        }
        const begun = program.client();
        const callback = await reachCallback(begun, "");
        const [sealed] = begun.cookies.values();
        secrets.add(sealed).add(sealed.split(".")[1] ?? sealed);
        const { state, code } = Object.fromEntries(new URL(callback, program.url).searchParams);
        secrets.add(state).add(code);
        await status(program.client().get(callback));
        for (
          const path of ["/api/admin/audit?limit=500", "/api/admin/audit.csv", "/metrics", "/api/me/sessions"]
        ) {
          seen.push(await (await admin.get(path)).text());
        }
      } finally {
        await program.stop();
      }
      seen.push(...program.child.stderr, ...program.child.stdout);
      for await (const { name } of Deno.readDir(directory)) {
        const bytes = await Deno.readFile(join(directory, name));
        seen.push(new TextDecoder("latin1").decode(bytes));
      }
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
    for (const token of idp.issued) {
      secrets.add(token);
      // A token without its signature would do some harm too.
      if (token.includes(".")) {
        for (const part of token.split(".").slice(1)) if (part !== "") secrets.add(part);
      }
    }
    const everything = seen.join("\n");
    assert.ok(everything.includes("token_invalid"), "what is searched has the failures in it");
    for (const secret of secrets) {
      const at = everything.indexOf(secret);
      assert.equal(at, -1, `${secret} in …${everything.slice(Math.max(0, at - 200), at + 50)}`);
    }
  }));
