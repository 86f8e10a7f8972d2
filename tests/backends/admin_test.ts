import assert from "node:assert/strict";
import { json, refusal, status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { freePorts } from "../support/ports.ts";
import { upstreamTest, withUpstream } from "../support/upstreams.ts";

const admin = "/api/admin/backends";

interface Step {
  readonly name: string;
  readonly state: string;
  readonly reason?: string;
  readonly clock_difference_seconds?: number;
}

function stepOf({ steps }: { steps: readonly Step[] }, wanted: string): Step {
  const found = steps.find(({ name }) => name === wanted);
  assert.ok(found, wanted);
  return found;
}

/** The state of each step by its name. */
function states({ steps }: { steps: readonly Step[] }): Record<string, string> {
  return Object.fromEntries(steps.map(({ name, state }) => [name, state]));
}

/** The steps that ask for features, all in one state. */
function features(state: string): Record<string, string> {
  const names = ["versioning", "cors", "policy", "lifecycle", "tagging", "multipart"];
  return Object.fromEntries(names.map((name) => [name, state]));
}

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "a backend of the dashboard works at once",
  async (upstream) => {
    await withProgram({ users: { admin: "admin", reader: "readonly" } }, async (program) => {
      const client = await program.signedIn();
      assert.deepEqual(await json(client.get("/api/backends")), { backends: [] });
      const definition = {
        id: "added",
        name: "Added",
        type: "s3v4",
        endpoint: upstream.endpoint,
        region: upstream.region,
        path_style: true,
        access_key: upstream.accessKey,
        secret_key: upstream.secretKey,
      };
      const created = await json(client.post(admin, { json: definition }), 201);
      assert.equal(created.secret_set, true);
      assert.equal(created.source, "ui");
      assert.ok(!JSON.stringify(created).includes(upstream.secretKey));
      await json(client.post("/api/backends/added/buckets", { json: { name: "first-bucket" } }), 201);
      const { buckets } = await json(client.get("/api/backends/added/buckets"));
      assert.deepEqual(buckets.map(({ name }: { name: string }) => name), ["first-bucket"]);

      const health = await json(client.get("/api/backends/added/health"));
      assert.equal(health.healthy, true, health.error);
      const reader = await program.signedIn("reader");
      const { backends: [seen] } = await json(reader.get("/api/backends"));
      assert.equal(seen.healthy, true);
      assert.equal(seen.capabilities.multipart, true);
      assert.equal(seen.endpoint, undefined);
      assert.equal(seen.access_key, undefined);

      assert.equal(
        (await json(client.patch(`${admin}/added`, { json: { name: "Renamed" } }))).name,
        "Renamed",
      );
      assert.equal(await status(client.get("/api/backends/added/buckets")), 200);
      await json(client.patch(`${admin}/added`, { json: { enabled: false } }));
      assert.equal(await refusal(client.get("/api/backends/added/buckets")), "404 not_found");
      assert.deepEqual(await json(client.get("/api/backends")), { backends: [] });
      await json(client.patch(`${admin}/added`, { json: { enabled: true } }));

      assert.equal(await status(client.delete(`${admin}/added`)), 204);
      assert.equal(await refusal(client.get("/api/backends/added")), "404 not_found");
    });
  },
);

Deno.test("a backend of the dashboard outlives the program, but not its root key", async () => {
  await withUpstream("embedded", async (upstream) => {
    const directory = await Deno.makeTempDir();
    try {
      const { endpoint, region, accessKey: access_key, secretKey: secret_key } = upstream;
      await withProgram({ directory: await firstRun(directory) }, async (program) => {
        const client = await program.signedIn();
        const json_ = { id: "kept", endpoint, region, path_style: true, access_key, secret_key };
        await json(client.post(admin, { json: json_ }), 201);
      });
      const database = await Deno.readFile(`${directory}/service.db`);
      assert.ok(!new TextDecoder("latin1").decode(database).includes(secret_key));
      await withProgram({ directory }, async (program) => {
        const client = await program.signedIn();
        assert.equal(await status(client.get("/api/backends/kept/buckets")), 200);
      });
      await withProgram({ directory, env: { SERVICE_SECRET_KEY: "ab".repeat(32) } }, async (program) => {
        const client = await program.signedIn();
        assert.equal(await refusal(client.get("/api/backends/kept/buckets")), "503 secret_key_unset");
        await json(client.patch(`${admin}/kept`, { json: { secret_key } }));
        assert.equal(await status(client.get("/api/backends/kept/buckets")), 200);
      });
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
});

/** Lets one run of the program make its users in `directory`. */
async function firstRun(directory: string): Promise<string> {
  await withProgram({}, async (program) => {
    await program.child.stop();
    for (const file of ["service.db", "root.key"]) {
      await Deno.copyFile(`${program.directory}/${file}`, `${directory}/${file}`);
    }
  });
  return directory;
}

Deno.test("without a root key no backend keys are stored", async () => {
  await withProgram({ config: { server: { secret_key_file: "" } } }, async (program) => {
    const client = await program.signedIn();
    const keys = { access_key: "access", secret_key: "secret" };
    const endpoint = "http://127.0.0.1:9";
    assert.equal(
      await refusal(client.post(admin, { json: { id: "a", endpoint, ...keys } })),
      "503 secret_key_unset",
    );
    assert.deepEqual((await json(client.get(admin))).backends, []);
    await json(client.post(admin, { json: { id: "open", endpoint } }), 201);
  });
});

Deno.test("bad definitions are refused naming the field, and change nothing", async () => {
  const upstream = {
    endpoint: "http://127.0.0.1:9",
    region: "us-east-1",
    accessKey: "access",
    secretKey: "secret",
  };
  await withProgram(
    { backends: [{ id: "fixed", upstream }], users: { admin: "admin", writer: "user" } },
    async (program) => {
      const client = await program.signedIn();
      const endpoint = "http://127.0.0.1:9";
      const bad: [string, Record<string, unknown>][] = [
        ["id", { endpoint }],
        ["id", { id: "Upper", endpoint }],
        ["id", { id: "health", endpoint }],
        ["endpoint", { id: "a" }],
        ["endpoint", { id: "a", endpoint: "ftp://host" }],
        ["endpoint", { id: "a", endpoint: "http://user:password@host" }],
        ["endpoint", { id: "a", endpoint: "http://host/path" }],
        ["type", { id: "a", endpoint, type: "gcs" }],
        ["region", { id: "a", endpoint, region: "a b" }],
        ["secret_key", { id: "a", endpoint, access_key: "access" }],
        ["access_key", { id: "a", endpoint, secret_key: "secret" }],
        ["access_key", { id: "a", endpoint, access_key: "a\r\nb", secret_key: "secret" }],
        ["path_style", { id: "a", endpoint, path_style: "yes" }],
      ];
      for (const [field, definition] of bad) {
        const { error } = await json(client.post(admin, { json: definition }), 400);
        assert.equal(error.detail?.field, field, JSON.stringify(definition) + error.message);
        assert.ok(!error.message.includes("password"));
      }
      assert.equal(await refusal(client.post(admin, { json: { id: "fixed", endpoint } })), "409 id_taken");
      assert.equal(
        await refusal(client.patch(`${admin}/fixed`, { json: { name: "x" } })),
        "409 yaml_managed",
      );
      assert.equal(await refusal(client.delete(`${admin}/fixed`)), "409 yaml_managed");
      assert.equal(await refusal(client.patch(`${admin}/none`, { json: {} })), "404 not_found");
      assert.equal((await json(client.get(admin))).backends.length, 1);
      const writer = await program.signedIn("writer");
      assert.equal(await refusal(writer.get(admin)), "403 forbidden");
      assert.equal(await refusal(writer.get("/admin/backends/health")), "403 forbidden");
    },
  );
});

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "a test of a definition tells the cause",
  async (upstream) => {
    await withProgram({ backends: [{ id: "saved", upstream }] }, async (program) => {
      const client = await program.signedIn();
      const test = (definition: Record<string, unknown>) =>
        json(client.post(`${admin}/test`, { json: definition }));
      const { endpoint, region, accessKey: access_key, secretKey: secret_key } = upstream;
      const good = { endpoint, region, path_style: true, access_key, secret_key };
      const found = await test(good);
      assert.equal(found.ok, true, found.error);
      assert.deepEqual(found.buckets, []);
      assert.equal(typeof found.latency_ms, "number");
      assert.equal((await test({ id: "saved" })).ok, true);
      const expected = { resolve: "ok", connect: "ok", tls: "skipped", sign: "ok", list: "ok" };
      assert.deepEqual(states(found), { ...expected, ...features("skipped") });
      await json(client.post("/api/backends/saved/buckets", { json: { name: "first-bucket" } }), 201);
      const probed = (await test(good)).steps.filter(({ name }: Step) => name in features(""));
      assert.ok(
        probed.length === 6 &&
          probed.every(({ state }: Step) => ["ok", "missing", "unknown"].includes(state)),
      );
      assert.ok(probed.some(({ state }: Step) => state === "ok"), JSON.stringify(probed));

      const wrongSecret = await test({ id: "saved", secret_key: "wrong-secret" });
      assert.equal(wrongSecret.ok, false);
      assert.match(wrongSecret.error, /secret key or the region is wrong/);
      assert.deepEqual(states(wrongSecret), {
        ...expected,
        ...features("skipped"),
        sign: "failed",
        list: "skipped",
      });
      const { reason, clock_difference_seconds: difference } = stepOf(wrongSecret, "sign");
      assert.equal(reason, "signature");
      assert.ok(difference === undefined || Math.abs(difference) < 5, "the clocks are one and the same");
      const stranger = await test({ ...good, access_key: "nobody" });
      assert.match(stranger.error, /access key is unknown/);
      assert.equal(stepOf(stranger, "sign").reason, "access_key_unknown");
      const [port] = freePorts(1);
      const refused = await test({ ...good, endpoint: `http://127.0.0.1:${port}` });
      assert.match(refused.error, /refuses connections/);
      assert.ok(!JSON.stringify(refused).includes(String(port)), "the endpoint is told");
      assert.equal(stepOf(refused, "connect").reason, "connection_refused");
      assert.equal(stepOf(refused, "tls").state, "skipped");
      const nowhere = await test({ ...good, endpoint: "http://no-such-host.invalid" });
      assert.match(nowhere.error, /cannot be resolved/);
      assert.equal(stepOf(nowhere, "resolve").reason, "name_not_resolved");
      const plain = await test({ ...good, endpoint: endpoint.replace("http:", "https:") });
      assert.match(plain.error, /TLS/);
      assert.deepEqual([stepOf(plain, "connect").state, stepOf(plain, "tls").state], ["ok", "failed"]);
      assert.ok(
        ![found, stranger, wrongSecret].some((answer) => JSON.stringify(answer).includes(secret_key)),
      );
      assert.equal((await json(client.get(admin))).backends.length, 1);
    });
  },
);
