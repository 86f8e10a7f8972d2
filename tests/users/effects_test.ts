import assert from "node:assert/strict";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { type Endpoint, endpointBackend, type EndpointKeys, withEndpoint } from "../support/endpoint.ts";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { testPassword } from "../support/program.ts";
import { refusalOf, s3Client } from "../support/s3_client.ts";

const users = "/api/admin/users";
const target = { backend_id: endpointBackend, bucket: "bucket" };
const object = (key: string) => `/api/backends/${endpointBackend}/buckets/bucket/object?key=${key}`;

/** A user with two open sessions, a credential for the S3 endpoint, a link and a pin. */
interface Person {
  readonly id: string;
  readonly path: string;
  readonly sessions: readonly Client[];
  readonly keys: EndpointKeys;
  readonly link: string;
  readonly shareId: number;
}

async function settle({ client: admin, program, mint }: Endpoint, username: string): Promise<Person> {
  const user = { username, password: testPassword, role: "user" };
  const { id } = await json(admin.post(users, { json: user }), 201);
  const sessions = [await program.signedIn(username), await program.signedIn(username)];
  const { code, id: shareId } = await json(
    sessions[0].post("/api/shares", { json: { ...target, key: "plan.txt" } }),
    201,
  );
  await json(sessions[0].post("/api/me/pins", { json: target }), 201);
  const keys = await mint({ buckets: ["bucket"], user_id: id });
  return { id, path: `${users}/${id}`, sessions, keys, link: `/s/${code}`, shareId };
}

/** What a person can do: in each session, with the credential, and whoever has the link. */
async function access({ url, region, program }: Endpoint, { sessions, keys, link }: Person) {
  using s3 = s3Client({ endpoint: url, region, ...keys });
  const place = { Bucket: "bucket", Key: "plan.txt" };
  const outcome = (request: Promise<unknown>) =>
    request.then(() => "200", (error) => refusalOf(Promise.reject(error)));
  return {
    sessions: await Promise.all(sessions.map((session) => status(session.get(object("plan.txt"))))),
    read: await outcome(s3.send(new GetObjectCommand(place))),
    write: await outcome(s3.send(new PutObjectCommand({ ...place, Body: "the plan" }))),
    link: await status(program.client().get(`${link}/raw`)),
  };
}

const everything = { sessions: [200, 200], read: "200", write: "200", link: 200 };
const nothing = { sessions: [401, 401], read: "403 AccessDenied", write: "403 AccessDenied", link: 410 };

Deno.test("what is done to a user counts at the next request, wherever it comes from", async (t) => {
  await withEndpoint("embedded", {}, async (endpoint) => {
    const { client: admin, program } = endpoint;
    const upload = (client: Client, key: string) => status(client.post(object(key), { body: "the plan" }));
    assert.equal(await upload(admin, "plan.txt"), 201);
    const maria = await settle(endpoint, "maria");
    const change = (fields: unknown) => json(admin.patch(maria.path, { json: fields }));

    await t.step("disabled: sessions end, credentials and links rest", async () => {
      assert.deepEqual(await access(endpoint, maria), everything);
      assert.equal((await change({ enabled: false })).session_count, 0);
      assert.deepEqual(await access(endpoint, maria), nothing);
      const answer = program.client().post("/auth/login/local", {
        json: { username: "maria", password: testPassword },
      });
      assert.equal(await refusal(answer), "401 invalid_credentials");
    });

    await t.step("enabled: they work again, the sessions stay ended", async () => {
      await change({ enabled: true });
      assert.deepEqual(await access(endpoint, maria), { ...everything, sessions: [401, 401] });
    });

    await t.step("the role counts in open sessions and for the credential", async () => {
      const session = await program.signedIn("maria");
      assert.equal(await upload(session, "note.txt"), 201);
      await change({ role: "readonly" });
      assert.equal(await upload(session, "note.txt"), 403);
      const { read, write, link } = await access(endpoint, maria);
      assert.deepEqual([read, write, link], ["200", "403 AccessDenied", 200]);
      await change({ role: "admin" });
      assert.equal(await status(session.get(users)), 200);
      await change({ role: "user" });
      assert.equal(await refusal(session.get(users)), "403 forbidden");
    });

    await t.step("deleted: all of it goes, and is counted before and after", async () => {
      const session = await program.signedIn("maria");
      const { belongings } = await json(admin.get(maria.path));
      assert.deepEqual(belongings, { sessions: 2, shares: 1, s3_credentials: 1, jobs: 0, pins: 1 });
      assert.equal(await status(admin.delete(maria.path)), 204);
      assert.equal(await refusal(session.get("/api/me")), "401 unauthorized");
      const gone = "403 InvalidAccessKeyId";
      assert.deepEqual(await access(endpoint, maria), { ...nothing, read: gone, write: gone });
      const { state } = await json(admin.get(`/api/shares/${maria.shareId}`));
      assert.equal(state, "revoked", "for good");
      const { events: [row] } = await json(admin.get("/api/admin/audit?action=user.delete&limit=1"));
      assert.deepEqual(row.detail, { user_id: maria.id, username: "maria", removed: belongings });
      const { credentials } = await json(admin.get("/api/admin/s3-credentials"));
      assert.equal(credentials.filter(({ user_id }: { user_id: string }) => user_id === maria.id).length, 0);
    });

    await t.step("somebody new under the old name gets nothing of it", async () => {
      const successor = { username: "maria", password: testPassword, role: "user" };
      await json(admin.post(users, { json: successor }), 201);
      const session = await program.signedIn("maria");
      assert.deepEqual((await json(session.get("/api/me/pins"))).pins, []);
      assert.deepEqual((await json(session.get("/api/shares"))).shares, []);
      assert.equal(await status(program.client().get(`${maria.link}/raw`)), 410);
      assert.equal(await status(admin.get(object("note.txt"))), 200, "what was uploaded stays");
    });
  });
});
