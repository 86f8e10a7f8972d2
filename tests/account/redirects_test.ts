import assert from "node:assert/strict";
import { type Client, json, status } from "../support/http_client.ts";
import { testPassword, withProgram } from "../support/program.ts";

/** Where a link's author would like to send people after they have signed in. */
const targets = [
  "https://evil.example",
  "HTTPS://evil.example",
  "https:evil.example",
  "https:/evil.example",
  "//evil.example",
  "///evil.example",
  "////evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\\/evil.example",
  "\\/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r\n/evil.example",
  "\t//evil.example",
  " //evil.example",
  "\u0000//evil.example",
  "/\u0009\\evil.example",
  "/./\\evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/%2e%2e//evil.example",
  "/.//evil.example",
  "@evil.example",
  ":80@evil.example",
  ".evil.example",
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "blob:https://evil.example/1",
  "vbscript:x",
  "/\r\nlocation: https://evil.example",
  "//evil.example\\@here",
  "／／evil.example",
  "",
];

/** Where a browser that is on the sign-in page goes by a `Location`, if that is one of our pages. */
function landing(url: string, location: string | null): string {
  assert.ok(location !== null && !/[\r\n]/.test(location));
  const target = new URL(location, `${url}/login`);
  assert.equal(target.origin, new URL(url).origin, location);
  assert.doesNotMatch(target.pathname, /^\/\//, location);
  return target.pathname + target.search;
}

async function locationOf(answer: Promise<Response>): Promise<string | null> {
  const { status, headers, body } = await answer;
  await body?.cancel();
  assert.equal(status, 303);
  return headers.get("location");
}

function submit(client: Client, password: string, next: string, username = "admin"): Promise<Response> {
  const fields = new URLSearchParams({ username, password, next });
  return client.post("/auth/login/local", { body: fields });
}

const config = { auth: { local: { lockout: { max_attempts: 1000 } } } };

Deno.test("signing in leads to a page of ours, whatever `next` says", async (t) => {
  await withProgram({ config }, async (program) => {
    const admin = await program.signedIn();
    await t.step("signing in", async () => {
      for (const next of targets) {
        landing(program.url, await locationOf(submit(program.client(), testPassword, next)));
      }
    });
    await t.step("failing to, and trying again", async () => {
      for (const next of targets.slice(0, 12)) {
        const failed = landing(program.url, await locationOf(submit(program.client(), "wrong", next)));
        assert.match(failed, /^\/login\?error=invalid_credentials/);
        landing(program.url, new URL(failed, program.url).searchParams.get("next"));
      }
    });
    await t.step("being signed in already", async () => {
      for (const next of targets.flatMap((target) => [target, encodeURIComponent(target)])) {
        landing(program.url, await locationOf(admin.get(`/login?${new URLSearchParams({ next })}`)));
      }
    });
    await t.step("one that is ours stays", async () => {
      const next = "/b/one?p=a%2F&o=x";
      assert.equal(await locationOf(submit(program.client(), testPassword, next)), next);
    });
    await t.step("a password that has to be changed first", async () => {
      const account = { username: "newcomer", password: testPassword, role: "user", must_change_pw: true };
      await json(admin.post("/api/admin/users", { json: account }), 201);
      const newcomer = await program.client().signIn("newcomer", testPassword);
      const onward = async (query: URLSearchParams) => {
        const headers = { "x-page-data": "1" };
        return (await json(newcomer.get(`/me?${query}`, { headers }))).props.next;
      };
      for (const next of targets.flatMap((target) => [target, encodeURIComponent(target)])) {
        landing(program.url, await onward(new URLSearchParams({ next })));
      }
      assert.equal(await onward(new URLSearchParams()), "/");
      const next = "/b/one?p=a%2F&o=x";
      assert.equal(await locationOf(submit(program.client(), testPassword, next, "newcomer")), next);
      const choosing = await locationOf(newcomer.get(next));
      assert.equal(choosing, `/me?${new URLSearchParams({ next })}`);
      assert.equal(await onward(new URL(choosing, program.url).searchParams), next);
    });
    await t.step("a page that needs a session leads back to itself only", async () => {
      for (const path of ["/b/x?p=//evil.example", "/b//evil.example", "/me?next=https://evil.example"]) {
        const answer = await program.client().get(path);
        await answer.body?.cancel();
        if (answer.status === 303) landing(program.url, answer.headers.get("location"));
      }
      assert.equal(await status(program.client().get("//evil.example/")), 404);
    });
  });
});
