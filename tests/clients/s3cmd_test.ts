import assert from "node:assert/strict";
import { join } from "node:path";
import { skipWithout } from "../support/executables.ts";
import { s3cmdCommand } from "./clients.ts";
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
  writeOddFiles,
} from "./support.ts";

const skip = skipWithout("s3cmd");

for (const tls of [false, true]) {
  clientTest(
    "s3cmd uploads and downloads, in one part and in several",
    { skip, tls },
    async (workstation) => {
      const { file, directory } = workstation;
      const s3cmd = s3cmdCommand(workstation);
      const small = await file("small.bin", 1000);
      const large = await file("large.bin", largeSize);
      await s3cmd("put", small, `s3://${bucket}/small.bin`, "--add-header", "x-amz-meta-colour: blue");
      await s3cmd("put", large, `s3://${bucket}/large.bin`, "--multipart-chunk-size-mb", "5");
      assert.equal((await stored(workstation, "small.bin")).metadata.colour, "blue");
      assert.equal((await stored(workstation, "small.bin")).digest, await digest(small));
      assert.equal((await stored(workstation, "large.bin")).digest, await digest(large));
      assert.equal(await partCount(workstation, "large.bin"), 3);
      for (const source of [small, large]) {
        const back = join(directory, "back.bin");
        await s3cmd("get", "--force", `s3://${bucket}/${source.split("/").at(-1)}`, back);
        assert.equal(await digest(back), await digest(source));
      }
    },
  );
}

clientTest("s3cmd synchronises odd names both ways and deletes in bulk", { skip }, async (workstation) => {
  const { directory, run } = workstation;
  const s3cmd = s3cmdCommand(workstation);
  const local = join(directory, "local");
  await writeOddFiles(local);
  await s3cmd("sync", `${local}/`, `s3://${bucket}/tree/`);
  await assertKeys(workstation, oddKeys.map((key) => `tree/${key}`));
  await Deno.mkdir(join(directory, "back"));
  await s3cmd("sync", `s3://${bucket}/tree/`, `${join(directory, "back")}/`);
  await run(["diff", "--recursive", local, join(directory, "back")]);

  await Deno.remove(join(local, oddKeys[0]));
  await s3cmd("sync", "--delete-removed", `${local}/`, `s3://${bucket}/tree/`);
  await assertKeys(workstation, oddKeys.slice(1).map((key) => `tree/${key}`));
  await s3cmd("del", "--recursive", "--force", `s3://${bucket}/tree/`);
  await assertKeys(workstation, []);
});

clientTest("s3cmd lists, describes, copies, moves and signs URLs", { skip }, async (workstation) => {
  const s3cmd = s3cmdCommand(workstation);
  await workstation.put("a file.txt", "text");
  const buckets = (await s3cmd("ls")).split("\n").map((line) => line.split("s3://").at(-1));
  assert.deepEqual(buckets, [bucket, otherBucket]);
  assert.match(await s3cmd("ls", `s3://${bucket}`), /4 +s3:\/\/client-bucket\/a file\.txt/);
  assert.match(await s3cmd("info", `s3://${bucket}/a file.txt`), /File size: +4/);
  assert.match(await s3cmd("du", `s3://${bucket}`), /^ *4 +1 objects/);
  await s3cmd("cp", `s3://${bucket}/a file.txt`, `s3://${otherBucket}/copied.txt`);
  await s3cmd("mv", `s3://${bucket}/a file.txt`, `s3://${bucket}/moved file.txt`);
  await assertKeys(workstation, ["moved file.txt"]);
  await assertKeys(workstation, ["copied.txt"], otherBucket);
  await s3cmd("modify", `s3://${bucket}/moved file.txt`, "--add-header", "content-type: text/csv");
  assert.equal((await stored(workstation, "moved file.txt")).contentType, "text/csv");
  await s3cmd("del", `s3://${bucket}/moved file.txt`);
  await assertKeys(workstation, []);
});
