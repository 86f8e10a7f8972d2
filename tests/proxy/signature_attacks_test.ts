import assert from "node:assert/strict";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { type Endpoint, withEndpoint } from "../support/endpoint.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream } from "../support/upstreams.ts";
import {
  presigned,
  sendPlain,
  type SignaturePlan,
  signed,
  type SignedRequest,
  withLine,
} from "./support/signature.ts";

const minute = 60_000;

function attackTest(name: string, body: (endpoint: Endpoint) => Promise<void>): void {
  Deno.test({
    name,
    ignore: skipUpstream("minio"),
    fn: () =>
      withEndpoint("minio", {}, async (endpoint) => {
        await body(endpoint);
        assert.deepEqual(await keysOf(endpoint), []);
      }),
  });
}

async function keysOf({ upstream }: Endpoint): Promise<string[]> {
  using s3 = s3Client(upstream);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
  return Contents.map(({ Key }) => Key ?? "");
}

/** Sends each request and compares the code of its refusal. */
async function refusedAs(
  endpoint: Endpoint,
  expected: string,
  requests: Readonly<Record<string, SignedRequest>>,
): Promise<void> {
  for (const [name, request] of Object.entries(requests)) {
    const { code, text } = await sendPlain(endpoint, request);
    assert.equal(code, expected, `${name}: ${text}`);
  }
}

attackTest("what was signed is what is done, or nothing", async (endpoint) => {
  const plan: SignaturePlan = {
    headers: [["x-amz-meta-a", "1"], ["content-type", "text/plain"]],
    signedHeaders: ["content-type", "host", "x-amz-content-sha256", "x-amz-date", "x-amz-meta-a"],
  };
  const request = signed(endpoint, plan);
  const other = await endpoint.mint({ buckets: ["bucket"] });
  const authorization = request.lines.at(-1)?.[1] ?? "";
  const signature = authorization.slice(-64);
  const authorized = (text: string) => ({ ...request, lines: withLine(request, "authorization", text) });
  const changed = (name: string, value?: string) => ({ ...request, lines: withLine(request, name, value) });
  await refusedAs(endpoint, "SignatureDoesNotMatch", {
    "another key": { ...request, target: "/bucket/other" },
    "a slash more": { ...request, target: "/bucket//key" },
    "a slash at the end": { ...request, target: "/bucket/key/" },
    "another case": { ...request, target: "/bucket/Key" },
    "another bucket": { ...request, target: "/bucket2/key" },
    "a key with an encoded slash": { ...request, target: "/bucket/a%2Fkey" },
    "another method": { ...request, method: "DELETE" },
    "a parameter more": { ...request, target: "/bucket/key?partNumber=1&uploadId=a" },
    "an empty parameter": { ...request, target: "/bucket/key?tagging" },
    "another signed header": changed("x-amz-meta-a", "2"),
    "no signed header": changed("x-amz-meta-a"),
    "a signed header twice": { ...request, lines: [...request.lines, ["x-amz-meta-a", "2"]] },
    "another host": changed("host", "other.example"),
    "another hash": changed("x-amz-content-sha256", "UNSIGNED-PAYLOAD"),
    "no hash": changed("x-amz-content-sha256"),
    "another region": authorized(authorization.replace("us-east-1", "eu-west-1")),
    "another key id": authorized(authorization.replace(endpoint.accessKey, other.accessKey)),
    "another signature": authorized(authorization.replace(signature, "0".repeat(64))),
    "a part of the signature": authorized(authorization.slice(0, -1)),
    "a longer signature": authorized(`${authorization}0`),
    "a signature in capitals": authorized(authorization.replace(signature, signature.toUpperCase())),
    "a name less in the list": authorized(authorization.replace("content-type;", "")),
  });
  const { secretKey } = other;
  await refusedAs(endpoint, "SignatureDoesNotMatch", {
    "another secret": signed({ ...endpoint, secretKey }, plan),
    "an empty secret": signed({ ...endpoint, secretKey: "" }, plan),
  });
});

attackTest("host and every x-amz- header have to be signed", async (endpoint) => {
  const request = signed(endpoint);
  const unsigned = (name: string, value: string): SignedRequest => ({
    ...request,
    lines: [...request.lines, [name, value]],
  });
  await refusedAs(endpoint, "AccessDenied", {
    "host": signed(endpoint, { signedHeaders: ["x-amz-content-sha256", "x-amz-date"] }),
    "the date": signed(endpoint, { signedHeaders: ["host", "x-amz-content-sha256"] }),
    "the hash": signed(endpoint, { signedHeaders: ["host", "x-amz-date"] }),
    "an acl": unsigned("x-amz-acl", "public-read"),
    "the source of a copy": unsigned("x-amz-copy-source", "/bucket/other"),
    "metadata": unsigned("x-amz-meta-a", "1"),
    "a name in capitals": unsigned("X-AMZ-ACL", "public-read"),
    "an empty one": unsigned("x-amz-tagging", ""),
    "presigned": {
      ...presigned(endpoint, { method: "PUT" }),
      lines: [...presigned(endpoint).lines, ["x-amz-acl", "private"]],
    },
    "presigned without host": presigned(endpoint, { method: "PUT", signedHeaders: [] }),
  });
});

attackTest("there is one signature, said once", async (endpoint) => {
  const request = signed(endpoint);
  const [, authorization] = request.lines.at(-1) ?? ["", ""];
  const twice = (name: string, value: string) => ({
    ...request,
    lines: [...request.lines, [name, value] as const],
  });
  const link = presigned(endpoint, { method: "PUT" });
  await refusedAs(endpoint, "AuthorizationHeaderMalformed", {
    "the same header twice": twice("authorization", authorization),
    "another header in front": { ...request, lines: [["authorization", "AWS x:y"], ...request.lines] },
    "another header behind": twice("authorization", "Basic YTpi"),
    "an empty one behind": twice("authorization", ""),
    "a field of it behind": twice("authorization", `Signature=${"0".repeat(64)}`),
  });
  await refusedAs(endpoint, "AccessDenied", {
    "the date twice": twice("x-amz-date", request.lines[1][1]),
  });
  await refusedAs(endpoint, "InvalidArgument", {
    "in the header and in the query": { ...request, target: link.target },
    "a foreign header beside the query": { ...link, lines: [...link.lines, ["authorization", "Basic YTpi"]] },
    ...Object.fromEntries(
      ["X-Amz-Signature", "X-Amz-Date", "X-Amz-Expires", "X-Amz-Credential", "X-Amz-SignedHeaders"].map((
        name,
      ) => [
        `${name} twice`,
        { ...link, target: `${link.target}&${name}=1` },
      ]),
    ),
    "the signature in the form of a header twice": {
      ...link,
      target: `${link.target}&X%2DAmz-Expires=604800`,
    },
  });
});

attackTest("a signature has its time", async (endpoint) => {
  const now = Date.now();
  await refusedAs(endpoint, "RequestTimeTooSkewed", {
    "long ago": signed(endpoint, { at: now - 16 * minute }),
    "to come": signed(endpoint, { at: now + 16 * minute }),
    "another day": signed(endpoint, { at: now - 24 * 60 * minute }),
  });
  await refusedAs(endpoint, "AuthorizationHeaderMalformed", {
    "the day of another": signed(endpoint, { day: "20200101" }),
  });
  await refusedAs(endpoint, "AccessDenied", {
    "expired": presigned(endpoint, { method: "PUT", at: now - 2 * minute, expires: 60 }),
    "expired a week ago": presigned(endpoint, {
      method: "PUT",
      at: now - 8 * 24 * 60 * minute,
      expires: 604_800,
    }),
    "not valid yet": presigned(endpoint, { method: "PUT", at: now + 16 * minute }),
  });
  const link = presigned(endpoint, { method: "PUT" });
  await refusedAs(endpoint, "SignatureDoesNotMatch", {
    "a longer time": { ...link, target: link.target.replace("X-Amz-Expires=60", "X-Amz-Expires=600") },
  });
  const wrong = [604_801, 0, -1, "1.5", "1e3", "", "60 ", "0x3c", "9".repeat(40)];
  await refusedAs(endpoint, "AuthorizationQueryParametersError", {
    ...Object.fromEntries(
      wrong.map((expires) => [String(expires), presigned(endpoint, { method: "PUT", expires })]),
    ),
    "the day of another": presigned(endpoint, { day: "20200101" }),
    "another service": presigned(endpoint, { service: "sts" }),
    "no date": { ...link, target: link.target.replace("X-Amz-Date", "X-Amz-Dat") },
    "no credential": { ...link, target: link.target.replace("X-Amz-Credential", "X-Amz-Cred") },
  });
  const allowed = presigned(endpoint, { expires: 604_800, at: now - 6 * 24 * 60 * minute });
  assert.equal((await sendPlain(endpoint, allowed)).code, "NoSuchKey");
});

attackTest("other ways to sign are refused by name", async (endpoint) => {
  const request = signed(endpoint);
  const authorized = (text: string) => ({ ...request, lines: withLine(request, "authorization", text) });
  const [, authorization] = request.lines.at(-1) ?? ["", ""];
  await refusedAs(endpoint, "AuthorizationHeaderMalformed", {
    "version 2": authorized(`AWS ${endpoint.accessKey}:${"A".repeat(27)}=`),
    "version 4A": authorized(authorization.replace("AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256")),
    "basic": authorized("Basic YTpi"),
    "bearer": authorized("Bearer abc"),
    "nothing": authorized(""),
    "the algorithm alone": authorized("AWS4-HMAC-SHA256"),
    "an empty signature": authorized(authorization.slice(0, -64)),
    "no list of headers": authorized(authorization.replace(/SignedHeaders=[^,]*, /, "")),
    "a field more": authorized(`${authorization}, Extra=1`),
    "another service": signed(endpoint, { service: "iam" }),
    "another end": signed(endpoint, { end: "aws4_other" }),
    "an endless region": signed(endpoint, { region: "a".repeat(65) }),
    "an endless key id": signed({ ...endpoint, accessKey: "A".repeat(129) }),
  });
  const link = presigned(endpoint, { method: "PUT" });
  await refusedAs(endpoint, "InvalidRequest", {
    "version 2": {
      ...link,
      target: `/bucket/key?AWSAccessKeyId=${endpoint.accessKey}&Expires=9999999999&Signature=abc`,
    },
  });
  await refusedAs(endpoint, "AuthorizationQueryParametersError", {
    "version 4A": { ...link, target: link.target.replace("AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256") },
    "no algorithm": { ...link, target: link.target.replace("X-Amz-Algorithm", "X-Amz-Algo") },
  });
  const { code } = await sendPlain(endpoint, signed(endpoint, { method: "GET", body: "", region: "moon-1" }));
  assert.equal(code, "NoSuchKey");
});

attackTest("a list of signed headers costs no more than a request may", async (endpoint) => {
  const filler = ["a", "y".repeat(12_000)] as const;
  const repeated = ["host", "x-amz-content-sha256", "x-amz-date", ...new Array<string>(7_000).fill("a")];
  const many = Array.from({ length: 4_000 }, (_, index) => index.toString(36));
  const forged = (signedHeaders: readonly string[]) => {
    const request = signed(endpoint, { headers: [filler] });
    const list = `SignedHeaders=${signedHeaders.join(";")},`;
    const [, authorization] = request.lines.at(-1) ?? ["", ""];
    return {
      ...request,
      lines: withLine(request, "authorization", authorization.replace(/SignedHeaders=[^,]*,/, list)),
    };
  };
  await refusedAs(endpoint, "InvalidRequest", { "again and again": forged(repeated), "many": forged(many) });
});

attackTest("unknown keys fill no memory and are told nothing by the time it takes", async (endpoint) => {
  const metric = async (name: string) => {
    const text = await (await fetch(`${endpoint.program.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  };
  const times = { unknown: [] as number[], wrong: [] as number[] };
  const send = async (kind: keyof typeof times, accessKey: string, expected: string) => {
    const request = signed({ ...endpoint, accessKey, secretKey: "wrong" }, { method: "GET", body: "" });
    const startedAt = performance.now();
    const { code, status } = await sendPlain(endpoint, request);
    times[kind].push(performance.now() - startedAt);
    assert.equal(`${status} ${code}`, expected);
  };
  const cached = await metric("service_s3_credential_cache_size");
  let resident = 0;
  for (let index = 0; index < 1_000; index++) {
    if (index === 200) resident = await metric("process_resident_memory_bytes");
    await send("unknown", `UNKNOWN${index}`.padEnd(128, "X"), "403 InvalidAccessKeyId");
    if (index % 4 === 0) await send("wrong", endpoint.accessKey, "403 SignatureDoesNotMatch");
  }
  assert.equal(await metric("service_s3_credential_cache_size"), cached);
  const grown = await metric("process_resident_memory_bytes") - resident;
  assert.ok(grown < 48 * 2 ** 20, `${grown} bytes more`);
  const [unknown, wrong] = [times.unknown, times.wrong].map((all) =>
    all.toSorted((a, b) => a - b)[all.length >> 1]
  );
  assert.ok(unknown < 2 * wrong && wrong < 2 * unknown, `${unknown} ms and ${wrong} ms`);
});
