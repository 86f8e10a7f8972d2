import assert from "node:assert/strict";
import { decodeSecret } from "../../src/proxy/credentials/kubernetes/secret.ts";
import { secretSchema } from "../../src/proxy/credentials/kubernetes/wire.ts";
import { base64 } from "../support/kubernetes_server.ts";

type Data = Record<string, string | undefined>;

/** Decodes a Secret as the API server would send it; `data` is plain text. */
function decode(role: string | undefined, data: Data, annotations?: Record<string, string>) {
  const encoded = Object.entries(data).filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, base64(value!)]);
  return decodeSecret(secretSchema.parse({
    metadata: {
      name: "vc-example",
      uid: "11111111-2222-3333-4444-555555555555",
      resourceVersion: "7",
      creationTimestamp: "2026-01-02T03:04:05Z",
      labels: role === undefined ? undefined : { "broker.service.io/role": role },
      annotations,
    },
    data: Object.fromEntries(encoded),
  }));
}

const good: Data = {
  access_key_id: "AKIAEXAMPLE",
  secret_access_key: "very-secret",
  backend: "store",
  bucket_name: "photos",
};

const decodeGood = (over: Data, annotations?: Record<string, string>) =>
  decode("virtual-credential", { ...good, ...over }, annotations);

const scopes = (value: unknown) => ({ bucket_scopes: JSON.stringify(value) });

const expiry = (value: string) => ({ "broker.service.io/expires-at": value });

Deno.test("a Secret becomes a credential", () => {
  assert.deepEqual(decodeGood({ claim_uid: "abc", binary: "\u0000\u00ff" }), {
    credential: {
      accessKeyId: "AKIAEXAMPLE",
      secretKey: "very-secret",
      buckets: new Map([["photos", "store"]]),
      prefix: "",
      readOnly: false,
      enabled: true,
      expiresAt: undefined,
      userId: "",
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
      source: "kubernetes",
    },
    quota: undefined,
  });
});

Deno.test("bucket_scopes goes before the single bucket, unless it is empty", () => {
  const cases: [Data, [string, string][]][] = [
    [scopes([{ backend: "b1", bucket: "one" }, { bucket: "two", backend: "b2" }]), [["one", "b1"], [
      "two",
      "b2",
    ]]],
    [{ ...scopes([{ backend: "b1", bucket: "one" }]), backend: undefined, bucket_name: undefined }, [[
      "one",
      "b1",
    ]]],
    [scopes([{ backend: "b1", bucket: "one" }, { backend: "b1", bucket: "one" }]), [["one", "b1"]]],
    [scopes([]), [["photos", "store"]]],
    [{ bucket_scopes: "" }, [["photos", "store"]]],
  ];
  for (const [data, expected] of cases) {
    const content = decodeGood(data);
    assert.ok(content.malformed === undefined);
    assert.deepEqual([...content.credential?.buckets ?? []], expected);
  }
});

Deno.test("a credential that does not say exactly what it gives is malformed", () => {
  const one = { backend: "b1", bucket: "one" };
  const cases: [Data, string][] = [
    [{ access_key_id: undefined }, "access_key_id is missing"],
    [{ access_key_id: "" }, "access_key_id is missing"],
    [{ access_key_id: "AKIA/x" }, "access_key_id is not an access key id"],
    [{ secret_access_key: undefined }, "secret_access_key is missing"],
    [{ secret_access_key: "very-secret\n" }, "secret_access_key has spaces or other than ASCII characters"],
    [{ backend: undefined }, "backend is missing"],
    [{ backend: "../x" }, "backend is not the id of a backend"],
    [{ bucket_name: undefined }, "bucket_name is missing, and bucket_scopes too"],
    [{ bucket_name: "a/b" }, "bucket_name is not the name of a bucket"],
    [{ bucket_scopes: "[{" }, "bucket_scopes is not JSON"],
    [{ bucket_scopes: " " }, "bucket_scopes is not JSON"],
    [scopes(null), "bucket_scopes is not a list"],
    [scopes(one), "bucket_scopes is not a list"],
    [scopes([one, "two"]), "bucket_scopes.1 is not an object of backend and bucket alone"],
    [scopes([{ ...one, prefix: "p/" }]), "bucket_scopes.0 is not an object of backend and bucket alone"],
    [scopes([{ bucket: "one" }]), "bucket_scopes.0.backend is not the id of a backend"],
    [scopes([{ backend: "b1", bucket: "" }]), "bucket_scopes.0.bucket is not the name of a bucket"],
    [
      scopes([one, { ...one, backend: "b2" }]),
      "bucket_scopes has one bucket on two backends, which requests cannot tell apart",
    ],
    [{ quota_hard_bytes: "10 GiB" }, "quota_hard_bytes is not a number of bytes"],
    [{ quota_soft_bytes: "-1" }, "quota_soft_bytes is not a number of bytes"],
    [{ quota_soft_bytes: "9007199254740993" }, "quota_soft_bytes is too large"],
  ];
  for (const [data, reason] of cases) assert.deepEqual(decodeGood(data), { malformed: reason });
});

Deno.test("an expiry is a time of RFC 3339 or the Secret is malformed", () => {
  const expiresAt = (text: string) => {
    const content = decodeGood({}, expiry(text));
    return content.malformed === undefined ? content.credential?.expiresAt : "malformed";
  };
  assert.equal(expiresAt("2030-01-31T12:00:00Z"), Date.UTC(2030, 0, 31, 12));
  assert.equal(expiresAt("2030-01-31T12:00:00.250+02:00"), Date.UTC(2030, 0, 31, 10, 0, 0, 250));
  for (
    const text of ["", "never", "2030-01-31", "2030-02-30T00:00:00Z", "1900000000", "2030-01-31T12:00:00"]
  ) {
    assert.equal(expiresAt(text), "malformed", text);
  }
});

Deno.test("a quota is for the bucket of the claim", () => {
  const quota = (data: Data) => {
    const content = decodeGood(data);
    return content.malformed ?? content.quota;
  };
  assert.deepEqual(quota({ quota_soft_bytes: "10", quota_hard_bytes: "20" }), {
    backend: "store",
    bucket: "photos",
    softBytes: 10,
    hardBytes: 20,
  });
  assert.equal(quota({ quota_soft_bytes: "0", quota_hard_bytes: "0" }), undefined);
  const two = scopes([{ backend: "b1", bucket: "one" }, { backend: "b2", bucket: "two" }]);
  const bucketOf = (data: Data) => (quota({ quota_hard_bytes: "5", ...data }) as { bucket?: string }).bucket;
  assert.equal(bucketOf(two), "photos");
  assert.equal(bucketOf({ ...scopes([{ backend: "b1", bucket: "one" }]), bucket_name: undefined }), "one");
  assert.equal(
    quota({ quota_hard_bytes: "5", ...two, bucket_name: undefined }),
    "it has a quota, but no bucket_name and backend that it is for",
  );
});

Deno.test("a Secret becomes an anonymous binding", () => {
  const bound = { backend: "store", bucket_name: "public", anonymous_mode: "ReadOnly" };
  const decodeBound = (over: Data) => decode("anonymous-binding", { ...bound, ...over });
  const binding = { backend: "store", bucket: "public", source: "kubernetes" };
  assert.deepEqual(decodeBound({}), { binding: { ...binding, perSourceIpRps: 0 } });
  assert.deepEqual(decodeBound({ anonymous_per_source_ip_rps: "12" }), {
    binding: { ...binding, perSourceIpRps: 12 },
  });
  assert.deepEqual(decodeBound({ anonymous_mode: "None" }), {});
  const cases: [Data, string][] = [
    [{ backend: undefined }, "backend is missing"],
    [{ bucket_name: undefined }, "bucket_name is missing"],
    [{ anonymous_mode: undefined }, "anonymous_mode is missing"],
    [{ anonymous_mode: "ReadWrite" }, "anonymous_mode is neither ReadOnly nor None"],
    [{ anonymous_mode: "readonly" }, "anonymous_mode is neither ReadOnly nor None"],
    [{ anonymous_per_source_ip_rps: "fast" }, "anonymous_per_source_ip_rps is not a rate"],
    [{ anonymous_per_source_ip_rps: "-1" }, "anonymous_per_source_ip_rps is not a rate"],
  ];
  for (const [data, reason] of cases) assert.deepEqual(decodeBound(data), { malformed: reason });
});

Deno.test("the role decides, and values are text in base64", () => {
  const malformed = "the label broker.service.io/role is neither virtual-credential nor anonymous-binding";
  assert.deepEqual(decode(undefined, good), { malformed });
  assert.deepEqual(decode("consumer-secret", good), { malformed });
  const metadata = {
    name: "a",
    resourceVersion: "1",
    labels: { "broker.service.io/role": "virtual-credential" },
  };
  for (const value of ["%%%", "/w==" /* 0xff, which is not UTF-8 */]) {
    assert.deepEqual(decodeSecret(secretSchema.parse({ metadata, data: { access_key_id: value } })), {
      malformed: "access_key_id is not text in base64",
    });
  }
  for (const data of [null, undefined, {}, { access_key_id: null }]) {
    assert.deepEqual(decodeSecret(secretSchema.parse({ metadata, data })), {
      malformed: "access_key_id is missing",
    });
  }
});
