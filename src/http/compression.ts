import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Below this many bytes the packet that carries the answer is no shorter for it. */
const minCompressedSize = 1024;

/** Higher ones take longer and save no byte worth it: a page of a listing shrinks by 1 % more. */
const level = 4;

const types = /^(application\/json|text\/html)(;|$)/;

/** Headers of answers whose bytes are somebody's object or file, or are named by a tag that clients send back. */
const untouched = ["content-encoding", "content-range", "content-length", "content-disposition", "etag"];

const compress = promisify(gzip);

/**
 * `response`, compressed where that is worth it: JSON and pages that answer a GET of somebody who takes gzip. Content that a
 * handler passes on says `no-transform`, and stays as it is, as does whatever is no document made here.
 *
 * To a request that another site had the browser make, nothing is compressed: it could put text of its own beside what only the
 * reader may know, and read from the length whether both are alike (BREACH).
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { status, headers } = response;
  if (request.method !== "GET" || response.body === null || !isDocument(headers)) return response;
  headers.append("vary", "accept-encoding");
  if (!acceptsGzip(request.headers.get("accept-encoding")) || isForeign(request)) return response;
  const plain = new Uint8Array(await response.arrayBuffer());
  if (plain.length < minCompressedSize) return new Response(plain, { status, headers });
  headers.set("content-encoding", "gzip");
  return new Response(new Uint8Array(await compress(plain, { level })), { status, headers });
}

/** RFC 9110, 12.5.3, as far as a choice between gzip and nothing needs it: `*` is about codings that are not named. */
export function acceptsGzip(header: string | null): boolean {
  const weights = new Map(
    (header ?? "").split(",").map((coding) => {
      const [name, weight = "1"] = coding.trim().toLowerCase().split(/\s*;\s*q\s*=\s*/);
      return [name, Number(weight)];
    }),
  );
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0;
}

function isDocument(headers: Headers): boolean {
  return types.test(headers.get("content-type") ?? "") &&
    !/\bno-transform\b/.test(headers.get("cache-control") ?? "") &&
    !untouched.some((name) => headers.has(name));
}

/** Every browser says whose request it is; `same-site` is another origin too. */
function isForeign({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}
