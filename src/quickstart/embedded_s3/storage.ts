import type { Database } from "../../store/database.ts";
import type { BlobStore } from "./blob_store.ts";
import type { S3Request } from "./s3_request.ts";
import { xmlDocument, type XmlElement } from "../../xml/writer.ts";

/** What operations work on. */
export interface Storage {
  readonly database: Database;
  readonly blobs: BlobStore;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Carries out one kind of request; throws S3Error. */
export type Operation = (storage: Storage, request: S3Request) => Response | Promise<Response>;

/** An answer with an XML document. */
export function xmlResponse(root: XmlElement): Response {
  return new Response(xmlDocument(root), { headers: { "content-type": "application/xml" } });
}

/** A time as listings show it. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
