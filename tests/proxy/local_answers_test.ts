import assert from "node:assert/strict";
import { type AnswerContext, errorAnswer, xmlAnswer } from "../../src/proxy/answer.ts";
import { bucketLocationDocument } from "../../src/proxy/operations/bucket_location.ts";
import { listBucketsDocument } from "../../src/proxy/operations/list_buckets.ts";
import { QueryList } from "../../src/proxy/query.ts";
import { S3Error } from "../../src/proxy/s3_error.ts";
import { childOf, parseXml, textOf } from "../../src/xml/reader.ts";
import { assertS3Error, testCredential } from "./credential.ts";

const context: AnswerContext = {
  method: "GET",
  path: "/photos/a&<b",
  bucket: "photos",
  requestId: "REQUEST",
};

Deno.test("an error is S3's document, without a namespace and with everything escaped", () => {
  const error = new S3Error("SlowDown", "<slow> & steady", { headers: { "retry-after": "1" } });
  assert.deepEqual(errorAnswer(error, context), {
    status: 503,
    headers: [["x-amz-request-id", "REQUEST"], ["retry-after", "1"], ["content-type", "application/xml"]],
    body: '<?xml version="1.0" encoding="UTF-8"?>\n' +
      "<Error><Code>SlowDown</Code><Message>&#60;slow&#62; &#38; steady</Message>" +
      "<Resource>/photos/a&#38;&#60;b</Resource><BucketName>photos</BucketName>" +
      "<RequestId>REQUEST</RequestId><HostId>REQUEST</HostId></Error>",
  });
});

Deno.test("an error of HEAD has no body, one of the service no bucket", () => {
  const error = new S3Error("AccessDenied", "No.");
  assert.deepEqual(errorAnswer(error, { ...context, method: "HEAD" }), {
    status: 403,
    headers: [["x-amz-request-id", "REQUEST"]],
    body: "",
  });
  assert.ok(!errorAnswer(error, { ...context, bucket: "" }).body.includes("BucketName"));
});

Deno.test("a document is answered as XML", () => {
  assert.deepEqual(xmlAnswer("<a/>", context), {
    status: 200,
    headers: [["x-amz-request-id", "REQUEST"], ["content-type", "application/xml"]],
    body: "<a/>",
  });
});

function listBuckets(query: string) {
  const root = parseXml(listBucketsDocument(testCredential(), QueryList.parse(query)));
  const buckets = childOf(root, "Buckets")?.children ?? [];
  return { root, buckets, names: buckets.map((bucket) => textOf(bucket, "Name")) };
}

Deno.test("ListBuckets names the buckets in scope, sorted, with the credential as their owner", () => {
  const { root, buckets, names } = listBuckets("");
  assert.equal(root.name, "ListAllMyBucketsResult");
  assert.deepEqual(names, ["archive", "films", "photos"]);
  assert.equal(textOf(buckets[0], "CreationDate"), "2026-01-02T03:04:05.000Z");
  assert.deepEqual(childOf(root, "Owner")?.children.map(({ text }) => text), ["AKIAEXAMPLE", "AKIAEXAMPLE"]);
  assert.equal(textOf(root, "ContinuationToken"), undefined);
});

Deno.test("ListBuckets goes page by page and by prefix", () => {
  const first = listBuckets("max-buckets=2");
  assert.deepEqual(first.names, ["archive", "films"]);
  const token = textOf(first.root, "ContinuationToken");
  const second = listBuckets(`max-buckets=2&continuation-token=${token}`);
  assert.deepEqual(second.names, ["photos"]);
  assert.equal(textOf(second.root, "ContinuationToken"), undefined);
  const filtered = listBuckets("prefix=p");
  assert.deepEqual([filtered.names, textOf(filtered.root, "Prefix")], [["photos"], "p"]);
  for (const limit of ["0", "-1", "10001", "1.5", "x", ""]) {
    assertS3Error(() => listBuckets(`max-buckets=${limit}`), "InvalidArgument", limit);
  }
});

Deno.test("GetBucketLocation tells the region, and nothing for us-east-1", () => {
  assert.equal(parseXml(bucketLocationDocument("eu-west-1")).text, "eu-west-1");
  const [name, text] = [parseXml(bucketLocationDocument("us-east-1"))].flatMap((
    { name, text },
  ) => [name, text]);
  assert.deepEqual([name, text], ["LocationConstraint", ""]);
});
