import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeRfc3986, sha256Hex } from "../../src/sigv4/canonical.ts";
import { Signer, unsignedPayload } from "../../src/sigv4/sign.ts";
import { verifyRequest } from "../../src/sigv4/verify.ts";

const accessKeyId = "AKIAIOSFODNN7EXAMPLE";
const secretKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const now = Date.parse("2013-05-24T00:00:00Z");

Deno.test("a request is signed as in the published example of listing a bucket", () => {
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
  const headers = new Headers({ host: "examplebucket.s3.amazonaws.com" });
  const request = { method: "GET", path: "/", query: "max-keys=2&prefix=J", headers };
  new Signer({ accessKeyId, secretKey, region: "us-east-1" }).sign(request, sha256Hex(""), now);
  assert.equal(
    headers.get("authorization"),
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, " +
      "SignedHeaders=host;x-amz-content-sha256;x-amz-date, " +
      "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  );
});

Deno.test("what is signed verifies, whatever the key, the query and the day", () => {
  const signer = new Signer({ accessKeyId, secretKey, region: "eu-west-1" });
  const day = fc.date({ min: new Date("2020-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), day, (key, value, date) => {
      const headers = new Headers({
        host: "localhost:9000",
        "x-amz-meta-a": " b  c ",
        "content-type": "text/plain",
      });
      const path = `/bucket/${key.split("/").map(encodeRfc3986).join("/")}`;
      const request = { method: "PUT", path, query: `versionId=${encodeRfc3986(value)}`, headers };
      signer.sign(request, unsignedPayload, date.getTime());
      const verified = verifyRequest(
        request,
        (id) => id === accessKeyId ? secretKey : undefined,
        date.getTime(),
      );
      assert.equal(verified?.payload, unsignedPayload);
    }),
  );
});
