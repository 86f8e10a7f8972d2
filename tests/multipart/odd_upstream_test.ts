import assert from "node:assert/strict";
import { backendId, bucketName } from "../support/bucket.ts";
import { type Client, json, refusal } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { type RawRequest, type RawUpstream, startRawUpstream } from "../support/raw_upstream.ts";

const bucket = `/api/backends/${backendId}/buckets/${bucketName}`;

async function withRawUpstream(
  body: (upstream: RawUpstream, client: Client) => Promise<void>,
): Promise<void> {
  const upstream = startRawUpstream();
  try {
    const backends = [{ id: backendId, upstream }];
    await withProgram({ backends }, async (program) => body(upstream, await program.signedIn()));
  } finally {
    await upstream.stop();
  }
}

/** An answer of a server of this name. */
function answer(status: string, xml: string, server: string): { text: string } {
  const head = [`HTTP/1.1 ${status}`, `server: ${server}`, "content-type: application/xml"];
  return { text: [...head, `content-length: ${xml.length}`, "connection: close", "", xml].join("\r\n") };
}

Deno.test("what was begun here is listed although MinIO has forgotten it, and what has ended is not", async () => {
  await withRawUpstream(async (upstream, client) => {
    const ended = new Set<string>();
    upstream.set(({ method, target }: RawRequest) => {
      const { pathname, searchParams } = new URL(target, "http://upstream");
      if (method === "POST") {
        const xml = `<InitiateMultipartUploadResult><UploadId>id-of-${pathname.split("/").at(-1)}` +
          "</UploadId></InitiateMultipartUploadResult>";
        return answer("200 OK", xml, "MinIO");
      }
      const id = searchParams.get("uploadId");
      if (id === null) return answer("200 OK", "<ListMultipartUploadsResult/>", "MinIO");
      return ended.has(id)
        ? answer("404 Not Found", "<Error><Code>NoSuchUpload</Code></Error>", "MinIO")
        : answer("200 OK", "<ListPartsResult/>", "MinIO");
    });
    for (const key of ["c", "a", "b", "x"]) {
      await json(client.post(`${bucket}/multipart?key=folder/${key}`), 201);
    }
    const list = async (query: string) => {
      const { uploads, is_truncated, next_key_marker, next_upload_id_marker } = await json(
        client.get(`${bucket}/multipart?${query}`),
      );
      const names = uploads.map(({ upload_id }: { upload_id: string }) => upload_id);
      return [names, is_truncated, next_key_marker, next_upload_id_marker];
    };
    const all = ["id-of-a", "id-of-b", "id-of-c", "id-of-x"];
    assert.deepEqual(await list("prefix=folder/"), [all, false, undefined, undefined]);
    ended.add("id-of-b");
    assert.deepEqual(await list("max_uploads=2"), [["id-of-a", "id-of-c"], true, "folder/c", "id-of-c"]);
    const rest = "max_uploads=2&key_marker=folder/a&upload_id_marker=id-of-a";
    assert.deepEqual(await list(rest), [["id-of-c", "id-of-x"], false, undefined, undefined]);
    ended.delete("id-of-b");
    assert.deepEqual((await list(""))[0], ["id-of-a", "id-of-c", "id-of-x"], "it was forgotten for good");
  });
});

Deno.test("an upstream that lists the same page for ever is not listened to", async () => {
  await withRawUpstream(async (upstream, client) => {
    const part = "<Part><PartNumber>1</PartNumber><ETag>x</ETag><Size>1</Size></Part>";
    const upload = "<Upload><Key>a</Key><UploadId>1</UploadId></Upload>";
    const truncated = "<IsTruncated>true</IsTruncated>";
    const serve = (xml: string) => upstream.set(() => answer("200 OK", xml, "other"));
    const parts = () => refusal(client.get(`${bucket}/multipart/parts?key=a&upload_id=1`));
    for (const content of [truncated, truncated + part, part + part, part.replace(">1<", ">10001<")]) {
      serve(`<ListPartsResult>${content}</ListPartsResult>`);
      assert.equal(await parts(), "502 backend_error", content);
    }
    serve(`<ListObjectsResult>${part}</ListObjectsResult>`);
    assert.equal(await parts(), "502 backend_error");
    const uploads = (query: string) => client.get(`${bucket}/multipart?${query}`);
    serve(`<ListMultipartUploadsResult>${truncated}</ListMultipartUploadsResult>`);
    assert.equal(await refusal(uploads("")), "502 backend_error");
    serve(`<ListMultipartUploadsResult>${truncated}${upload}</ListMultipartUploadsResult>`);
    assert.equal((await json(uploads(""))).next_upload_id_marker, "1");
    assert.equal(await refusal(uploads("key_marker=a&upload_id_marker=1")), "502 backend_error");
    serve("<html>not S3</html>");
    assert.equal(await refusal(uploads("")), "502 backend_error");
  });
});

Deno.test("the size of a completed upload is the one that is stored, as far as the backend tells it", async () => {
  await withRawUpstream(async (upstream, client) => {
    const listed = "<Part><PartNumber>1</PartNumber><ETag>x</ETag><Size>5</Size></Part>";
    const complete = async (head: string) => {
      const looks: string[] = [];
      upstream.set(({ method, target }: RawRequest) => {
        const { searchParams } = new URL(target, "http://upstream");
        if (method === "POST") {
          const xml = '<CompleteMultipartUploadResult><ETag>"whole-1"</ETag></CompleteMultipartUploadResult>';
          return answer("200 OK", xml, "other");
        }
        if (searchParams.has("uploadId")) {
          return answer("200 OK", `<ListPartsResult>${listed}</ListPartsResult>`, "other");
        }
        looks.push(`${method} ${target}`);
        return { text: `HTTP/1.1 ${head}\r\nconnection: close\r\n\r\n` };
      });
      const parts = [{ part_number: 1, etag: "x" }];
      const path = `${bucket}/multipart/complete?key=a&upload_id=1`;
      const { size, etag } = await json(client.post(path, { json: { parts } }));
      assert.equal(etag, "whole-1");
      assert.equal(looks[0], `HEAD /${bucketName}/a`);
      return size;
    };
    assert.equal(await complete('200 OK\r\ncontent-length: 3\r\netag: "whole-1"'), 3, "it has lost some");
    assert.equal(await complete('200 OK\r\ncontent-length: 5\r\netag: "whole-1"'), 5);
    assert.equal(await complete('200 OK\r\ncontent-length: 7\r\netag: "later"'), 5, "it was replaced since");
    assert.equal(await complete("403 Forbidden\r\ncontent-length: 0"), 5, "it is complete all the same");
    assert.equal(await complete("500 Internal Server Error\r\ncontent-length: 0"), 5);
  });
});
