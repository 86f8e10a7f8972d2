/**
 * One transfer of the benchmark in a process of its own, so that its memory and its work do not count as the program's.
 * Reads a {@link Transfer} as JSON from standard input and writes the seconds it took.
 */
import { request } from "node:http";
import { once } from "node:events";

/** What is sent or fetched. */
export interface Transfer {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: string;
  readonly headers: Record<string, string>;
  /** Bytes of the object. */
  readonly size: number;
  /** Sent before and after the content of an upload, for forms. */
  readonly before?: string;
  readonly after?: string;
}

const chunkBytes = 1 << 20;

/** The content is made up as it is sent; it does not repeat within a chunk. */
const chunk = crypto.getRandomValues(new Uint8Array(65_536));

async function download({ url, headers, size }: Transfer): Promise<void> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  let received = 0;
  for await (const { byteLength } of response.body ?? []) received += byteLength;
  if (received !== size) throw new Error(`received ${received} of ${size} bytes`);
}

async function upload({ method, url, headers, size, before = "", after = "" }: Transfer): Promise<void> {
  const content = new Uint8Array(chunkBytes);
  for (let offset = 0; offset < chunkBytes; offset += chunk.length) content.set(chunk, offset);
  const outgoing = request(url, {
    method,
    headers: { ...headers, "content-length": String(before.length + size + after.length) },
  });
  const answered = once(outgoing, "response");
  outgoing.write(before);
  for (let left = size; left > 0; left -= chunkBytes) {
    if (!outgoing.write(left < chunkBytes ? content.subarray(0, left) : content)) {
      await once(outgoing, "drain");
    }
  }
  outgoing.end(after);
  const [response] = await answered;
  let text = "";
  for await (const part of response) text += part;
  if (response.statusCode >= 300) throw new Error(`${response.statusCode} ${text}`);
}

if (import.meta.main) {
  const transfer: Transfer = JSON.parse(await new Response(Deno.stdin.readable).text());
  const start = performance.now();
  await (transfer.method === "GET" ? download(transfer) : upload(transfer));
  console.log((performance.now() - start) / 1000);
  Deno.exit(0);
}
