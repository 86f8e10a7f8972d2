import assert from "node:assert/strict";
import { parseCompleteRequest } from "../../src/proxy/operations/complete_request.ts";
import {
  formatDeleteObjects,
  maxDeleteObjectsBytes,
  parseDeleteObjects,
} from "../../src/proxy/operations/delete_objects.ts";
import { assertS3Error, testCredential } from "./credential.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const objects = (...keys: string[]) =>
  `<Delete>${keys.map((key) => `<Object><Key>${key}</Key></Object>`).join("")}</Delete>`;

Deno.test("keys, versions and conditions are read and written anew", () => {
  const body = `<?xml version="1.0"?><s3:Delete xmlns:s3="http://s3.amazonaws.com/doc/2006-03-01/">
    <s3:Quiet>true</s3:Quiet>
    <s3:Object><s3:VersionId>v1</s3:VersionId><s3:Key> a&amp;b<![CDATA[<c>]]>&#10;</s3:Key><s3:ETag>"e"</s3:ETag></s3:Object>
    <s3:Object><s3:Key>a//b</s3:Key></s3:Object></s3:Delete>`;
  const request = parseDeleteObjects(encode(body), testCredential());
  assert.equal(request.quiet, true);
  assert.deepEqual(request.objects.map(({ key }) => key), [" a&b<c>\n", "a//b"]);
  assert.deepEqual([...request.objects[0].more], [["VersionId", "v1"], ["ETag", '"e"']]);
  assert.deepEqual(parseDeleteObjects(encode(formatDeleteObjects(request)), testCredential()), request);
});

Deno.test("documents that are malformed, ambiguous or too large are refused", () => {
  const bodies = [
    "",
    "<Delete/>",
    "<Other/>",
    objects(""),
    objects("a&#0;"),
    objects(...Array.from({ length: 1001 }, (_, index) => `key-${index}`)),
    "<Delete><Object><Key>a</Key><Key>b</Key></Object></Delete>",
    "<Delete><Object><Key>a<x/>b</Key></Object></Delete>",
    "<Delete><Object><Key>a</Key><Prefix>b</Prefix></Object></Delete>",
    "<Delete><Quiet>maybe</Quiet><Object><Key>a</Key></Object></Delete>",
    "<Delete><Recursive/><Object><Key>a</Key></Object></Delete>",
    '<!DOCTYPE Delete [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Delete><Object><Key>&b;</Key></Object></Delete>',
    "<Delete>" + "<a>".repeat(100_000),
    `<Delete>${"<a/>".repeat(100_000)}</Delete>`,
    " ".repeat(maxDeleteObjectsBytes + 1),
  ];
  for (const body of bodies) {
    assertS3Error(
      () => parseDeleteObjects(encode(body), testCredential()),
      "MalformedXML",
      body.slice(0, 60),
    );
  }
  assertS3Error(() => parseDeleteObjects(Uint8Array.of(0xff, 0xfe), testCredential()), "MalformedXML");
  assertS3Error(
    () => parseDeleteObjects(encode(objects("k".repeat(1025))), testCredential()),
    "KeyTooLongError",
  );
});

Deno.test("one key out of scope refuses the whole request", () => {
  const credential = testCredential({ prefix: "team/" });
  assert.equal(parseDeleteObjects(encode(objects("team/a", "team/b")), credential).objects.length, 2);
  for (const key of ["a", "team/../a", "team/.&#46;/a", "Team/a", "team"]) {
    const error = assertS3Error(
      () => parseDeleteObjects(encode(objects("team/a", key)), credential),
      "AccessDenied",
      key,
    );
    assert.equal(error.result, "scope_violation");
  }
  assertS3Error(
    () => parseDeleteObjects(encode(objects("a", "../secret/b")), testCredential()),
    "InvalidURI",
  );
});

Deno.test("the parts of a multipart upload are checked before they go on", () => {
  const parts = (...numbers: (number | string)[]) =>
    encode(
      `<CompleteMultipartUpload>${
        numbers.map((number) =>
          `<Part><ETag>"e"</ETag><PartNumber>${number}</PartNumber><ChecksumCRC32>AAAAAA==</ChecksumCRC32></Part>`
        ).join("")
      }</CompleteMultipartUpload>`,
    );
  assert.deepEqual(parseCompleteRequest(parts(1, 3, 10_000)), [1, 3, 10_000]);
  const all = Array.from({ length: 10_000 }, (_, index) => index + 1);
  assert.deepEqual(parseCompleteRequest(parts(...all)), all);
  const bad = [
    parts(),
    parts(0),
    parts(10_001),
    parts("1.5"),
    parts("x"),
    parts(...all, 1),
    encode("<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part></CompleteMultipartUpload>"),
    encode("<CompleteMultipartUpload><Other/></CompleteMultipartUpload>"),
    encode("<!DOCTYPE a><CompleteMultipartUpload/>"),
  ];
  for (const [index, body] of bad.entries()) {
    assertS3Error(() => parseCompleteRequest(body), "MalformedXML", String(index));
  }
});
