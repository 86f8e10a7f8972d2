import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import assert from "node:assert/strict";
import { withEndpoint } from "../support/endpoint.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";
import { exchangeOnce } from "./support/wire.ts";

const Bucket = "bucket";
const completion =
  "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>";

// versitygw keeps uploads in folders that are named after their ids, and resolves these.
for (const kind of ["versitygw", "minio"] satisfies UpstreamKind[]) {
  Deno.test({
    name: `no id of an upload leads out of it [${kind}]`,
    ignore: skipUpstream(kind),
    fn: () =>
      withEndpoint(kind, { buckets: [Bucket] }, async (endpoint) => {
        using s3 = s3Client(endpoint.upstream);
        const uploads: { Bucket: string; Key: string; UploadId: string }[] = [];
        for (const Key of ["mine", "other"]) {
          const { UploadId = "" } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
          await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: "part" }));
          uploads.push({ Bucket, Key, UploadId });
        }
        const [{ UploadId: own }, { UploadId: other }] = uploads;
        const ids = ["", ".", "..", "../..", "../../..", "./", "../", `./${own}`, `${own}/.`, `${own}/..`];
        for (const id of [...ids, `${own}/../${other}`, `../${own}`, "a/../b"]) {
          for (const encoded of [id, encodeURIComponent(id), encodeURIComponent(id).replaceAll(".", "%2e")]) {
            const target = `/${Bucket}/mine?uploadId=${encoded}`;
            for (
              const request of [
                { method: "DELETE", target },
                { method: "POST", target, body: completion },
                { method: "PUT", target: `${target}&partNumber=1`, body: "part" },
                { method: "GET", target },
              ]
            ) {
              const about = `${request.method} ${request.target}`;
              const answer = await exchangeOnce(endpoint, request, endpoint);
              assert.equal(answer.status, 400, `${about}: ${answer.text}`);
              assert.match(answer.text, /<Code>InvalidArgument<\/Code>/, about);
            }
          }
        }
        for (const upload of uploads) {
          const { Uploads = [] } = await s3.send(
            new ListMultipartUploadsCommand({ Bucket, Prefix: upload.Key }),
          );
          assert.deepEqual(Uploads.map(({ UploadId }) => UploadId), [upload.UploadId]);
          assert.equal((await s3.send(new ListPartsCommand(upload))).Parts?.length, 1);
        }
      }),
  });
}
