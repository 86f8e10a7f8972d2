import { HeaderList } from "../../../src/http1/header_list.ts";
import { Signer, signingTime, unsignedPayload } from "../../../src/sigv4/sign.ts";
import type { Endpoint, EndpointKeys } from "../../support/endpoint.ts";

/** A request as it is to stand on the wire. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query, sent and signed as they are. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What to say in `Host`; the endpoint's own address unless given. */
  readonly host?: string;
}

/** What came back. */
export interface PlainAnswer {
  readonly status: number;
  /** Head and body. */
  readonly text: string;
}

/** Signs a request and sends it byte by byte as it was given: no client in between tidies it up. */
export async function sendSigned(
  { url, region }: Endpoint,
  { accessKey, secretKey }: EndpointKeys,
  { method, target, headers = {}, body = "", host }: SignedRequest,
): Promise<PlainAnswer> {
  const address = new URL(url);
  const [path, ...query] = target.split("?");
  const list = HeaderList.of([
    ["host", host ?? address.host],
    ["x-amz-date", signingTime(Date.now())],
    ["x-amz-content-sha256", unsignedPayload],
    ...Object.entries(headers),
  ]);
  const signer = new Signer({ accessKeyId: accessKey, secretKey, region });
  list.append("authorization", signer.authorization({ method, path, query: query.join("?"), headers: list }));
  const lines = Array.from(list, ([name, value]) => `${name}: ${value}\r\n`).join("");
  const length = body === "" && method === "GET"
    ? ""
    : `content-length: ${new TextEncoder().encode(body).length}\r\n`;
  using connection = await Deno.connect({ hostname: address.hostname, port: Number(address.port) });
  await connection.write(
    new TextEncoder().encode(
      `${method} ${target} HTTP/1.1\r\n${lines}${length}connection: close\r\n\r\n${body}`,
    ),
  );
  const text = await new Response(connection.readable).text();
  return { status: Number(text.split(" ")[1]), text };
}
