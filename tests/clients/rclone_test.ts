import assert from "node:assert/strict";
import { join } from "node:path";
import { skipWithout } from "../support/executables.ts";
import { rcloneCommand } from "./clients.ts";
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

const skip = skipWithout("rclone");

for (const tls of [false, true]) {
  clientTest(
    "rclone uploads and downloads, in one part and in several",
    { skip, tls },
    async (workstation) => {
      const { file, directory } = workstation;
      const rclone = rcloneCommand(workstation);
      const small = await file("small.bin", 1000);
      const large = await file("large.bin", largeSize);
      await rclone(
        "copyto",
        small,
        `remote:${bucket}/small.bin`,
        "--metadata",
        "--metadata-set",
        "colour=blue",
      );
      await rclone("copyto", large, `remote:${bucket}/large.bin`);
      assert.equal((await stored(workstation, "small.bin")).metadata.colour, "blue");
      assert.equal((await stored(workstation, "small.bin")).digest, await digest(small));
      assert.equal((await stored(workstation, "large.bin")).digest, await digest(large));
      assert.equal(await partCount(workstation, "large.bin"), 3);
      await rclone("copy", `remote:${bucket}`, join(directory, "back"), "--multi-thread-cutoff", "5M");
      assert.equal(await digest(join(directory, "back/small.bin")), await digest(small));
      assert.equal(await digest(join(directory, "back/large.bin")), await digest(large));

      await rclone("copyto", `remote:${bucket}/large.bin`, `remote:${otherBucket}/copied large.bin`);
      assert.equal((await stored(workstation, "copied large.bin", otherBucket)).digest, await digest(large));
      await rclone("moveto", `remote:${bucket}/small.bin`, `remote:${bucket}/moved.bin`);
      await assertKeys(workstation, ["large.bin", "moved.bin"]);
      assert.equal((await stored(workstation, "moved.bin")).metadata.colour, "blue");
    },
  );
}

clientTest("rclone synchronises odd names both ways, checks and purges", { skip }, async (workstation) => {
  const { directory, run } = workstation;
  const rclone = rcloneCommand(workstation);
  const local = join(directory, "local");
  await writeOddFiles(local);
  await rclone("sync", local, `remote:${bucket}/tree`);
  await assertKeys(workstation, oddKeys.map((key) => `tree/${key}`));
  await rclone("check", local, `remote:${bucket}/tree`, "--download");
  const listed = await rclone("lsf", `remote:${bucket}/tree`, "--recursive", "--files-only");
  assert.deepEqual(listed.split("\n").filter(Boolean).sort(), [...oddKeys].sort());
  await rclone("sync", `remote:${bucket}/tree`, join(directory, "back"));
  await run(["diff", "--recursive", local, join(directory, "back")]);

  await Deno.remove(join(local, oddKeys[0]));
  await rclone("sync", local, `remote:${bucket}/tree`);
  await assertKeys(workstation, oddKeys.slice(1).map((key) => `tree/${key}`));
  await rclone("delete", `remote:${bucket}/tree`);
  await assertKeys(workstation, []);
});

clientTest("rclone shares links, sees its buckets and streams", { skip }, async (workstation) => {
  const rclone = rcloneCommand(workstation);
  await workstation.put("shared file.txt", "shared");
  const link = (await rclone("link", `remote:${bucket}/shared file.txt`, "--expire", "24h")).trim();
  assert.equal(await (await fetch(link)).text(), "shared");
  const buckets = (await rclone("lsf", "remote:")).split("\n").filter(Boolean);
  assert.deepEqual(buckets, [`${bucket}/`, `${otherBucket}/`]);
  assert.equal(await rclone("cat", `remote:${bucket}/shared file.txt`), "shared");
});
