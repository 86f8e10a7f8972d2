import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type Endpoint, withEndpoint } from "../support/endpoint.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";
import { hexSha256 } from "./support/aws_chunked.ts";
import { WireConnection } from "./support/wire.ts";

/** Sizes around those at which buffers end and bodies are handled in another way, in bytes. */
const sizes = [0, 1, 8191, 16_384, 65_537, 262_144, 262_145, 1 << 20, (1 << 20) + 1, 3_000_001];

/** A body that no other request has; its like at every position differs too. */
function bodyOf(worker: number, round: number, size: number): Uint8Array<ArrayBuffer> {
  const seed = createHash("sha256").update(`${worker} ${round}`).digest();
  const body = new Uint8Array(size);
  for (let index = 0; index < size; index++) body[index] = seed[index & 31] ^ (index >> 5);
  return body;
}

/** Stores and reads objects one after the other on one connection, some of them slowly, some given up. */
async function work(endpoint: Endpoint, worker: number, rounds: number): Promise<void> {
  let connection = await WireConnection.open(endpoint.url);
  try {
    for (let round = 0; round < rounds; round++) {
      const body = bodyOf(worker, round, sizes[(worker + round) % sizes.length]);
      const target = `/bucket/${worker}`;
      const headers = { "x-amz-content-sha256": round % 2 === 0 ? "UNSIGNED-PAYLOAD" : hexSha256(body) };
      const put = await connection.exchange({ method: "PUT", target, headers, body }, endpoint);
      assert.equal(put.status, 200, put.text);
      await connection.sendHead({ method: "GET", target }, endpoint);
      if (body.length > 0 && (worker * 3 + round) % 5 === 0) {
        await connection.readHead();
        await connection.readSome(100);
        connection[Symbol.dispose]();
        connection = await WireConnection.open(endpoint.url);
        continue;
      }
      const got = await connection.read();
      assert.equal(
        hexSha256(got.body),
        hexSha256(body),
        `${body.length} bytes in round ${round} of ${worker}`,
      );
    }
  } finally {
    connection[Symbol.dispose]();
  }
}

for (const kind of ["minio"] satisfies UpstreamKind[]) {
  Deno.test({
    name: `among many requests at once each gets its own bytes [${kind}]`,
    ignore: skipUpstream(kind),
    fn: () =>
      withEndpoint(kind, {}, async (endpoint) => {
        await Promise.all(Array.from({ length: 32 }, (_, worker) => work(endpoint, worker, sizes.length)));
      }),
  });
}
