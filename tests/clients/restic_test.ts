import assert from "node:assert/strict";
import { join } from "node:path";
import { skipWithout } from "../support/executables.ts";
import { resticCommand } from "./clients.ts";
import { bucket, clientTest, storedKeys, writeOddFiles } from "./support.ts";

const skip = skipWithout("restic");

for (const tls of [false, true]) {
  clientTest("restic backs up, checks, restores and prunes", { skip, tls }, async (workstation) => {
    const { file, directory, run } = workstation;
    const restic = resticCommand(workstation, bucket);
    const local = join(directory, "local");
    await writeOddFiles(local);
    await file("local/large.bin", 20 * 1024 * 1024);
    await restic("init");
    await restic("backup", local);
    await Deno.remove(join(local, "large.bin"));
    await restic("backup", local);
    await restic("check", "--read-data");
    const snapshots = JSON.parse(await restic("snapshots", "--json")) as { id: string }[];
    assert.equal(snapshots.length, 2);

    await restic("restore", "latest", "--target", join(directory, "back"));
    await run(["diff", "--recursive", local, join(directory, "back", local)]);
    const before = await storedKeys(workstation);
    await restic("forget", "--keep-last", "1", "--prune");
    await restic("check");
    assert.ok((await storedKeys(workstation)).length < before.length);
  });
}
