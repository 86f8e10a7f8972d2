import assert from "node:assert/strict";
import type { WireRequest } from "../../src/sigv4/canonical.ts";
import { SignatureError, verifyRequest } from "../../src/sigv4/verify.ts";

/*
 * The worked examples of
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html and
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
const accessKeyId = "AKIAIOSFODNN7EXAMPLE";
const secretKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const now = Date.parse("2013-05-24T00:00:00Z");
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

interface Example {
  name: string;
  request: string;
  headers: Record<string, string>;
  signedHeaders: string;
  signature: string;
}

const examples: Example[] = [
  {
    name: "GET object with a range",
    request: "GET /test.txt",
    headers: { range: "bytes=0-9" },
    signedHeaders: "host;range;x-amz-content-sha256;x-amz-date",
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    name: "PUT object",
    request: "PUT /test%24file.text",
    headers: {
      "date": "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
      "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
    },
    signedHeaders: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  {
    name: "GET bucket lifecycle",
    request: "GET /?lifecycle",
    headers: {},
    signedHeaders: "host;x-amz-content-sha256;x-amz-date",
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    name: "list objects",
    request: "GET /?max-keys=2&prefix=J",
    headers: {},
    signedHeaders: "host;x-amz-content-sha256;x-amz-date",
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
];

function wireRequest(example: Example): WireRequest<Headers> {
  const [method, target] = example.request.split(" ");
  const [path, query = ""] = target.split("?");
  const headers = new Headers({
    "host": "examplebucket.s3.amazonaws.com",
    "x-amz-date": "20130524T000000Z",
    "x-amz-content-sha256": emptyHash,
    ...example.headers,
    "authorization": `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20130524/us-east-1/s3/aws4_request,` +
      `SignedHeaders=${example.signedHeaders},Signature=${example.signature}`,
  });
  return { method, path, query, headers };
}

const secretKeyOf = (id: string) => id === accessKeyId ? secretKey : undefined;

function refusal(request: WireRequest<Headers>, at = now): string {
  try {
    verifyRequest(request, secretKeyOf, at);
  } catch (error) {
    assert.ok(error instanceof SignatureError);
    return `${error.status} ${error.code}`;
  }
  return "accepted";
}

for (const example of examples) {
  Deno.test(`the published signature verifies: ${example.name}`, () => {
    assert.equal(verifyRequest(wireRequest(example), secretKeyOf, now)?.accessKeyId, accessKeyId);
  });
}

const presigned: WireRequest<Headers> = {
  method: "GET",
  path: "/test.txt",
  query: [
    "X-Amz-Algorithm=AWS4-HMAC-SHA256",
    `X-Amz-Credential=${accessKeyId}%2F20130524%2Fus-east-1%2Fs3%2Faws4_request`,
    "X-Amz-Date=20130524T000000Z",
    "X-Amz-Expires=86400",
    "X-Amz-SignedHeaders=host",
    "X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  ].join("&"),
  headers: new Headers({ host: "examplebucket.s3.amazonaws.com" }),
};

Deno.test("the published presigned URL verifies until it expires", () => {
  assert.equal(verifyRequest(presigned, secretKeyOf, now)?.payload, "UNSIGNED-PAYLOAD");
  assert.equal(refusal(presigned, now + 86_400_000), "accepted");
  assert.equal(refusal(presigned, now + 86_400_001), "403 AccessDenied");
  assert.equal(refusal(presigned, now - 16 * 60_000), "403 AccessDenied");
});

Deno.test("a presigned URL may last from one second to seven days", () => {
  for (const seconds of ["0", "604801", "-5", "1.5", "soon", ""]) {
    const query = presigned.query.replace("X-Amz-Expires=86400", `X-Amz-Expires=${seconds}`);
    assert.equal(refusal({ ...presigned, query }), "400 AuthorizationQueryParametersError", seconds);
  }
});

Deno.test("any change to what was signed is refused", () => {
  const request = wireRequest(examples[0]);
  const changed = (name: string, value: string) => {
    const headers = new Headers(request.headers);
    headers.set(name, value);
    return { ...request, headers };
  };
  assert.equal(refusal({ ...request, method: "DELETE" }), "403 SignatureDoesNotMatch");
  assert.equal(refusal({ ...request, path: "/other.txt" }), "403 SignatureDoesNotMatch");
  assert.equal(refusal({ ...request, query: "versionId=1" }), "403 SignatureDoesNotMatch");
  assert.equal(refusal(changed("range", "bytes=0-10")), "403 SignatureDoesNotMatch");
  assert.equal(refusal(changed("host", "elsewhere")), "403 SignatureDoesNotMatch");
  assert.equal(refusal(changed("x-amz-meta-added", "1")), "403 AccessDenied");
});

Deno.test("an unsigned host, an unknown key, a skewed clock and a malformed header are told apart", () => {
  const request = wireRequest(examples[0]);
  const authorization = request.headers.get("authorization") ?? "";
  const withAuthorization = (value: string) => {
    const headers = new Headers(request.headers);
    headers.set("authorization", value);
    return { ...request, headers };
  };
  assert.equal(refusal(withAuthorization(authorization.replace("host;", ""))), "403 AccessDenied");
  assert.equal(refusal(withAuthorization(authorization.replace("AKIA", "AKIB"))), "403 InvalidAccessKeyId");
  assert.equal(refusal(withAuthorization("AWS key:signature")), "400 AuthorizationHeaderMalformed");
  assert.equal(
    refusal(withAuthorization(authorization.replace("/s3/", "/ec2/"))),
    "400 AuthorizationHeaderMalformed",
  );
  assert.equal(refusal(request, now + 15 * 60_000 + 1), "403 RequestTimeTooSkewed");
});

Deno.test("a request without a signature is left to the caller", () => {
  const request = { method: "GET", path: "/", query: "", headers: new Headers({ host: "localhost" }) };
  assert.equal(verifyRequest(request, secretKeyOf, now), undefined);
});
