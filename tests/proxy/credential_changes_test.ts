import assert from "node:assert/strict";
import { type Endpoint, type EndpointKeys, withEndpoint } from "../support/endpoint.ts";
import { expireSoon } from "../support/expiry.ts";
import { json, status } from "../support/http_client.ts";
import { testPassword } from "../support/program.ts";
import { WireConnection } from "./support/wire.ts";

const everyone = "/api/admin/s3-credentials";

/** A credential and one connection on which it is used all the time. */
interface Used {
  readonly endpoint: Endpoint;
  readonly keys: EndpointKeys;
  /** Status and code of a read of the object `key`. */
  get(keys?: EndpointKeys): Promise<string>;
}

async function withUse(endpoint: Endpoint, keys: EndpointKeys, body: (used: Used) => Promise<void>) {
  using connection = await WireConnection.open(endpoint.url);
  const get = async (signer = keys) => {
    const { status, code } = await connection.exchange({ method: "GET", target: "/bucket/key" }, signer);
    return `${status} ${code}`.trim();
  };
  assert.equal(await get(), "404 NoSuchKey");
  await body({ endpoint, keys, get });
}

Deno.test("what becomes of a credential counts at the next request of a connection", () =>
  withEndpoint("embedded", { buckets: ["bucket", "other"] }, async (endpoint) => {
    const { client, mint } = endpoint;
    const use = async (body: (used: Used) => Promise<void>, scope: Record<string, unknown> = {}) =>
      await withUse(endpoint, await mint({ buckets: ["bucket"], ...scope }), body);
    const change = async ({ keys }: Used, fields: Record<string, unknown>) => {
      await json(client.patch(`${everyone}/${keys.accessKey}`, { json: fields }));
    };

    await use(async ({ keys, get }) => {
      assert.equal(await status(client.delete(`${everyone}/${keys.accessKey}`)), 204);
      assert.equal(await get(), "403 InvalidAccessKeyId");
    });
    await use(async (used) => {
      await change(used, { enabled: false });
      assert.equal(await used.get(), "403 AccessDenied");
      await change(used, { enabled: true });
      assert.equal(await used.get(), "404 NoSuchKey");
      await change(used, { buckets: ["other"] });
      assert.equal(await used.get(), "403 AccessDenied");
      await change(used, { buckets: ["bucket"], prefix: "team/" });
      assert.equal(await used.get(), "403 AccessDenied");
      await change(used, { prefix: "" });
      assert.equal(await used.get(), "404 NoSuchKey");
    });
    await use(async ({ keys, get }) => {
      const rotated = await json(client.post(`${everyone}/${keys.accessKey}/rotate`));
      assert.equal(await get(), "403 SignatureDoesNotMatch");
      assert.equal(await get({ ...keys, secretKey: rotated.secret_key }), "404 NoSuchKey");
    });
    await use(async ({ keys, get }) => {
      await expireSoon((expires_at) =>
        client.patch(`${everyone}/${keys.accessKey}`, { json: { expires_at } })
      );
      assert.equal(await get(), "403 AccessDenied");
    });
  }));

Deno.test("a credential goes with its owner", () =>
  withEndpoint("embedded", {}, async (endpoint) => {
    const { client, mint } = endpoint;
    const account = { username: "owner", password: testPassword, role: "user" };
    const { id } = await json(client.post("/api/admin/users", { json: account }), 201);
    await withUse(endpoint, await mint({ buckets: ["bucket"], user_id: id }), async ({ get }) => {
      for (const enabled of [false, true]) {
        await json(client.patch(`/api/admin/users/${id}`, { json: { enabled } }));
        assert.equal(await get(), enabled ? "404 NoSuchKey" : "403 AccessDenied");
      }
      await status(client.delete(`/api/admin/users/${id}`));
      assert.match(await get(), /^403 /);
    });
  }));
