import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { SignatureError, verifyRequest } from "../../sigv4/verify.ts";
import { Database } from "../../store/database.ts";
import { BlobStore } from "./blob_store.ts";
import { operationOf } from "./operations.ts";
import { errorResponse, S3Error } from "./s3_error.ts";
import { parseResource, type S3Request, wireRequest } from "./s3_request.ts";
import { schema } from "./schema.ts";
import type { Storage } from "./storage.ts";

/** What {@link startEmbeddedS3} takes. */
export interface EmbeddedS3Options {
  /** Where everything is kept; made when it is not there. */
  readonly directory: string;
  /** Port on 127.0.0.1; 0 for any free one. */
  readonly port: number;
  /** The one key pair that requests can be signed with. */
  readonly accessKey: string;
  readonly secretKey: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Takes errors that are not a client's fault. */
  readonly onError?: (error: unknown) => void;
}

/** A running server. */
export interface EmbeddedS3 {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  /** Stops listening, gives requests in flight two seconds to end, and closes the files. */
  stop(): Promise<void>;
}

/** Another server works on the same directory. */
export class DirectoryInUseError extends Error {
  override readonly name = "DirectoryInUseError";
}

const drainMilliseconds = 2_000;

/**
 * Starts a small S3 server on the loopback interface, for trying the dashboard out: buckets, objects, tags and multipart
 * uploads in path style, signed requests only. Objects are kept in files with an index in SQLite; bodies stream. Throws
 * `Deno.errors.AddrInUse` when the port is taken and {@link DirectoryInUseError} when the directory is.
 */
export async function startEmbeddedS3(options: EmbeddedS3Options): Promise<EmbeddedS3> {
  const { directory, port, accessKey, secretKey, clock } = options;
  await Deno.mkdir(directory, { recursive: true });
  const database = openIndex(directory);
  const stopped = new AbortController();
  try {
    const blobs = await BlobStore.open(join(directory, "blobs"), database);
    const storage: Storage = { database, blobs, clock };
    const secretKeyOf = (accessKeyId: string) => accessKeyId === accessKey ? secretKey : undefined;
    const server = Deno.serve(
      { hostname: "127.0.0.1", port, signal: stopped.signal, onListen: () => {} },
      (request) => answer(storage, request, secretKeyOf, options.onError),
    );
    return {
      url: `http://127.0.0.1:${server.addr.port}`,
      async stop() {
        const timer = setTimeout(() => stopped.abort(), drainMilliseconds);
        await server.shutdown();
        clearTimeout(timer);
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the index for this process alone: a second one would take uploads in flight for what a killed one left. */
function openIndex(directory: string): Database {
  let database: Database | undefined;
  try {
    database = new Database(join(directory, "index.db"), schema);
    database.all("PRAGMA locking_mode = EXCLUSIVE");
    // The lock is taken with the first transaction, and kept.
    database.transaction(() => {});
    return database;
  } catch (error) {
    database?.close();
    if (!(error instanceof Error && error.message.includes("database is locked"))) throw error;
    throw new DirectoryInUseError(`${directory} is in use by another server`);
  }
}

async function answer(
  storage: Storage,
  request: Request,
  secretKeyOf: (accessKeyId: string) => string | undefined,
  onError: ((error: unknown) => void) | undefined,
): Promise<Response> {
  const requestId = randomUUID();
  const wire = wireRequest(request);
  let response: Response;
  try {
    const s3Request = readRequest(request, wire, secretKeyOf, storage.clock());
    response = await operationOf(s3Request)(storage, s3Request);
  } catch (error) {
    if (!(error instanceof S3Error || error instanceof SignatureError)) onError?.(error);
    const known = error instanceof S3Error || error instanceof SignatureError
      ? error
      : new S3Error("InternalError");
    response = errorResponse(known, { method: request.method, resource: wire.path, requestId });
  }
  response.headers.set("x-amz-request-id", requestId);
  return response;
}

/** Verifies the signature before anything else is looked at. */
function readRequest(
  request: Request,
  wire: ReturnType<typeof wireRequest>,
  secretKeyOf: (accessKeyId: string) => string | undefined,
  now: number,
): S3Request {
  let verified;
  try {
    verified = verifyRequest(wire, secretKeyOf, now);
  } catch (error) {
    throw error instanceof URIError ? new S3Error("InvalidURI") : error;
  }
  if (verified === undefined) throw new S3Error("AccessDenied");
  const { bucket, key } = parseResource(wire.path);
  const parameters = new URLSearchParams(wire.query);
  return {
    method: wire.method,
    bucket,
    key,
    parameters,
    headers: wire.headers,
    body: request.body,
    verified,
  };
}
