import { Buffer } from "node:buffer";
import { escapeXml } from "../../xml/writer.ts";
import { forward } from "../forward.ts";
import type { RequestContext } from "../context.ts";
import { relay, relayChanged } from "../relay.ts";
import { S3Error } from "../s3_error.ts";
import { type OperationServices, upstreamOf } from "../services.ts";

/** Longest element of an owner that is taken, in bytes; real ones have a hundred. */
const maxOwnerBytes = 4096;

const ownerElement = /<(Owner|Initiator)\b[^>]*?(?:\/>|>[^]*?<\/\1\s*>)/g;

/** An owner or a tag at the end of what has come that goes on in what is to come. */
const unfinished = /<(Owner|Initiator)(?:\s[^>]*)?(?:>(?:(?!<\/\1\s*>)[^])*)?$|<[^>]*$/;

/**
 * Passes a listing on in which the caller owns everything, as in ListBuckets. Who owns objects upstream is the backend's own
 * account, which some servers name by its access key id.
 */
export async function passListing(context: RequestContext, services: OperationServices): Promise<void> {
  const { query, operation, credential } = context;
  const answer = await forward(context, services);
  const upstream = upstreamOf(context, services);
  // Without owners, which is how programs list, it can pass as it is.
  if (operation.name === "ListObjectsV2" && !query.has("fetch-owner")) {
    return await relay(context, upstream, answer);
  }
  const owner = credential?.accessKeyId ?? "";
  await relayChanged(context, upstream, answer, (body) => replaceOwners(body, owner));
}

/** Replaces every owner and initiator in an XML document by `owner`. Throws {@link S3Error} for one that has no end. */
export async function* replaceOwners(
  document: AsyncIterable<Uint8Array>,
  owner: string,
): AsyncGenerator<Uint8Array> {
  const content = escapeXml(owner);
  const rewrite = (text: string) =>
    Buffer.from(text.replace(ownerElement, (_, name: string) => ownerOf(name, content)), "latin1");
  let held = "";
  for await (const bytes of document) {
    // One character for each byte, so that no character of another encoding is cut.
    held += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const start = held.search(unfinished);
    const end = start < 0 ? held.length : start;
    if (held.length - end > maxOwnerBytes) throw malformedListing();
    if (end > 0) yield rewrite(held.slice(0, end));
    held = held.slice(end);
  }
  if (held !== "") yield rewrite(held);
}

function ownerOf(name: string, content: string): string {
  return `<${name}><ID>${content}</ID><DisplayName>${content}</DisplayName></${name}>`;
}

function malformedListing(): S3Error {
  return new S3Error("ServiceUnavailable", "The storage behind this endpoint cannot serve the request.", {
    status: 502,
    result: "upstream_error",
    reason: "refused",
  });
}
