import assert from "node:assert/strict";
import { type Endpoint, type EndpointKeys, withEndpoint } from "../support/endpoint.ts";
import { json } from "../support/http_client.ts";
import { exchangeOnce, type WireAnswer, WireConnection, type WireRequest } from "./support/wire.ts";

const list = { method: "GET", target: "/" };

/** Sends `count` requests at once and returns how many were served; the others have to be told to slow down. */
async function served(endpoint: Endpoint, count: number, keys?: EndpointKeys, request: WireRequest = list) {
  const answers = await Promise.all(
    Array.from({ length: count }, () => exchangeOnce(endpoint, request, keys)),
  );
  const refused = answers.filter(({ status }) => status === 503);
  for (const answer of refused) assertSlowDown(answer);
  return count - refused.length;
}

function assertSlowDown({ status, code, headers, text }: WireAnswer): void {
  assert.deepEqual([status, code, headers.get("retry-after")], [503, "SlowDown", "1"], text);
}

/** Whether a burst of `rate` was let through, and no more than came up while it was sent. */
function assertBurst(count: number, rate: number, startedAt: number): void {
  const most = rate + Math.ceil((performance.now() - startedAt) * rate / 1000);
  assert.ok(count >= rate && count <= most, `${count} of at most ${most}`);
}

/** Sends a request again until it is not told to slow down any more. */
async function untilServed(
  endpoint: Endpoint,
  keys?: EndpointKeys,
  request: WireRequest = list,
): Promise<void> {
  const deadline = performance.now() + 30_000;
  while ((await exchangeOnce(endpoint, request, keys)).status === 503) {
    assert.ok(performance.now() < deadline, "the limit does not end");
  }
}

Deno.test("all keys together are held to the global rate", () =>
  withEndpoint("embedded", { proxy: { global_rps: 8 } }, async (endpoint) => {
    const other = await endpoint.mint({ buckets: ["bucket"] });
    const startedAt = performance.now();
    const counts = await Promise.all([served(endpoint, 20, endpoint), served(endpoint, 20, other)]);
    assertBurst(counts[0] + counts[1], 8, startedAt);
    const { events } = await json(endpoint.client.get("/api/admin/audit?action=s3.proxy.*&limit=200"));
    assert.ok(events.length >= 40 - counts[0] - counts[1]);
    assert.ok(events.every(({ detail }: { detail: { result: string } }) => detail.result === "rate_limited"));
    await untilServed(endpoint, other);
    const wrong = { ...endpoint, secretKey: "wrong" };
    // What is not signed rightly takes nothing of what others may use.
    const refused = await Promise.all(Array.from({ length: 20 }, () => exchangeOnce(endpoint, list, wrong)));
    assert.ok(refused.every(({ status }) => status === 403 || status === 503));
    await untilServed(endpoint, endpoint);
  }));

Deno.test("each key is held to its own rate", () =>
  withEndpoint("embedded", { proxy: { per_key_rps: 8 } }, async (endpoint) => {
    const other = await endpoint.mint({ buckets: ["bucket"] });
    const startedAt = performance.now();
    assertBurst(await served(endpoint, 20, endpoint), 8, startedAt);
    assert.equal(await served(endpoint, 8, other), 8);
    await untilServed(endpoint, endpoint);
  }));

/** The endpoint with a bucket that everyone may read, and one that nobody may without a key. */
function withPublicBucket(
  proxy: Record<string, unknown>,
  rate: number,
  body: (endpoint: Endpoint) => Promise<void>,
): Promise<void> {
  const buckets = ["bucket", "private"];
  return withEndpoint("embedded", { buckets, proxy }, async (endpoint) => {
    const put = { method: "PUT", target: "/bucket/key", body: "hello" };
    assert.equal((await exchangeOnce(endpoint, put, endpoint)).status, 200);
    const binding = { backend_id: "main", bucket: "bucket", mode: "ReadOnly", per_source_ip_rps: rate };
    await json(endpoint.client.post("/api/admin/s3-anonymous", { json: binding }), 201);
    await body(endpoint);
  });
}

const read = { method: "GET", target: "/bucket/key" };

for (
  const [name, anonymous_rps, rate] of [["the general rate", 8, 0], ["its binding's rate", 100, 8]] as const
) {
  Deno.test(`anonymous reads of a bucket are held to ${name}, by address`, () =>
    withPublicBucket({ anonymous_enabled: true, anonymous_rps }, rate, async (endpoint) => {
      const from = (address: string) => ({ ...read, headers: { "x-forwarded-for": address } });
      const startedAt = performance.now();
      assertBurst(await served(endpoint, 20, undefined, from("192.0.2.1")), 8, startedAt);
      assert.equal(await served(endpoint, 8, undefined, from("192.0.2.2")), 8);
      // Who has a key is not held to what those without one may do.
      assert.equal(await served(endpoint, 20, endpoint, from("192.0.2.1")), 20);
      await untilServed(endpoint, undefined, from("192.0.2.1"));
    }));
}

Deno.test("what is public can be read and nothing else, and what is not looks as if it were not there", () =>
  withPublicBucket({ anonymous_enabled: true, anonymous_rps: 0 }, 0, async (endpoint) => {
    using connection = await WireConnection.open(endpoint.url);
    const send = (method: string, target: string, body = "") => connection.exchange({ method, target, body });
    assert.match((await send("GET", "/bucket/key")).text, /hello$/);
    assert.equal((await send("HEAD", "/bucket/key")).headers.get("content-length"), "5");
    assert.match((await send("GET", "/bucket?list-type=2")).text, /<Key>key<\/Key>/);
    assert.equal((await send("GET", "/bucket/missing")).code, "NoSuchKey");
    const denials: readonly (readonly [method: string, target: string, body?: string])[] = [
      ["DELETE", "/bucket/key"],
      ["GET", "/bucket?versions"],
      ["GET", "/bucket?uploads"],
      ["GET", "/bucket?acl"],
      ["GET", "/bucket/key?acl"],
      ["GET", "/bucket/key?tagging"],
      ["GET", "/bucket/key?versionId=null"],
      ["GET", "/bucket/key?response-content-type=text%2Fhtml"],
      ["GET", "/bucket/key?uploadId=u"],
      ["GET", "/"],
      ["PUT", "/bucket/key?tagging"],
      ["POST", "/bucket/key?uploads"],
    ];
    for (const [method, target, body] of denials) {
      const { status, code } = await send(method, target, body);
      assert.equal(`${status} ${code}`, "403 AccessDenied", `${method} ${target}`);
    }
    const put = await exchangeOnce(endpoint, { method: "PUT", target: "/bucket/key", body: "changed" });
    assert.equal(`${put.status} ${put.code}`, "403 AccessDenied");
    const form = new FormData();
    form.append("key", "posted");
    form.append("file", "x");
    const posted = await fetch(`${endpoint.url}/bucket`, { method: "POST", body: form });
    assert.ok(posted.status >= 400 && posted.status < 500, await posted.text());
    assert.match((await send("GET", "/bucket/key")).text, /hello$/);
    const told = async (target: string) => {
      const { status, text } = await send("GET", target);
      return [
        status,
        text.replace(/<(Resource|BucketName|RequestId|HostId)>.*?<\/\1>/g, "").split("\r\n\r\n")[1],
      ];
    };
    assert.deepEqual(await told("/private/key"), await told("/missing/key"));
    assert.deepEqual(await told("/private?list-type=2"), await told("/missing?list-type=2"));
    // The mode "None" closes the bucket at the next request.
    const binding = { backend_id: "main", bucket: "bucket", mode: "None" };
    await json(endpoint.client.post("/api/admin/s3-anonymous", { json: binding }));
    assert.equal((await send("GET", "/bucket/key")).status, 403);
  }));

Deno.test("without the switch for it nothing is public", () =>
  withPublicBucket({}, 0, async (endpoint) => {
    for (const target of ["/bucket/key", "/bucket?list-type=2", "/private/key"]) {
      const { status, code } = await exchangeOnce(endpoint, { method: "GET", target });
      assert.equal(`${status} ${code}`, "403 AccessDenied", target);
    }
  }));
