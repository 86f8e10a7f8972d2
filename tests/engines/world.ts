import { gzipSync } from "node:zlib";
import { encodePng } from "../../src/quickstart/png.ts";
import { pdf, zip } from "../browser/preview_files.ts";
import { type Client, json } from "../support/http_client.ts";
import { type Program, withProgram } from "../support/program.ts";
import { withUpstream } from "../support/upstreams.ts";

/** What is walked through: the program in front of MinIO, with a bucket `files` on the backend `main`. */
export interface World {
  readonly program: Program;
  /** The path of a share of each kind. */
  readonly shares: Readonly<Record<"file" | "folder" | "upload", string>>;
  /** The content of an object by its key. */
  stored(key: string): Promise<string>;
}

/** A file of each kind that has a preview of its own, by its key: its media type and its content. */
const previewed: Readonly<Record<string, readonly [type: string, body: BodyInit]>> = {
  "archive.zip": ["application/zip", new Uint8Array(zip())],
  "data.json": ["application/json", '{"big":12345678901234567890,"list":[1]}'],
  "drawing.svg": [
    "image/svg+xml",
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="teal"/></svg>',
  ],
  "log.gz": ["application/gzip", new Uint8Array(gzipSync("2026-11-21T10:00:00Z ERROR broken\n".repeat(100)))],
  "notes.md": ["text/markdown", "# Title\n\nWith *emphasis*."],
  "picture.png": ["image/png", encodePng(48, 32, (x, y) => [x * 5, y * 8, 96])],
  "raw.bin": ["application/octet-stream", new Uint8Array([0, 1, 2, 0x41, 0x42, 0xff])],
  "report.pdf": ["application/pdf", pdf()],
  "table.csv": ["text/csv", 'name,city\n"Curie, Marie",Paris\n'],
  "text.txt": ["text/plain", "Grüße, 世界"],
};

const bucket = "/api/backends/main/buckets/files";

/** Runs `body` with the world, which ends with it. */
export function withWorld<T>(body: (world: World) => Promise<T>): Promise<T> {
  return withUpstream("minio", (upstream) => {
    const backends = [{ id: "main", name: "Main storage", upstream }];
    const config = {
      s3_proxy: { enabled: true, listen: "127.0.0.1:0" },
      ratelimit: { api_per_minute: 6000, share_per_minute: 600 },
    };
    return withProgram({ backends, config }, async (program) => {
      const admin = await program.signedIn();
      await json(admin.post("/api/backends/main/buckets", { json: { name: "files" } }), 201);
      await json(admin.put(`${bucket}/versioning`, { json: { enabled: true } }));
      for (const [key, [type, content]] of Object.entries(previewed)) await store(admin, key, type, content);
      for (const draft of ["first", "second"]) await store(admin, "docs/letter.txt", "text/plain", draft);
      const scope = { backend_id: "main", buckets: ["files"], description: "Nightly backups" };
      await json(admin.post("/api/me/s3-credentials", { json: scope }), 201);
      const shares = {
        file: await share(admin, { key: "text.txt" }),
        folder: await share(admin, { key: "docs/" }),
        upload: await share(admin, { key: "inbox/", kind: "upload", title: "Send the photos" }),
      };
      return await body({
        program,
        shares,
        stored: async (key) => await (await admin.get(`${bucket}/object?key=${key}`)).text(),
      });
    });
  });
}

async function store(admin: Client, key: string, type: string, body: BodyInit): Promise<void> {
  const headers = { "content-type": type };
  await json(admin.post(`${bucket}/object?key=${encodeURIComponent(key)}`, { body, headers }), 201);
}

async function share(admin: Client, what: Record<string, string>): Promise<string> {
  const made = { backend_id: "main", bucket: "files", ...what };
  const { code } = await json(admin.post("/api/shares", { json: made }), 201);
  return `/s/${code}`;
}
