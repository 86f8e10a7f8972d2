import { HeaderList } from "../../../src/http1/header_list.ts";
import { scopeText, signingKey } from "../../../src/sigv4/canonical.ts";
import type { ChunkSigning } from "../../../src/sigv4/chunked.ts";
import { Signer, signingTime } from "../../../src/sigv4/sign.ts";
import type { Endpoint } from "../../support/endpoint.ts";

/** A request that is signed for the endpoint and sent byte by byte as it is written here. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Value of `x-amz-content-sha256`. */
  readonly payload: string;
  /** Makes the body; chunks in it are signed with what it is given. */
  readonly body: (signing: ChunkSigning) => Uint8Array;
  /** Declared in place of the body's length. */
  readonly contentLength?: number;
  /** How many bytes of the body are sent before the connection is closed; all, and it stays open, unless told. */
  readonly cutAt?: number;
}

/** Sends a request and returns the status and text of its answer; status 0 when there is none. */
export async function sendSigned(
  { url, accessKey, secretKey, region }: Endpoint,
  request: RawRequest,
): Promise<{ status: number; text: string }> {
  const { host, hostname, port } = new URL(url);
  const { method, path, query = "", payload } = request;
  const time = signingTime(Date.now());
  const headers = HeaderList.of([
    ["host", host],
    ["x-amz-date", time],
    ["x-amz-content-sha256", payload],
    ...Object.entries(request.headers ?? {}),
  ]);
  const signer = new Signer({ accessKeyId: accessKey, secretKey, region });
  const authorization = signer.authorization({ method, path, query, headers });
  headers.append("authorization", authorization);
  const scope = { date: time.slice(0, 8), region, service: "s3" };
  const body = request.body({
    key: signingKey(secretKey, scope),
    time,
    scope: scopeText(scope),
    seedSignature: authorization.slice(-64),
  });
  headers.append("content-length", String(request.contentLength ?? body.length));
  headers.append("connection", "close");
  const target = query === "" ? path : `${path}?${query}`;
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const isCut = request.cutAt !== undefined;
  const sending = (async () => {
    await writeAll(connection, new TextEncoder().encode(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`));
    await writeAll(connection, body.subarray(0, request.cutAt));
    if (isCut) connection.close();
  })().catch(() => {});
  const text = await readAll(connection);
  await sending;
  if (!isCut) connection.close();
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text };
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
}

async function readAll(connection: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(16_384);
  let text = "";
  try {
    for (let count = await connection.read(buffer); count !== null; count = await connection.read(buffer)) {
      text += decoder.decode(buffer.subarray(0, count), { stream: true });
    }
  } catch {
    // Closed here, or reset by the endpoint.
  }
  return text;
}
