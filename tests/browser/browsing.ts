import { until } from "../support/poll.ts";
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Role } from "../../src/auth/principal.ts";
import { schema } from "../../src/quickstart/embedded_s3/schema.ts";
import { startEmbeddedS3 } from "../../src/quickstart/embedded_s3/server.ts";
import { Database } from "../../src/store/database.ts";
import { type PageOptions, withPage } from "../support/browser.ts";
import { type Program, withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";

/** Something to store before the page is opened; text unless it has a type. */
export interface Sample {
  readonly body?: string | Uint8Array;
  readonly type?: string;
  readonly metadata?: Record<string, string>;
}

/** What a test of the browser works with. */
export interface Browsing {
  readonly program: Program;
  /** The page of the bucket `files`, with a query string. */
  readonly bucketPage: string;
  /** The keys that the bucket holds now. */
  keys(): Promise<string[]>;
  /** Runs `body` with a page; the user is `admin` unless told. */
  withPage<T>(options: PageOptions, body: (page: Page) => Promise<T>): Promise<T>;
  /** Ends the S3 server, as if it were down. */
  stopUpstream(): Promise<void>;
}

/** What {@link browsing} prepares. */
export interface BrowsingOptions {
  readonly samples?: Readonly<Record<string, Sample>>;
  /** So many objects of one byte, `key-000000.txt` and on. */
  readonly manyKeys?: number;
  readonly users?: Readonly<Record<string, Role>>;
  readonly config?: Record<string, unknown>;
}

const accessKey = "browsing-access-key";
const secretKey = "browsing-secret-key";

/** Runs `body` with the real program in front of an S3 server that holds one bucket, `files`. */
export async function browsing(
  options: BrowsingOptions,
  body: (browsing: Browsing) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "browsing-" });
  if (options.manyKeys) storeKeys(join(directory, "index.db"), options.manyKeys);
  const server = await startEmbeddedS3({ directory, port: 0, accessKey, secretKey, clock: Date.now });
  const upstream = { endpoint: server.url, region: "us-east-1", accessKey, secretKey };
  let stopped = false;
  const stopUpstream = async () => {
    if (!stopped) await server.stop();
    stopped = true;
  };
  try {
    using s3 = s3Client(upstream);
    if (!options.manyKeys) await s3.send(new CreateBucketCommand({ Bucket: "files" }));
    for (
      const [key, { body: content = "x", type = "text/plain", metadata }] of Object.entries(
        options.samples ?? {},
      )
    ) {
      await s3.send(
        new PutObjectCommand({
          Bucket: "files",
          Key: key,
          Body: content,
          ContentType: type,
          Metadata: metadata,
        }),
      );
    }
    const { users, config } = options;
    await withProgram(
      { backends: [{ id: "local", name: "Local", upstream }], users, config },
      (program) =>
        body({
          program,
          bucketPage: "/b/local/files",
          async keys() {
            const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "files" }));
            return Contents.map(({ Key = "" }) => Key);
          },
          withPage: (pageOptions, run) =>
            withPage(program, { user: "admin", ...pageOptions }, (page) => {
              // From the beginning: the first chooser could else open before anything listens.
              page.on("filechooser", () => {});
              return run(page);
            }),
          stopUpstream,
        }),
    );
  } finally {
    await stopUpstream();
    await Deno.remove(directory, { recursive: true });
  }
}

/** Opens an address of the dashboard and waits until its script has taken over. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
}

/** Waits until the list takes its own keys and what is pasted: it does a moment after it is there. */
export async function untilAttended(page: Page): Promise<void> {
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await until(async () => {
    await page.keyboard.press("?");
    await sheet.waitFor();
    const names = await sheet.locator("kbd").allInnerTexts();
    const isExplained = await sheet.getByText("Jump to the name typed next").isVisible();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    return isExplained && ["'", "→"].every((name) => names.includes(name));
  }, { what: "the keys of the list" });
}

/** The names in the list, from the top, as far as they are drawn. */
export function names(page: Page): Promise<string[]> {
  return page.locator(".object-body .object-name a").allTextContents();
}

/** Waits until these are the names that are shown, in this order. */
export async function untilNames(page: Page, expected: readonly string[]): Promise<void> {
  const shown = async () => (await names(page)).join("\n") === expected.join("\n");
  await until(shown, { what: `the names ${expected.join(", ")}` });
}

/** Writes rows straight into the server's index: a hundred thousand requests would take minutes. */
function storeKeys(path: string, count: number): void {
  const database = new Database(path, schema);
  try {
    database.transaction(() => {
      database.run("INSERT INTO buckets (name, created_at) VALUES ('files', 0)");
      database.run(
        `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
         INSERT INTO objects (bucket, key, id, size, etag, modified_at, headers, tags)
         SELECT 'files', printf('key-%06d.txt', n), 'id-' || n, n % 5000, 'e', 1700000000000 + n * 60000, '{}', '{}'
         FROM numbers`,
        count,
      );
    });
  } finally {
    database.close();
  }
}
