import { DatabaseSync } from "node:sqlite";
import { CreateBucketCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { encodePng } from "../../src/quickstart/png.ts";
import { sampleDocuments, sampleReadings } from "../../src/quickstart/sample_files.ts";
import { type Client, json } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { freePorts } from "../support/ports.ts";
import { type Program, withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { withUpstream } from "../support/upstreams.ts";

/** The program as it looks after some weeks of use. */
export interface Stage {
  readonly program: Program;
  /** Signed in as an administrator. */
  readonly admin: Client;
  /** The code of a share of each kind. */
  readonly shares: Readonly<
    Record<"file" | "folder" | "locked" | "revoked" | "selection" | "upload", string>
  >;
}

const main = "/api/backends/main/buckets";
const documents = `${main}/documents`;

const day = 86_400_000;

/** A name without a place to break, as stores that name things by a digest of their content give. */
export const longName = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/**
 * Runs `body` with the program in front of MinIO, of the embedded S3 server, and of a backend that is down, with buckets,
 * versions, quotas, users, shares, credentials and jobs.
 */
export function withStage<T>(body: (stage: Stage) => Promise<T>): Promise<T> {
  return withUpstream("minio", (minio) =>
    withUpstream("embedded", async (embedded) => {
      const [port] = freePorts(1);
      const unreachable = { ...embedded, endpoint: `http://127.0.0.1:${port}` };
      using s3 = s3Client(minio);
      using archive = s3Client(embedded);
      await storeSamples(s3, archive);
      const backends = [
        { id: "main", name: "Main storage", upstream: minio, entry: { presign: true } },
        { id: "archive", name: "Archive", upstream: embedded },
        { id: "old-nas", name: "Old NAS", upstream: unreachable },
      ];
      const config = {
        s3_proxy: { enabled: true, listen: "127.0.0.1:0" },
        ratelimit: { api_per_minute: 6000, share_per_minute: 600 },
      };
      const users = { admin: "admin", ulrike: "user", rita: "readonly" } as const;
      return await withProgram({ backends, config, users }, async (program) => {
        const admin = await program.signedIn("admin");
        await prepareBuckets(admin);
        storeGrowth(program.databasePath);
        await makeVersions(admin);
        const shares = await makeShares(admin);
        await makeCredentials(admin);
        await runJobs(admin);
        return await body({ program, admin, shares });
      });
    }));
}

async function storeSamples(s3: S3Client, archive: S3Client): Promise<void> {
  for (const name of ["backups", "documents", "photos", "website"]) {
    await s3.send(new CreateBucketCommand({ Bucket: name }));
  }
  for (const name of ["invoices-2024", "invoices-2025"]) {
    await archive.send(new CreateBucketCommand({ Bucket: name }));
  }
  const put = (
    client: S3Client,
    Bucket: string,
    Key: string,
    Body: Uint8Array | string,
    ContentType: string,
  ) => client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }));
  for (const { key, bytes, contentType } of [...sampleDocuments(), ...sampleReadings().slice(1200, 1420)]) {
    await put(s3, "documents", key, bytes, contentType);
  }
  for (let count = 1; count <= 12; count++) {
    const picture = encodePng(480, 320, (x, y) => [
      Math.round(127 + 120 * Math.sin((x + 90 * count) / 110)),
      Math.round(127 + 120 * Math.sin((y + 60 * count) / 90)),
      (60 + 16 * count) % 256,
    ]);
    await put(s3, "photos", `2026/summer-${String(count).padStart(2, "0")}.png`, picture, "image/png");
  }
  await put(s3, "website", "index.html", "<!doctype html><title>Hello</title><h1>Hello</h1>", "text/html");
  for (const [host, size] of [["db-1", 620_000], ["db-2", 380_000], ["web", 200_000]] as const) {
    for (let count = 1; count <= 9; count++) {
      const body = new Uint8Array(size * count);
      await put(s3, "backups", `${host}/2026-11-0${count}.tar.zst`, body, "application/zstd");
    }
  }
  await put(s3, "backups", `${longName}/${longName}`, new Uint8Array(1000), "application/octet-stream");
  for (let month = 1; month <= 12; month++) {
    const body = new Uint8Array(20_000 + 900 * month);
    await put(
      archive,
      "invoices-2025",
      `2025-${String(month).padStart(2, "0")}.pdf`,
      body,
      "application/pdf",
    );
  }
}

async function prepareBuckets(admin: Client): Promise<void> {
  await json(admin.put(`${documents}/versioning`, { json: { enabled: true } }));
  const gibibyte = 2 ** 30;
  await json(
    admin.put(`${documents}/quota`, { json: { soft_bytes: 5 * gibibyte, hard_bytes: 8 * gibibyte } }),
  );
  await json(
    admin.put(`${main}/backups/quota`, { json: { soft_bytes: 50_000_000, hard_bytes: 80_000_000 } }),
  );
  for (const name of ["documents", "backups", "photos", "website"]) {
    await json(admin.put(`${main}/${name}/size-tracking`, { json: { enabled: true } }));
    await json(admin.post(`${main}/${name}/quota/recompute`));
  }
  const policy = JSON.stringify({
    Version: "2012-10-17",
    Statement: [{
      Effect: "Allow",
      Principal: { AWS: ["*"] },
      Action: ["s3:GetObject"],
      Resource: ["arn:aws:s3:::website/*"],
    }],
  });
  await json(admin.put(`${main}/website/policy`, { json: { policy } }));
  const rule = { id: "old-readings", prefix: "readings/", enabled: true, expiration_days: 365 };
  const drafts = {
    id: "large-drafts",
    prefix: "documents/",
    tags: [{ key: "state", value: "draft" }],
    larger_than_bytes: 20 * 2 ** 20,
    enabled: true,
    expiration_days: 90,
  };
  await json(admin.put(`${documents}/lifecycle`, { json: { rules: [rule, drafts] } }));
  for (const bucket of ["documents", "photos"]) {
    await json(admin.post("/api/me/pins", { json: { backend_id: "main", bucket } }), 201);
  }
  for (const place of [{ prefix: "documents/日本語/" }, { search: "report" }]) {
    const pin = { backend_id: "main", bucket: "documents", ...place };
    await json(admin.post("/api/me/pins", { json: pin }), 201);
  }
  await json(admin.get(`${documents}/objects`));
  await json(admin.post(`${main}/backups/multipart?key=db-1/unfinished.tar.zst`, { json: {} }), 201);
}

/** What the bucket of backups held on each day before today: more and more, and less after each Sunday. */
function storeGrowth(databasePath: string): void {
  using database = new DatabaseSync(databasePath, { timeout: 5_000 });
  const insert = database.prepare("INSERT OR IGNORE INTO usage_samples VALUES ('main', 'backups', ?, ?, ?)");
  for (let age = 1; age < 90; age++) {
    const date = new Date(Date.now() - age * day);
    const share = 1 - age / 150 - (6 - date.getUTCDay()) / 60;
    insert.run(date.toISOString().slice(0, 10), Math.round(54_000_000 * share), Math.round(27 * share));
  }
}

async function makeVersions(admin: Client): Promise<void> {
  const notes = [
    "A first draft.",
    "A first draft.\nWith a second line.",
    "A draft.\nWith a second line.\nAnd more.",
  ];
  for (const body of notes) {
    const headers = { "content-type": "text/plain" };
    await (await admin.post(`${documents}/object?key=documents/notes.txt`, { body, headers })).body?.cancel();
  }
  const tags = { project: "garden", year: "2026" };
  await json(admin.put(`${documents}/object/tags?key=documents/notes.txt`, { json: { tags } }));
  const gone = "documents/obsolete.txt";
  await (await admin.post(`${documents}/object?key=${gone}`, { body: "Old." })).body?.cancel();
  await (await admin.delete(`${documents}/object?key=${gone}`)).body?.cancel();
}

async function makeShares(admin: Client): Promise<Stage["shares"]> {
  await json(
    admin.post("/api/shares", {
      json: { backend_id: "main", bucket: "backups", key: `${longName}/${longName}` },
    }),
    201,
  );
  const share = async (key: string | undefined, settings: Record<string, unknown> = {}) => {
    const body = { backend_id: "main", bucket: "documents", key, ...settings };
    return await json(admin.post("/api/shares", { json: body }), 201) as { id: number; code: string };
  };
  const expires_at = new Date(Date.now() + 7 * day).toISOString();
  const file = await share("documents/report.pdf", { expires_at, max_downloads: 20, note: "For the board" });
  const folder = await share("pictures/", { expires_at });
  const locked = await share("documents/inventory.csv", { password: "garden gate 42" });
  const revoked = await share("welcome.txt");
  await (await admin.delete(`/api/shares/${revoked.id}`)).body?.cancel();
  const keys = ["documents/report.pdf", "documents/notes.txt", "documents/inventory.csv", "pictures/"];
  const selection = await share(undefined, { keys, expires_at });
  const upload = await share("inbox/", {
    kind: "upload",
    title: "Ada asks you for the photos of the garden",
    message: "Please send what you took on Saturday, as large as you have it.\nThank you!",
    max_uploads: 40,
    max_bytes: 2 ** 31,
    max_file_bytes: 4 << 20,
  });
  const path = `/s/${upload.code}/files?name=`;
  for (const name of ["gate.jpg", "roses.jpg", "pond.jpg"]) {
    await (await admin.post(path + name, { body: new Uint8Array(1_400_000) })).body?.cancel();
  }
  return {
    file: file.code,
    folder: folder.code,
    locked: locked.code,
    revoked: revoked.code,
    selection: selection.code,
    upload: upload.code,
  };
}

async function makeCredentials(admin: Client): Promise<void> {
  const wanted = [
    { buckets: ["backups"], description: "Nightly backups" },
    { buckets: ["website"], description: "Deployment of the website", prefix: "assets/" },
    { buckets: ["documents", "photos"], description: "Reports, to read only", read_only: true },
  ];
  for (const scope of wanted) {
    await json(admin.post("/api/me/s3-credentials", { json: { backend_id: "main", ...scope } }), 201);
  }
}

async function runJobs(admin: Client): Promise<void> {
  const copy = {
    src_prefix: "readings/",
    dst_prefix: "readings/",
    dst_backend: "archive",
    dst_bucket: "invoices-2024",
  };
  const headers = { prefer: "respond-async" };
  const { job } = await json(admin.post(`${documents}/objects/copy-prefix`, { json: copy, headers }), 202);
  const isOver = async () => (await json(admin.get(`/api/jobs/${job.id}`))).state === "done";
  await until(isOver, { timeoutMs: 120_000, what: "the transfer to be done" });
}
