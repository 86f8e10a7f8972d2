import { checksumAlgorithms, checksumHeader } from "../../checksums/checksum.ts";
import { parseXml, textOf, XmlError } from "../../xml/reader.ts";
import type { RequestContext } from "../context.ts";
import { formatDeleteObjects, maxDeleteObjectsBytes, parseDeleteObjects } from "./delete_objects.ts";
import { forwardDocument, receiveDocument } from "./documents.ts";
import { forward } from "../forward.ts";
import { relay, relayChanged } from "../relay.ts";
import { S3Error } from "../s3_error.ts";
import { type OperationServices, upstreamOf } from "../services.ts";

/** What the client says of its own document, which is not the one that is sent on. */
const digestHeaders = ["x-amz-sdk-checksum-algorithm", ...checksumAlgorithms.map(checksumHeader)];

/** DeleteObject: removes an object, or one version of it. */
export async function deleteObject(context: RequestContext, services: OperationServices): Promise<void> {
  const { backend, target, query } = context;
  const { ledger } = services;
  const [keys, keysOfVersions] = query.has("versionId") ? [[], [target.key]] : [[target.key], []];
  const deletion = await ledger.reserveDeletion(backend, target.bucket, keys);
  const versionDeletion = await ledger.reserveVersionDeletion(backend, target.bucket, keysOfVersions);
  let deleted: string[] = [];
  try {
    const answer = await forward(context, services);
    if (answer.head.status < 300) deleted = keys;
    await relay(context, upstreamOf(context, services), answer);
  } finally {
    deletion.end(deleted);
    await versionDeletion.end();
  }
}

/** DeleteObjects: removes up to 1,000 objects that a document names. */
export async function deleteObjects(context: RequestContext, services: OperationServices): Promise<void> {
  const { backend, target } = context;
  const received = await receiveDocument(context, maxDeleteObjectsBytes);
  // The keys are held against the scope as it is now: the document may have taken its time.
  services.admission.requireStillAdmitted(context);
  const { credential } = context;
  if (credential === undefined) throw new S3Error("AccessDenied", "A deletion has to be signed.");
  const request = parseDeleteObjects(received, credential);
  const { ledger } = services;
  const current = request.objects.filter(({ more }) => !more.has("VersionId")).map(({ key }) => key);
  const ofVersions = request.objects.filter(({ more }) => more.has("VersionId")).map(({ key }) => key);
  const deletion = await ledger.reserveDeletion(backend, target.bucket, current);
  const versionDeletion = await ledger.reserveVersionDeletion(backend, target.bucket, ofVersions);
  const document = new TextEncoder().encode(formatDeleteObjects(request));
  const failed = new Set<string>();
  let isDone = false;
  try {
    const answer = await forwardDocument(context, services, document, { without: digestHeaders });
    await relayChanged(
      context,
      upstreamOf(context, services),
      answer,
      (body) =>
        noteFailures(body, (keys) => {
          isDone = true;
          for (const key of keys) failed.add(key);
        }),
    );
  } finally {
    deletion.end(isDone ? current.filter((key) => !failed.has(key)) : []);
    await versionDeletion.end();
  }
}

/** Passes the result on, and tells at its end which keys were not deleted. */
async function* noteFailures(
  body: AsyncIterable<Uint8Array>,
  onEnd: (keys: string[]) => void,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    yield piece;
  }
  try {
    const root = parseXml(text.trim());
    const errors = root.children.filter(({ name }) => name === "Error");
    onEnd(errors.map((error) => textOf(error, "Key") ?? ""));
  } catch (error) {
    // Then nothing is known to be deleted.
    if (!(error instanceof XmlError)) throw error;
  }
}
