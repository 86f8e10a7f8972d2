import assert from "node:assert/strict";
import fc from "fast-check";
import { replaceOwners } from "../../src/proxy/operations/listings.ts";
import { S3Error } from "../../src/proxy/s3_error.ts";

async function replace(owner: string, pieces: readonly Uint8Array[]): Promise<string> {
  async function* document() {
    for (const piece of pieces) yield await Promise.resolve(piece);
  }
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of replaceOwners(document(), owner)) text += decoder.decode(piece, { stream: true });
  return text;
}

const before = '<?xml version="1.0"?>\n<R><Key>ü &lt;Owner&gt;</Key>' +
  "<Owner><ID>theirs</ID><DisplayName>minio</DisplayName></Owner><OwnerCount>1</OwnerCount>" +
  '<Initiator xsi:type="User"><ID>theirs</ID></Initiator><Owner/><Owner></Owner ></R>';
const us = (name: string) => `<${name}><ID>me&#38;</ID><DisplayName>me&#38;</DisplayName></${name}>`;
const after = '<?xml version="1.0"?>\n<R><Key>ü &lt;Owner&gt;</Key>' +
  `${us("Owner")}<OwnerCount>1</OwnerCount>${us("Initiator")}${us("Owner")}${us("Owner")}</R>`;

Deno.test("owners are replaced, however the document is cut into pieces", async () => {
  const bytes = new TextEncoder().encode(before);
  await fc.assert(fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
    const ends = [...cuts.sort((a, b) => a - b), bytes.length];
    const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
    assert.equal(await replace("me&", pieces), after);
  }));
});

Deno.test("an owner that never ends is given up", async () => {
  await assert.rejects(
    replace("me", [new TextEncoder().encode(`<R><Owner><ID>${"x".repeat(5000)}`)]),
    (error) => error instanceof S3Error && error.result === "upstream_error",
  );
});
