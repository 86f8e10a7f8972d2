/**
 * Fetches the parts of an object from one S3 server and sends each on to another as it comes, in a process of its own: the
 * least that any transfer has to do. Reads a {@link PartPipe} as JSON from standard input and writes the seconds it took.
 */
import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** A request that was signed already. */
export interface SignedRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** What goes through the pipe. */
export interface PartPipe {
  readonly parts: readonly {
    readonly get: SignedRequest;
    readonly put: SignedRequest;
    readonly bytes: number;
  }[];
  /** Parts at a time. */
  readonly concurrency: number;
}

async function pipePart({ get, put, bytes }: PartPipe["parts"][number]): Promise<void> {
  const response = await fetch(get.url, { headers: get.headers });
  if (response.status !== 206 || response.body === null) {
    throw new Error(`${response.status} ${await response.text()}`);
  }
  const outgoing = request(put.url, { method: "PUT", headers: { ...put.headers, "content-length": bytes } });
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("response", async (answer) => {
      let text = "";
      for await (const piece of answer) text += piece;
      resolve({ status: answer.statusCode ?? 0, text });
    });
  });
  await pipeline(Readable.fromWeb(response.body), outgoing);
  const { status, text } = await answered;
  if (status !== 200) throw new Error(`${status} ${text}`);
}

if (import.meta.main) {
  const { parts, concurrency }: PartPipe = JSON.parse(await new Response(Deno.stdin.readable).text());
  const start = performance.now();
  const waiting = parts.values();
  const work = async () => {
    for (const part of waiting) await pipePart(part);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  console.log((performance.now() - start) / 1000);
  Deno.exit(0);
}
