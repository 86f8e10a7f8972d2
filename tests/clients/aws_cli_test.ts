import assert from "node:assert/strict";
import { join } from "node:path";
import { skipWithout } from "../support/executables.ts";
import { awsCommand } from "./clients.ts";
import {
  assertKeys,
  bucket,
  clientTest,
  digest,
  largeSize,
  oddKeys,
  otherBucket,
  partCount,
  stored,
} from "./support.ts";

for (const [program, name] of [["aws", "aws-cli v1"], ["aws2", "aws-cli v2"]] as const) {
  const skip = skipWithout(program);

  for (const tls of [false, true]) {
    clientTest(
      `${name} uploads and downloads, in one part and in several`,
      { skip, tls },
      async (workstation) => {
        const { file, directory } = workstation;
        const aws = awsCommand(workstation, program);
        const small = await file("small.bin", 1000);
        const large = await file("large.bin", largeSize);
        await aws("s3", "cp", small, `s3://${bucket}/small.bin`, "--metadata", "colour=blue");
        await aws("s3", "cp", large, `s3://${bucket}/large.bin`);
        const { metadata, digest: smallDigest } = await stored(workstation, "small.bin");
        assert.deepEqual(metadata, { colour: "blue" });
        assert.equal(smallDigest, await digest(small));
        assert.equal((await stored(workstation, "large.bin")).digest, await digest(large));
        assert.equal(await partCount(workstation, "large.bin"), 2);
        for (const source of [small, large]) {
          const back = join(directory, "back.bin");
          await aws("s3", "cp", `s3://${bucket}/${source.split("/").at(-1)}`, back);
          assert.equal(await digest(back), await digest(source));
        }
      },
    );
  }

  clientTest(
    `${name} synchronises a folder both ways and between buckets`,
    { skip, tls: true },
    async (workstation) => {
      const { file, directory, run } = workstation;
      const aws = awsCommand(workstation, program);
      const local = join(directory, "local");
      await Deno.mkdir(join(local, "sub folder"), { recursive: true });
      for (const name of ["a+b.txt", "100%.txt", "sub folder/c~d'.txt"]) await file(`local/${name}`, 500);
      await aws("s3", "sync", local, `s3://${bucket}/tree`);
      await assertKeys(workstation, ["tree/a+b.txt", "tree/100%.txt", "tree/sub folder/c~d'.txt"]);
      await aws("s3", "sync", `s3://${bucket}/tree`, join(directory, "back"));
      await run(["diff", "--recursive", local, join(directory, "back")]);

      await aws("s3", "sync", `s3://${bucket}/tree`, `s3://${otherBucket}`);
      await assertKeys(workstation, ["a+b.txt", "100%.txt", "sub folder/c~d'.txt"], otherBucket);

      await Deno.remove(join(local, "a+b.txt"));
      await aws("s3", "sync", local, `s3://${bucket}/tree`, "--delete");
      await assertKeys(workstation, ["tree/100%.txt", "tree/sub folder/c~d'.txt"]);
      await aws("s3", "rm", `s3://${bucket}/`, "--recursive");
      await assertKeys(workstation, []);
    },
  );

  clientTest(`${name} lists, copies, presigns and deletes in bulk`, { skip }, async (workstation) => {
    const { file, directory } = workstation;
    const aws = awsCommand(workstation, program);
    const large = await file("large.bin", largeSize);
    await aws("s3", "cp", large, `s3://${bucket}/large.bin`);
    await aws("s3", "mv", `s3://${bucket}/large.bin`, `s3://${otherBucket}/moved large.bin`);
    await assertKeys(workstation, []);
    assert.equal((await stored(workstation, "moved large.bin", otherBucket)).digest, await digest(large));
    assert.match(await aws("s3", "ls", `s3://${otherBucket}/`), new RegExp(`${largeSize} moved large\\.bin`));
    const buckets = (await aws("s3", "ls")).split("\n").map((line) => line.split(" ").at(-1));
    assert.deepEqual(buckets, [bucket, otherBucket]);

    // In AWS's oldest regions version 1 presigns with the second version of the signature.
    const presign = ["s3", "presign", `s3://${otherBucket}/moved large.bin`, "--region", "eu-central-1"];
    const url = (await aws(...presign)).trim();
    const answer = await fetch(url);
    assert.equal(await digest(await answer.bytes()), await digest(large));

    for (const key of oddKeys) await workstation.put(key, key);
    const { Contents } = JSON.parse(
      await aws("s3api", "list-objects-v2", "--bucket", bucket, "--output", "json"),
    ) as { Contents: { Key: string }[] };
    assert.deepEqual(Contents.map(({ Key }) => Key).sort(), [...oddKeys].sort());
    await aws("s3", "cp", `s3://${bucket}`, join(directory, "odd"), "--recursive");
    for (const key of oddKeys) assert.equal(await Deno.readTextFile(join(directory, "odd", key)), key);
    const objects = JSON.stringify({ Objects: oddKeys.map((Key) => ({ Key })) });
    await aws("s3api", "delete-objects", "--bucket", bucket, "--delete", objects);
    await assertKeys(workstation, []);
  });
}
