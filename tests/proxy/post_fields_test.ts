import assert from "node:assert/strict";
import { postAnswer, requireAnswerable } from "../../src/proxy/post/answer.ts";
import { postedHeaders } from "../../src/proxy/post/headers.ts";
import { parsePolicy, requirePolicy } from "../../src/proxy/post/policy.ts";
import { isPostSignatureOf, readPostSignature } from "../../src/proxy/post/signature.ts";

/** The worked example of https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-post-example.html */
const published = {
  policy:
    "eyAiZXhwaXJhdGlvbiI6ICIyMDE1LTEyLTMwVDEyOjAwOjAwLjAwMFoiLA0KICAiY29uZGl0aW9ucyI6IFsNCiAgICB7ImJ1Y2tldCI6" +
    "ICJzaWd2NGV4YW1wbGVidWNrZXQifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRrZXkiLCAidXNlci91c2VyMS8iXSwNCiAgICB7ImFjbCI6" +
    "ICJwdWJsaWMtcmVhZCJ9LA0KICAgIHsic3VjY2Vzc19hY3Rpb25fcmVkaXJlY3QiOiAiaHR0cDovL3NpZ3Y0ZXhhbXBsZWJ1Y2tldC5zMy5h" +
    "bWF6b25hd3MuY29tL3N1Y2Nlc3NmdWxfdXBsb2FkLmh0bWwifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRDb250ZW50LVR5cGUiLCAiaW1h" +
    "Z2UvIl0sDQogICAgeyJ4LWFtei1tZXRhLXV1aWQiOiAiMTQzNjUxMjM2NTEyNzQifSwNCiAgICB7IngtYW16LXNlcnZlci1zaWRlLWVuY3J5" +
    "cHRpb24iOiAiQUVTMjU2In0sDQogICAgWyJzdGFydHMtd2l0aCIsICIkeC1hbXotbWV0YS10YWciLCAiIl0sDQoNCiAgICB7IngtYW16LWNy" +
    "ZWRlbnRpYWwiOiAiQUtJQUlPU0ZPRE5ON0VYQU1QTEUvMjAxNTEyMjkvdXMtZWFzdC0xL3MzL2F3czRfcmVxdWVzdCJ9LA0KICAgIHsieC1h" +
    "bXotYWxnb3JpdGhtIjogIkFXUzQtSE1BQy1TSEEyNTYifSwNCiAgICB7IngtYW16LWRhdGUiOiAiMjAxNTEyMjlUMDAwMDAwWiIgfQ0KICBd" +
    "DQp9",
  "x-amz-algorithm": "AWS4-HMAC-SHA256",
  "x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request",
  "x-amz-date": "20151229T000000Z",
  "x-amz-signature": "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e",
};
const publishedSecret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const publishedNow = Date.parse("2015-12-30T11:59:59Z");

Deno.test("the published form verifies and fulfils its policy", () => {
  const fields = new Map(Object.entries(published));
  const signature = readPostSignature(fields, publishedNow);
  assert.equal(signature.accessKeyId, "AKIAIOSFODNN7EXAMPLE");
  assert.equal(isPostSignatureOf(publishedSecret, signature), true);
  assert.equal(isPostSignatureOf(`${publishedSecret}x`, signature), false);
  const form = new Map(Object.entries({
    ...published,
    "bucket": "sigv4examplebucket",
    "key": "user/user1/photo.jpg",
    "acl": "public-read",
    "success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html",
    "content-type": "image/jpeg",
    "x-amz-meta-uuid": "14365123651274",
    "x-amz-server-side-encryption": "AES256",
    "x-amz-meta-tag": "",
  }));
  requirePolicy(parsePolicy(signature.policy), form, publishedNow);
  form.set("key", "user/user2/photo.jpg");
  assert.throws(() => requirePolicy(parsePolicy(signature.policy), form, publishedNow), {
    code: "AccessDenied",
  });
});

Deno.test("a form whose signature cannot be right is refused", () => {
  const refused = (change: Record<string, string | undefined>, error: { code: string; reason?: string }) => {
    const fields = new Map(
      Object.entries({ ...published, ...change }).filter((entry): entry is [string, string] =>
        entry[1] !== undefined
      ),
    );
    assert.throws(() => readPostSignature(fields, publishedNow), error, JSON.stringify(change));
  };
  refused({ policy: undefined }, { code: "AccessDenied", reason: "missing" });
  refused({ "x-amz-signature": undefined }, { code: "AccessDenied", reason: "missing" });
  refused({ "x-amz-signature": undefined, signature: "abc=" }, { code: "InvalidRequest" });
  refused({ "x-amz-signature": undefined, awsaccesskeyid: "AKIA" }, { code: "InvalidRequest" });
  refused({ "x-amz-algorithm": "AWS4-ECDSA-P256-SHA256" }, { code: "InvalidRequest" });
  refused({ "x-amz-algorithm": undefined }, { code: "InvalidRequest" });
  refused({ "x-amz-credential": "AKIA/20151229/us-east-1/ec2/aws4_request" }, { code: "InvalidRequest" });
  refused({ "x-amz-credential": "AKIA/20151228/us-east-1/s3/aws4_request" }, { code: "InvalidRequest" });
  refused({ "x-amz-credential": undefined }, { code: "InvalidRequest" });
  refused({ "x-amz-date": "20151229" }, { code: "InvalidRequest" });
  refused({ "x-amz-date": "20151301T000000Z" }, { code: "InvalidRequest" });
  const ahead = {
    "x-amz-date": "20151230T121500Z",
    "x-amz-credential": "AKIA/20151230/us-east-1/s3/aws4_request",
  };
  refused(ahead, { code: "AccessDenied", reason: "skew" });
});

Deno.test("fields become the headers of the object", () => {
  const headers = (fields: Record<string, string>) => postedHeaders(new Map(Object.entries(fields)));
  assert.deepEqual(
    headers({
      ...published,
      "key": "a",
      "acl": "private",
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "max-age=60",
      "content-encoding": "gzip",
      "x-amz-meta-a_b": " value ",
      "x-amz-storage-class": "STANDARD",
      "x-amz-tagging": "a=b",
      "success_action_status": "201",
      "anything": "else",
    }),
    {
      contentType: "text/plain; charset=utf-8",
      headers: {
        "cache-control": "max-age=60",
        "content-encoding": "gzip",
        "x-amz-meta-a_b": "value",
        "x-amz-storage-class": "STANDARD",
        "x-amz-tagging": "a=b",
      },
    },
  );
  assert.deepEqual(headers({ "content-type": "" }), { contentType: "binary/octet-stream", headers: {} });
  const refused: [fields: Record<string, string>, code: string][] = [
    [{ acl: "public-read" }, "NotImplemented"],
    [{ "x-amz-acl": "public-read-write" }, "NotImplemented"],
    [{ "x-amz-grant-read": "id=1" }, "NotImplemented"],
    [{ "x-amz-copy-source": "/other/key" }, "NotImplemented"],
    [{ "x-amz-server-side-encryption-customer-key": "k" }, "NotImplemented"],
    [{ "x-amz-object-lock-mode": "GOVERNANCE" }, "NotImplemented"],
    [{ "x-amz-unheard-of": "1" }, "NotImplemented"],
    [{ tagging: "<Tagging/>" }, "NotImplemented"],
    [{ "cache-control": "a\r\nx-amz-acl: public-read" }, "InvalidArgument"],
    [{ "x-amz-meta-a": "é" }, "InvalidArgument"],
    [{ "x-amz-meta-a: b": "c" }, "InvalidArgument"],
    [{ "content-type": "nothing" }, "InvalidArgument"],
    [{ "x-amz-meta-a": "x".repeat(3000) }, "MetadataTooLarge"],
  ];
  for (const [fields, code] of refused) {
    assert.throws(() => headers(fields), { code }, JSON.stringify(fields));
  }
});

Deno.test("the answer is what the form wants", () => {
  const object = {
    bucket: "bucket",
    key: "a b/é&<.txt",
    location: "http://host/bucket/a%20b/%C3%A9%26%3C.txt",
    etag: '"abc"',
    versionId: undefined,
  };
  const answer = (fields: Record<string, string>) => {
    const map = new Map(Object.entries(fields));
    requireAnswerable(map);
    const { status, headers, body } = postAnswer(map, object);
    return { status, body, headers: Object.fromEntries(headers) };
  };
  const headers = { etag: object.etag, location: object.location };
  assert.deepEqual(answer({}), { status: 204, body: "", headers });
  assert.deepEqual(answer({ success_action_status: "200" }), { status: 200, body: "", headers });
  assert.deepEqual(answer({ success_action_status: "999" }), { status: 204, body: "", headers });
  const created = answer({ success_action_status: "201" });
  assert.equal(created.status, 201);
  assert.match(
    created.body,
    /<PostResponse xmlns=[^>]+><Location>http:\/\/host[^<]+<\/Location><Bucket>bucket</,
  );
  assert.match(created.body, /<Key>a b\/é&#38;&#60;\.txt<\/Key><ETag>&#34;abc&#34;<\/ETag>/);
  for (const name of ["success_action_redirect", "redirect"]) {
    const { status, headers } = answer({ [name]: "https://example.com/done?x=1" });
    assert.equal(status, 303);
    const url = new URL(headers.location);
    assert.deepEqual([...url.searchParams], [
      ["x", "1"],
      ["bucket", "bucket"],
      ["key", object.key],
      ["etag", object.etag],
    ]);
  }
  for (const url of ["javascript:alert(1)", "data:text/html,x", "/relative", "ftp://example.com/"]) {
    assert.throws(() => answer({ success_action_redirect: url }), { code: "InvalidArgument" }, url);
  }
});
