import type { Backend } from "../../backends/backend.ts";
import type { BucketScope } from "../../backends/bucket_scope.ts";
import type { CapabilityName, CapabilityStore } from "../../backends/capabilities.ts";
import type { BackendRegistry } from "../../backends/registry.ts";
import { foreignAnswerProblem, timeoutProblem } from "../../backends/upstream_error.ts";
import { Problem } from "../../problem.ts";
import { parseXml, type XmlNode } from "../../xml/reader.ts";
import { entityTag, requireMatch } from "./entity_tag.ts";
import { NamedQueue } from "./queue.ts";

/** What the routes of such documents need. */
export interface SettingsRoutesDeps {
  readonly registry: BackendRegistry;
  readonly documents: SettingsDocuments;
}

/** The path at which a document is shown and set. */
export function settingsPath(name: DocumentKind["name"]): string {
  return `/api/backends/{bid}/buckets/{bucket}/${name}`;
}

/** A kind of document that backends keep about a bucket. */
export interface DocumentKind {
  /** The query parameter that names it, and the capability that a backend needs for it. */
  readonly name: Extract<CapabilityName, "versioning" | "cors" | "policy" | "lifecycle">;
  readonly contentType: string;
  /** Root element of the XML; absent for a document that is not XML. */
  readonly root?: string;
  /** The S3 error code that says there is none. */
  readonly missing?: string;
  /** Code of the 400 for a document that the backend does not accept. */
  readonly invalid: string;
  /** What a backend may not know of, although it has such documents. */
  readonly optional?: RegExp;
  /** Headers of the answer that belong to the document, and go back with it. */
  readonly headers?: readonly string[];
  /** The same text for documents that say the same, where a backend answers one and the same in changing forms. */
  canonical?(text: string): string;
}

/** A document as the backend has it. */
export interface StoredDocument {
  /** Empty when there is none. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Tells whether it is still the same: see {@link entityTag}. */
  readonly tag: string;
}

/** How a document is changed. */
export interface DocumentChange {
  /** The request's `If-Match`, if it has one. */
  readonly ifMatch: string | null;
  /** Makes the new text from what is stored; empty to remove the document. */
  edit(stored: StoredDocument): string;
}

/** How long a change waits for those before it, in milliseconds; each may take as long as the backend needs for an answer. */
const maxWaitMs = 15_000;

/**
 * Reads and changes what backends keep about buckets. S3 has no conditional writes for these: changes made through this
 * program are put one after the other, so that none of them is lost; one made past it in the same moment may be.
 */
export class SettingsDocuments {
  readonly #capabilities: CapabilityStore;
  readonly #changes = new NamedQueue({ timeoutMs: maxWaitMs, timeoutError: timeoutProblem });
  readonly #listeners: ((scope: BucketScope) => void)[] = [];

  constructor(capabilities: CapabilityStore) {
    this.#capabilities = capabilities;
  }

  /** Calls `listener` after each attempt to write a document of a bucket. */
  onChange(listener: (scope: BucketScope) => void): void {
    this.#listeners.push(listener);
  }

  /** Reads a document. Throws what the backend's refusal is translated to: 404 `not_found`, 400 `not_supported`. */
  async read({ connection, bucket }: BucketScope, kind: DocumentKind): Promise<StoredDocument> {
    const { name, root: answer, missing, canonical } = kind;
    try {
      // Some servers tell that there is no document of a kind that they do not know.
      const { text, headers } = await this.#capabilities.observe(
        connection.backend.id,
        name,
        () => connection.exchangeDocument({ method: "GET", bucket, query: { [name]: "" }, answer }),
        { isProof: false },
      );
      return { text, headers: pick(headers, kind.headers), tag: entityTag(canonical?.(text) ?? text) };
    } catch (error) {
      if (missing === undefined || upstreamCode(error) !== missing) throw error;
      return { text: "", headers: {}, tag: entityTag("") };
    }
  }

  /**
   * Changes a document and returns its new text; nothing is sent when that is the old one. Throws besides what {@link read}
   * does: 412 `precondition_failed`, a 400 with `kind.invalid`, and whatever `edit` throws.
   */
  change(scope: BucketScope, kind: DocumentKind, { ifMatch, edit }: DocumentChange): Promise<string> {
    const { connection: { backend }, bucket } = scope;
    return this.#changes.run(`${kind.name}/${backend.id}/${bucket}`, async () => {
      const stored = await this.read(scope, kind);
      requireMatch(ifMatch, stored.tag);
      const text = edit(stored);
      if (text !== stored.text) await this.#write(scope, kind, text, stored.headers);
      return text;
    });
  }

  async #write(
    { connection, bucket }: BucketScope,
    kind: DocumentKind,
    text: string,
    stored: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { name, optional } = kind;
    const headers = { "content-type": kind.contentType, ...stored };
    const { backend } = connection;
    try {
      const isDisproof = !optional?.test(text);
      await this.#capabilities.observe(backend.id, name, () =>
        connection.exchangeDocument(
          text === ""
            ? { method: "DELETE", bucket, query: { [name]: "" } }
            : { method: "PUT", bucket, query: { [name]: "" }, headers, body: text },
        ), { isDisproof });
    } catch (error) {
      throw isInvalid(error) ? invalidProblem(kind, error, backend) : error;
    } finally {
      for (const listener of this.#listeners) listener({ connection, bucket });
    }
  }
}

/** Parses the XML of a stored document. Throws 502 `backend_error` for what is none. */
export function parseStored(text: string): XmlNode {
  try {
    return parseXml(text);
  } catch {
    throw foreignAnswerProblem(200);
  }
}

function pick(headers: Headers, names: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  }));
}

function upstreamCode(error: unknown): unknown {
  return error instanceof Problem ? error.detail?.upstream_code : undefined;
}

/** S3 error codes of a 400 that is not about the document. */
const otherFaults = new Set([
  "AuthorizationHeaderMalformed",
  "ExpiredToken",
  "RequestTimeout",
  "IncompleteBody",
]);

/** What a fault of the document itself is called before it is known to be of one. */
const faultsOfDocuments = new Set(["bad_request", "backend_error", "invalid_storage_class"]);

/** Whether a backend has found fault with the document itself. */
function isInvalid(error: unknown): error is Problem {
  if (!(error instanceof Problem) || error.detail?.upstream_status !== 400) return false;
  const code = upstreamCode(error);
  return typeof code === "string" && !otherFaults.has(code) && faultsOfDocuments.has(error.code);
}

function invalidProblem({ invalid }: DocumentKind, problem: Problem, backend: Backend): Problem {
  const reason = reasonOf(problem, backend);
  const message = `The backend does not accept this${reason === undefined ? "." : `: ${reason}`}`;
  return new Problem(400, invalid, message, { detail: { ...problem.detail, reason }, cause: problem.cause });
}

/** Longest reason of a backend that is passed on, in characters. */
const maxReasonLength = 300;

/** What a backend said when it refused, unless that names an address or the backend's key. */
function reasonOf({ cause }: Problem, { endpoint, credentials }: Backend): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const text = cause.message.replaceAll(/[^\x20-\x7e]+/g, " ").trim().slice(0, maxReasonLength);
  const hidden = [new URL(endpoint).hostname, credentials?.accessKey, credentials?.secretKey];
  const tells = /:\/\/|\d+\.\d+\.\d+\.\d+/.test(text) ||
    hidden.some((secret) => secret && text.includes(secret));
  return text === "" || tells ? undefined : text;
}
