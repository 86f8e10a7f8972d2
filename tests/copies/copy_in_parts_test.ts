import assert from "node:assert/strict";
import { MemoryBudget } from "../../src/copies/memory_budget.ts";
import { copyInParts } from "../../src/copies/server_side_copy.ts";
import { readSource } from "../../src/copies/source_object.ts";
import { S3Connection } from "../../src/backends/s3_client.ts";
import { BackendRegistry } from "../../src/backends/registry.ts";
import { UploadJournal } from "../../src/objects/upload_journal.ts";
import { Database } from "../../src/store/database.ts";
import { listOwnUploads } from "../../src/store/own_uploads_repository.ts";
import { Logger } from "../../src/logging/logger.ts";
import { unlimited } from "../../src/quotas/reservation.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { copyEnd, digest, mebibyte, pattern, putInParts } from "./copy_stage.ts";

upstreamTest(
  ["minio", "versitygw"],
  "an object is copied part by part within a backend",
  async (upstream) => {
    const { endpoint, region, accessKey, secretKey } = upstream;
    const connection = new S3Connection({
      ...{
        id: "a",
        name: "a",
        type: "s3v4",
        endpoint,
        region,
        pathStyle: true,
        presign: false,
        enabled: true,
      },
      ...{ source: "config", credentials: { accessKey, secretKey } },
    }, Date.now);
    using sdk = s3Client(upstream);
    const logger = new Logger({ level: "error", format: "json", write: () => {}, clock: Date.now });
    const database = new Database(":memory:");
    const registry = new BackendRegistry({
      configured: [],
      database,
      sealer: null,
      logger,
      clock: Date.now,
    });
    const journal = new UploadJournal({ database, registry, logger });
    const end = await copyEnd("a", "bucket", sdk);
    const content = pattern(17 * mebibyte);
    const { signal } = new AbortController();
    for (const checksum of [{}, { ChecksumAlgorithm: "CRC32", ChecksumType: "FULL_OBJECT" }] as const) {
      await putInParts(end, "a", content, [6, 6, 5].map((size) => size * mebibyte), checksum);
      const source = { connection, bucket: end.bucket, key: "a" };
      let progress = 0;
      const options = {
        ifAbsent: false,
        move: false,
        signal,
        onProgress: (bytes: number) => progress += bytes,
      };
      const target = { ...source, key: "ü & b", contentType: "text/plain", metadata: { m: "n" } };
      const { stored, layout } = await copyInParts({
        source,
        original: await readSource(source, signal),
        target: { ...target, headers: { "x-amz-tagging": "t=u" }, ifAbsent: false, reservation: unlimited },
        options,
        logger,
        journal,
        memory: new MemoryBudget(0),
      });
      const [before, after] = await Promise.all([end.head("a"), end.head("ü & b")]);
      assert.deepEqual(layout, { partBytes: 6 * mebibyte, isOfSource: true });
      assert.equal(`"${stored.etag}"`, before.ETag);
      assert.equal(after.ETag, before.ETag);
      assert.equal(progress, content.length);
      assert.equal(digest(await end.read("ü & b")), digest(content));
      assert.deepEqual([after.ContentType, after.Metadata, await end.tags("ü & b")], ["text/plain", {
        m: "n",
      }, {
        t: "u",
      }]);
      assert.equal(await end.uploads(), 0);
    }
    assert.deepEqual(listOwnUploads(database), []);
    connection.close();
    database.close();
  },
);
