import assert from "node:assert/strict";
import { join } from "node:path";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { AuditWriter } from "../../src/audit/writer.ts";
import { BackendRegistry } from "../../src/backends/registry.ts";
import { backendSchema } from "../../src/config/schema.ts";
import { Logger } from "../../src/logging/logger.ts";
import { QuotaExceededError } from "../../src/quotas/problem.ts";
import { openQuotas, type Quotas } from "../../src/quotas/quotas.ts";
import { Database } from "../../src/store/database.ts";
import { s3Client } from "../support/s3_client.ts";
import { type Upstream, upstreamTest } from "../support/upstreams.ts";

const backend = "main";
const bucket = "parts";
const hardBytes = 30 << 20;
const partBytes = 5 << 20;

/** Quotas as the program opens them, on a state that outlives them. */
interface Session extends Disposable {
  readonly ledger: Quotas["ledger"];
  /** What the bucket holds. */
  usage(): Promise<number>;
  /** Counts the bucket again. */
  recompute(): Promise<number>;
}

async function openSession(upstream: Upstream, directory: string): Promise<Session> {
  const logger = new Logger({ level: "error", format: "json", clock: Date.now, write() {} });
  const database = new Database(join(directory, "service.db"));
  const credentials = { access_key: upstream.accessKey, secret_key: upstream.secretKey };
  const { endpoint, region } = upstream;
  const entry = backendSchema.parse({ id: backend, type: "s3v4", endpoint, region, path_style: true });
  const registry = new BackendRegistry({
    configured: [{ ...entry, credentials }],
    database,
    sealer: null,
    logger,
    clock: Date.now,
  });
  const audit = new AuditWriter(database, logger);
  const quotas = openQuotas({ database, registry, audit, logger, clock: Date.now, scanIntervalMs: -1 });
  const scope = { connection: registry.connect(backend), bucket };
  await quotas.service.set(scope, { softBytes: 0, hardBytes }, "admin");
  await quotas.service.recompute(scope);
  return {
    ledger: quotas.ledger,
    usage: async () => (await quotas.service.describe(scope)).usage?.bytes ?? 0,
    recompute: async () => (await quotas.service.recompute(scope)).usage?.bytes ?? 0,
    [Symbol.dispose]() {
      quotas.close();
      registry.close();
      database.close();
    },
  };
}

/** Runs `body` with a bucket and a place for the state of sessions. */
async function withBucket(
  upstream: Upstream,
  body: (direct: S3Client, open: () => Promise<Session>) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "quotas-" });
  try {
    using direct = s3Client(upstream);
    await direct.send(new CreateBucketCommand({ Bucket: bucket }));
    await body(direct, () => openSession(upstream, directory));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** An upload that goes past the program, its parts reserved as the S3 endpoint does. */
class Upload {
  readonly #etags = new Map<number, string>();

  private constructor(readonly direct: S3Client, readonly key: string, readonly uploadId: string) {}

  static async begin(direct: S3Client, key: string): Promise<Upload> {
    const { UploadId = "" } = await direct.send(
      new CreateMultipartUploadCommand({ Bucket: bucket, Key: key }),
    );
    return new Upload(direct, key, UploadId);
  }

  async sendPart({ ledger }: Session, partNumber: number, bytes: number): Promise<void> {
    const { key, uploadId } = this;
    const reservation = await ledger.reservePart(backend, bucket, { key, uploadId, partNumber }, bytes);
    const { ETag = "" } = await this.direct.send(
      new UploadPartCommand({
        Bucket: bucket,
        Key: key,
        UploadId: uploadId,
        PartNumber: partNumber,
        Body: new Uint8Array(bytes),
      }),
    );
    this.#etags.set(partNumber, ETag);
    reservation.commit();
  }

  async complete({ ledger }: Session, partNumbers: number[]): Promise<void> {
    const { key, uploadId } = this;
    const reservation = await ledger.reserveCompletion(backend, bucket, { key, uploadId, partNumbers });
    await this.completeDirectly(partNumbers);
    reservation.commit();
  }

  async completeDirectly(partNumbers: number[]): Promise<void> {
    const Parts = partNumbers.map((PartNumber) => ({ PartNumber, ETag: this.#etags.get(PartNumber) }));
    await this.direct.send(
      new CompleteMultipartUploadCommand({
        Bucket: bucket,
        Key: this.key,
        UploadId: this.uploadId,
        MultipartUpload: { Parts },
      }),
    );
  }

  async abortDirectly(): Promise<void> {
    const { key: Key, uploadId: UploadId } = this;
    await this.direct.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
  }
}

upstreamTest(
  ["embedded", "minio"],
  "parts count until their upload is complete or aborted",
  (upstream) =>
    withBucket(upstream, async (direct, open) => {
      using session = await open();
      const first = await Upload.begin(direct, "a");
      for (const number of [1, 2, 3]) await first.sendPart(session, number, partBytes);
      assert.equal(await session.usage(), 3 * partBytes);
      // Sent again, a part counts once: in place of the earlier one.
      await first.sendPart(session, 3, partBytes + 1000);
      await first.sendPart(session, 3, 1000);
      assert.equal(await session.usage(), 2 * partBytes + 1000);
      assert.equal(await session.recompute(), 2 * partBytes + 1000, "a count keeps what is unfinished");

      const second = await Upload.begin(direct, "b");
      for (const number of [1, 2, 3]) await second.sendPart(session, number, partBytes);
      await assert.rejects(second.sendPart(session, 4, partBytes), QuotaExceededError);
      await second.abortDirectly();
      // With another key the backend knows no such upload, and what is stored under the right one goes on to count.
      session.ledger.abortUpload(backend, bucket, { key: "other", uploadId: second.uploadId });
      assert.equal(await session.usage(), 5 * partBytes + 1000);
      session.ledger.abortUpload(backend, bucket, second);
      assert.equal(await session.usage(), 2 * partBytes + 1000);

      await first.complete(session, [1, 3]);
      assert.equal(await session.usage(), partBytes + 1000, "a part that was left out is gone");
      assert.equal(await session.recompute(), partBytes + 1000);
      const third = await Upload.begin(direct, "a");
      await third.sendPart(session, 1, 10);
      await third.complete(session, [1]);
      assert.equal(await session.usage(), 10, "it replaced the object of before");
      assert.equal(await session.recompute(), 10);
    }),
);

upstreamTest(
  ["embedded", "minio"],
  "parts outlive a restart, and go when their upload ended elsewhere",
  (upstream) =>
    withBucket(upstream, async (direct, open) => {
      const [live, completed, aborted] = await Promise.all(
        ["live", "completed", "aborted"].map((key) => Upload.begin(direct, key)),
      );
      {
        using session = await open();
        for (const upload of [live, completed, aborted]) await upload.sendPart(session, 1, partBytes);
        const { key, uploadId } = live;
        const lost = await session.ledger.reservePart(
          backend,
          bucket,
          { key, uploadId, partNumber: 2 },
          1000,
        );
        // Neither committed nor released: the program ends while the part is under way.
        assert.ok(lost);
      }
      using session = await open();
      assert.equal(await session.usage(), 3 * partBytes + 1000);
      await completed.completeDirectly([1]);
      await aborted.abortDirectly();
      assert.equal(await session.recompute(), 2 * partBytes + 1000);
      await live.complete(session, [1]);
      assert.equal(await session.usage(), 2 * partBytes);
    }),
);

upstreamTest(
  ["embedded"],
  "a part that is not stored gives back what it took, and no more",
  (upstream) =>
    withBucket(upstream, async (direct, open) => {
      using session = await open();
      const upload = await Upload.begin(direct, "a");
      await upload.sendPart(session, 1, 1000);
      const { key, uploadId } = upload;
      const reserve = (partNumber: number, bytes: number) =>
        session.ledger.reservePart(backend, bucket, { key, uploadId, partNumber }, bytes);
      const again = await reserve(1, 5000);
      assert.equal(await session.usage(), 5000);
      again.release();
      again.release();
      again.commit();
      assert.equal(await session.usage(), 1000);
      (await reserve(2, 700)).release();
      assert.equal(await session.usage(), 1000);
      (await reserve(2, 700)).keep();
      assert.equal(await session.usage(), 1700);
      // Two at once with one number: the larger one counts, since the backend may keep either.
      const [large, small] = [await reserve(3, 4000), await reserve(3, 10)];
      large.commit();
      small.commit();
      assert.equal(await session.usage(), 5700);
      const grown = await reserve(4, 0);
      grown.grow(300);
      assert.equal(await session.usage(), 6000);
      assert.throws(() => grown.grow(hardBytes), QuotaExceededError);
      grown.commit();
      assert.equal(await session.usage(), 6000);
    }),
);
