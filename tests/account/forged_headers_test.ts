import assert from "node:assert/strict";
import { backendId, bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { testPassword, withProgram } from "../support/program.ts";
import { withUpstream } from "../support/upstreams.ts";

// Each client of these tests claims another address, in `X-Forwarded-For`; the program is told to believe somebody else.
const config = { server: { trusted_proxies: ["192.0.2.0/24", "2001:db8::/32"] } };
const credentials = { username: "admin", password: testPassword };

/** What somebody may write who is no proxy of ours. */
const forged = {
  "x-forwarded-for": "192.0.2.1, 203.0.113.9",
  "x-forwarded-proto": "https",
  "x-forwarded-host": "evil.example",
  "forwarded": "for=203.0.113.9;proto=https;host=evil.example",
  "x-real-ip": "203.0.113.9",
};

Deno.test("what strangers say of proxies is believed in nothing", async (t) => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async ({ program, client, upload }) => {
      await upload("plan.txt", "the plan");

      await t.step("the address that is recorded and shown", async () => {
        const other = program.client();
        await status(other.post("/auth/login/local", { json: credentials, headers: forged }));
        const { sessions } = await json(other.get("/api/me/sessions"));
        assert.deepEqual([...new Set(sessions.map(({ ip }: { ip: string }) => ip))], ["127.0.0.1"]);
        const { events } = await json(client.get("/api/admin/audit?limit=500"));
        assert.deepEqual([...new Set(events.map(({ ip }: { ip: string }) => ip))], ["127.0.0.1"]);
      });

      await t.step("TLS", async () => {
        const answer = await program.client().post("/auth/login/local", {
          json: credentials,
          headers: forged,
        });
        await answer.body?.cancel();
        assert.equal(answer.status, 200);
        assert.ok(answer.headers.getSetCookie().every((line) => !line.includes("Secure")));
        assert.equal(answer.headers.get("strict-transport-security"), null);
      });

      await t.step("the origin of links", async () => {
        const body = { backend_id: backendId, bucket: bucketName, key: "plan.txt" };
        const made = await json(client.post("/api/shares", { json: body, headers: forged }), 201);
        assert.ok(made.url.startsWith(`${program.url}/s/`), made.url);
        const { shares } = await json(client.get("/api/shares", { headers: forged }));
        assert.equal(shares[0].url, made.url);
      });

      await t.step("the origin that a mutation has to come from", async () => {
        const headers = { ...forged, origin: "https://evil.example" };
        assert.equal(
          await refusal(program.client().post("/auth/login/local", { json: credentials, headers })),
          "403 csrf_invalid",
        );
      });

      await t.step("the address that links are limited by", async () => {
        const visits = Array.from(
          { length: 12 },
          () => refusal(program.client().get("/s/0123456789012345678901/info")),
        );
        const answers = await Promise.all(visits);
        assert.equal(answers.filter((answer) => answer === "404 not_found").length, 10, answers.join());
        assert.equal(answers.filter((answer) => answer === "429 rate_limited").length, 2);
      });
    }, { config }));
});

Deno.test("guesses at passwords are limited by the address that they come from, not by what they say", () =>
  withProgram({ config }, async (program) => {
    const guess = (index: number, headers: Record<string, string> = {}) =>
      refusal(
        program.client().post("/auth/login/local", {
          json: { username: `user${index}`, password: "a guess" },
          headers,
        }),
      );
    for (let index = 0; index < 10; index++) assert.equal(await guess(index), "401 invalid_credentials");
    assert.equal(await guess(10), "429 rate_limited");
    assert.equal(await guess(11, forged), "429 rate_limited");
    assert.equal(await guess(12, { "x-forwarded-for": "2001:db8::1" }), "429 rate_limited");
  }));

Deno.test("behind a proxy of ours, what its clients have written before it counts for nothing", () =>
  withProgram({ config: { server: { trusted_proxies: ["127.0.0.0/8", "::1/128"] } } }, async (program) => {
    // The proxy appends the address that it sees; everything left of that is the client's.
    const through = (claimed: string) => ({ "x-forwarded-for": `${claimed}, 198.51.100.7` });
    const guess = (index: number) =>
      refusal(
        program.client().post("/auth/login/local", {
          json: { username: `user${index}`, password: "a guess" },
          headers: through(`203.0.113.${index}`),
        }),
      );
    for (let index = 0; index < 10; index++) assert.equal(await guess(index), "401 invalid_credentials");
    assert.equal(await guess(10), "429 rate_limited");
    const admin = await program.signedIn();
    const { events } = await json(admin.get("/api/admin/audit?status=error"));
    assert.deepEqual([...new Set(events.map(({ ip }: { ip: string }) => ip))], ["198.51.100.7"]);
  }));
