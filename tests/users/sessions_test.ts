import assert from "node:assert/strict";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";

const users = { admin: "admin", ann: "user", bob: "user" } as const;

interface SessionJson {
  readonly id: string;
  readonly current: boolean;
  readonly ip: string;
  readonly user_agent: string;
}

async function idOf(client: Client): Promise<string> {
  return (await json(client.get("/api/me"))).id;
}

Deno.test("an administrator sees a user's sessions and ends them", async (t) => {
  await withProgram({ users }, async (program) => {
    const admin = await program.signedIn();
    const [here, there, bob] = await Promise.all(["ann", "ann", "bob"].map((name) => program.signedIn(name)));
    const [annId, bobId, adminId] = await Promise.all([here, bob, admin].map(idOf));
    const path = (id: string) => `/api/admin/users/${id}/sessions`;
    const list = async (id: string): Promise<SessionJson[]> => (await json(admin.get(path(id)))).sessions;

    await t.step("each with its address and program", async () => {
      const sessions = await list(annId);
      assert.deepEqual(sessions.map(({ ip }) => ip).sort(), [here.ip, there.ip].sort());
      assert.ok(sessions.every(({ current, user_agent }) => !current && user_agent.startsWith("Deno/")));
      assert.deepEqual((await list(adminId)).map(({ current }) => current), [true]);
    });

    await t.step("the list of users counts them", async () => {
      const found = (await json(admin.get("/api/admin/users?query=ann"))).users[0];
      assert.equal(found.session_count, 2);
      assert.ok(Math.abs(Date.parse(found.last_seen_at) - Date.now()) < 60_000);
    });

    await t.step("one of somebody else, or of nobody, is not found", async () => {
      const [{ id }] = await list(bobId);
      assert.equal(await refusal(admin.delete(`${path(annId)}/${id}`)), "404 not_found");
      assert.equal(await refusal(admin.delete(`${path(annId)}/missing`)), "404 not_found");
      assert.equal(await refusal(admin.get(path("missing"))), "404 not_found");
      assert.equal(await refusal(admin.delete(path("missing"))), "404 not_found");
      assert.equal(await status(bob.get("/api/me")), 200);
    });

    await t.step("one that is ended is out at its next request, the other is not", async () => {
      const ended = (await list(annId)).find(({ ip }) => ip === there.ip);
      assert.equal(await status(admin.delete(`${path(annId)}/${ended?.id}`)), 204);
      assert.equal(await refusal(there.get("/api/me")), "401 unauthorized");
      assert.equal(await status(here.get("/api/me")), 200);
      const { events: [row] } = await json(admin.get("/api/admin/audit?action=user.sessions.end&limit=1"));
      assert.deepEqual([row.user_id, row.status], [adminId, "ok"]);
      assert.deepEqual(row.detail, { user_id: annId, username: "ann", session_id: ended?.id });
    });

    await t.step("all of a user's end at once, all of one's own but the current one", async () => {
      await program.signedIn("ann");
      assert.deepEqual(await json(admin.delete(path(annId))), { ended: 2 });
      assert.equal(await refusal(here.get("/api/me")), "401 unauthorized");
      assert.deepEqual(await list(annId), []);
      const elsewhere = await program.signedIn();
      assert.deepEqual(await json(admin.delete(path(adminId))), { ended: 1 });
      assert.equal(await refusal(elsewhere.get("/api/me")), "401 unauthorized");
      assert.equal(await status(admin.get("/api/me")), 200);
      const { events: [, row] } = await json(admin.get("/api/admin/audit?action=user.sessions.end&limit=2"));
      assert.deepEqual(row.detail, { user_id: annId, username: "ann", sessions: 2 });
    });

    await t.step("and nobody else may, nor without the token", async () => {
      assert.equal(await refusal(bob.get(path(adminId))), "403 forbidden");
      assert.equal(await refusal(bob.delete(path(adminId))), "403 forbidden");
      assert.equal(await refusal(admin.delete(path(bobId), { withoutCsrf: true })), "403 csrf_invalid");
      assert.equal(await status(bob.get("/api/me")), 200);
    });
  });
});
