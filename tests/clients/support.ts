import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { delimiter, dirname, join } from "node:path";
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { makeCertificates } from "../support/certificates.ts";
import { runChild } from "../support/child.ts";
import { type Endpoint, withEndpoint } from "../support/endpoint.ts";
import { s3Client } from "../support/s3_client.ts";
import { startTlsProxy } from "../support/tls_proxy.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";

/** The bucket that clients work in. */
export const bucket = "client-bucket";

/** Another bucket in the scope of the same credential, for copies from bucket to bucket. */
export const otherBucket = "other-bucket";

/** Name of the endpoint's host for clients that put the bucket in front of it; no resolver knows it. */
export const hostName = "s3.test";

/** Size in bytes of an object that every client is made to send in several parts. */
export const largeSize = 12 * 1024 * 1024 + 345;

/** Keys that clients, signatures and servers trip over. */
export const oddKeys: readonly string[] = [
  "with space.txt",
  "plus+plus.txt",
  "percent%20and%.txt",
  "tilde~quote'.txt",
  "brackets(1)[2]!*.txt",
  "equals=and&semi;colon:,@$.txt",
  "hash#question.txt",
  "unicode/ünï-日本語-🚀.txt",
];

/** Keys that only some S3 servers can hold; the embedded one can. */
export const slashKeys: readonly string[] = ["a//b.txt", "//lead.txt", "end//"];

/** A client's own machine, so to speak: an empty home directory, and the endpoint it was told about. */
export interface Workstation {
  readonly endpoint: Endpoint;
  /** What the client is told as the endpoint's URL: over TLS with `tls`, and `http:` else. */
  readonly url: string;
  /** With `tls`, the certificate of the authority that vouches for the URL's one, in PEM. Commands know it already. */
  readonly authority: string | undefined;
  /** Home and working directory of the client. */
  readonly directory: string;
  /** A client of the upstream, past the endpoint. */
  readonly upstream: S3Client;
  /** Runs a command to its end, which has to be a success, and returns what it printed. */
  run(command: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Stores an object of text in the first bucket, past the endpoint. */
  put(key: string, text: string): Promise<void>;
  /** Path of a new file of random bytes. */
  file(name: string, size: number): Promise<string>;
}

/** What {@link clientTest} needs besides the client. */
export interface ClientTestOptions {
  /** Whether the client is not installed here. */
  readonly skip: boolean;
  /** MinIO unless told. */
  readonly upstream?: UpstreamKind;
  /** Whether the client is to speak TLS, which makes some of them sign and frame bodies another way. */
  readonly tls?: boolean;
}

/** Registers a test of a client, which has two buckets of an endpoint to itself. */
export function clientTest(
  name: string,
  { skip, upstream: kind = "minio", tls = false }: ClientTestOptions,
  body: (workstation: Workstation, context: Deno.TestContext) => Promise<void>,
): void {
  Deno.test({
    name: `${name} [${kind}${tls ? ", TLS" : ""}]`,
    ignore: skip || skipUpstream(kind),
    fn: (context) =>
      withEndpoint(
        kind,
        { buckets: [bucket, otherBucket], proxy: { host_suffixes: [hostName] } },
        async (endpoint) => {
          const directory = await Deno.makeTempDir({ prefix: "client-" });
          const edge = tls ? await startEdge(endpoint.url, directory) : undefined;
          try {
            using upstream = s3Client(endpoint.upstream);
            await body({
              endpoint,
              url: edge?.proxy.url ?? endpoint.url,
              authority: edge?.authority,
              directory,
              upstream,
              async put(key, text) {
                await upstream.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: text }));
              },
              run: (command, env = {}) => runIn(directory, command, { ...edge?.env, ...env }),
              file: (name, size) => writeRandomFile(join(directory, name), size),
            }, context);
          } finally {
            await edge?.proxy.stop();
            await Deno.remove(directory, { recursive: true });
          }
        },
      ),
  });
}

/** Ends TLS in front of the endpoint, with a certificate whose authority only `env` makes programs trust. */
async function startEdge(url: string, directory: string) {
  await makeCertificates(directory);
  const authorityPath = join(directory, "ca.crt");
  const [cert, key, authority] = await Promise.all(
    ["server.crt", "server.key", "ca.crt"].map((name) => Deno.readTextFile(join(directory, name))),
  );
  const env = { SSL_CERT_FILE: authorityPath, AWS_CA_BUNDLE: authorityPath };
  return { proxy: startTlsProxy(url, { cert, key }), authority, env };
}

/** SHA-256 of a file or of bytes, in hexadecimal. */
export async function digest(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === "string" ? await Deno.readFile(content) : content;
  return createHash("sha256").update(bytes).digest("hex");
}

/** What the upstream itself holds under a key. */
export async function stored(
  { upstream }: Workstation,
  key: string,
  from = bucket,
): Promise<{ digest: string; contentType?: string; metadata: Record<string, string> }> {
  const answer = await upstream.send(new GetObjectCommand({ Bucket: from, Key: key }));
  const bytes = await answer.Body?.transformToByteArray() ?? new Uint8Array();
  return {
    digest: await digest(bytes),
    contentType: answer.ContentType,
    metadata: answer.Metadata ?? {},
  };
}

/** How many parts the upstream holds an object in; 1 for one that was not uploaded in parts. */
export async function partCount({ upstream }: Workstation, key: string, from = bucket): Promise<number> {
  const { ETag = "" } = await upstream.send(new HeadObjectCommand({ Bucket: from, Key: key }));
  return Number(/-(\d+)"?$/.exec(ETag)?.[1] ?? 1);
}

/** Every key of a bucket as the upstream itself lists them, which are at most 1,000. */
export async function storedKeys({ upstream }: Workstation, from = bucket): Promise<string[]> {
  const { Contents = [] } = await upstream.send(new ListObjectsV2Command({ Bucket: from }));
  return Contents.map(({ Key = "" }) => Key);
}

/** Asserts that a bucket holds these keys and no others. */
export async function assertKeys(
  workstation: Workstation,
  expected: readonly string[],
  from = bucket,
): Promise<void> {
  assert.deepEqual((await storedKeys(workstation, from)).sort(), [...expected].sort());
}

/**
 * Runs a command with a home of its own and without the environment of the tests, which may name other endpoints, keys
 * and configuration files.
 */
async function runIn(
  directory: string,
  command: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const { code, stdout, stderr } = await runChild(command, {
    cwd: directory,
    env: {
      PATH: Deno.env.get("PATH") ?? ["/usr/bin", "/bin"].join(delimiter),
      HOME: directory,
      TMPDIR: directory,
      LANG: "C.UTF-8",
      ...env,
    },
    clearEnv: true,
  });
  assert.equal(code, 0, `${command.join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}

async function writeRandomFile(path: string, size: number): Promise<string> {
  await Deno.writeFile(path, randomBytes(size));
  return path;
}

/** Writes a file for each of {@link oddKeys} into a folder that does not exist yet. */
export async function writeOddFiles(folder: string): Promise<void> {
  for (const key of oddKeys) {
    const path = join(folder, key);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, key);
  }
}

/** Random bytes, any number of them. */
export function randomBytes(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let offset = 0; offset < size; offset += 65536) {
    crypto.getRandomValues(bytes.subarray(offset, offset + 65536));
  }
  return bytes;
}

/** The bytes in pieces as a program that streams them would have them. */
export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 100_000) yield bytes.subarray(start, start + 100_000);
}
