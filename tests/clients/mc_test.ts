import assert from "node:assert/strict";
import { join } from "node:path";
import { requireExecutable, skipWithout } from "../support/executables.ts";
import { mcCommand } from "./clients.ts";
import {
  assertKeys,
  bucket,
  clientTest,
  digest,
  hostName,
  oddKeys,
  otherBucket,
  partCount,
  stored,
  writeOddFiles,
} from "./support.ts";

const skip = skipWithout("mc");

/** Beyond the 16 MiB up to which mc sends an object in one part. */
const largeSize = 20 * 1024 * 1024 + 77;

for (const tls of [false, true]) {
  clientTest("mc uploads and downloads, in one part and in several", { skip, tls }, async (workstation) => {
    const { file, directory } = workstation;
    const mc = await mcCommand(workstation);
    const small = await file("small.bin", 1000);
    const large = await file("large.bin", largeSize);
    await mc("cp", "--attr", "colour=blue", small, `remote/${bucket}/small.bin`);
    await mc("cp", large, `remote/${bucket}/large.bin`);
    assert.equal((await stored(workstation, "small.bin")).metadata.colour, "blue");
    assert.equal((await stored(workstation, "small.bin")).digest, await digest(small));
    assert.equal((await stored(workstation, "large.bin")).digest, await digest(large));
    assert.equal(await partCount(workstation, "large.bin"), 2);
    for (const algorithm of ["CRC32C", "CRC64NVME", "SHA256"]) {
      const options = ["--checksum", algorithm, "--part-size", "5MiB"];
      await mc("put", ...options, large, `remote/${bucket}/${algorithm}`);
      assert.equal((await stored(workstation, algorithm)).digest, await digest(large));
    }
    const back = join(directory, "back.bin");
    await mc("cp", `remote/${bucket}/large.bin`, back);
    assert.equal(await digest(back), await digest(large));
  });
}

clientTest("mc mirrors odd names both ways, lists and removes", { skip }, async (workstation) => {
  const { directory, run } = workstation;
  const mc = await mcCommand(workstation);
  const local = join(directory, "local");
  await writeOddFiles(local);
  await mc("mirror", local, `remote/${bucket}`);
  await assertKeys(workstation, oddKeys);
  const listed = (await mc("ls", "--recursive", "--json", `remote/${bucket}`)).split("\n").filter(Boolean);
  assert.deepEqual(listed.map((line) => JSON.parse(line).key).sort(), [...oddKeys].sort());
  await mc("mirror", `remote/${bucket}`, join(directory, "back"));
  await run(["diff", "--recursive", local, join(directory, "back")]);

  await Deno.remove(join(local, oddKeys[0]));
  await mc("mirror", "--remove", local, `remote/${bucket}`);
  await assertKeys(workstation, oddKeys.slice(1));
  await mc("rm", "--recursive", "--force", `remote/${bucket}`);
  await assertKeys(workstation, []);
});

clientTest("mc copies, tags, describes and shares", { skip }, async (workstation) => {
  const { file } = workstation;
  const mc = await mcCommand(workstation);
  await workstation.put("a file.txt", "text");
  await mc("cp", `remote/${bucket}/a file.txt`, `remote/${otherBucket}/copied.txt`);
  await mc("mv", `remote/${bucket}/a file.txt`, `remote/${bucket}/moved file.txt`);
  await assertKeys(workstation, ["moved file.txt"]);
  await assertKeys(workstation, ["copied.txt"], otherBucket);
  await mc("tag", "set", `remote/${bucket}/moved file.txt`, "team=blue");
  assert.match(await mc("tag", "list", `remote/${bucket}/moved file.txt`), /team\s*:\s*blue/);
  assert.match(await mc("stat", `remote/${bucket}/moved file.txt`), /Size\s*: 4 B/);
  const buckets = (await mc("ls", "--json", "remote")).split("\n").filter(Boolean);
  assert.deepEqual(buckets.map((line) => JSON.parse(line).key), [`${bucket}/`, `${otherBucket}/`]);

  const shared = JSON.parse(await mc("share", "download", "--json", `remote/${bucket}/moved file.txt`));
  assert.equal(await (await fetch(shared.share)).text(), "text");
  const { share } = JSON.parse(await mc("share", "upload", "--json", `remote/${bucket}/posted.bin`));
  const posted = await file("posted.bin", 3000);
  await post(share, posted);
  assert.equal((await stored(workstation, "posted.bin")).digest, await digest(posted));
});

/** Does what the `curl` command that mc prints does: posts a form with the file as its last field. */
async function post(command: string, path: string): Promise<void> {
  const [, url] = /^curl (\S+)/.exec(command) ?? [];
  const form = new FormData();
  for (const [, name, value] of command.matchAll(/-F ([^= ]+)=(\S+)/g)) {
    if (name !== "file") form.append(name, value);
  }
  form.append("file", new Blob([await Deno.readFile(path)]));
  const answer = await fetch(url, { method: "POST", body: form });
  assert.ok(answer.ok, `${answer.status} ${await answer.text()}`);
}

clientTest("mc puts the bucket into the host name", { skip }, async (workstation) => {
  const { file, run, endpoint } = workstation;
  const { port } = new URL(endpoint.url);
  const mc = (name: string, ...args: string[]) =>
    run([requireExecutable("mc"), `--resolve=${name}:${port}=127.0.0.1`, "--quiet", ...args]);
  const keys = [endpoint.accessKey, endpoint.secretKey];
  await mc(hostName, "alias", "set", "remote", `http://${hostName}:${port}`, ...keys, "--path", "off");
  // From here on, the name without the bucket leads nowhere.
  const bucketName = `${bucket}.${hostName}`;
  const sent = await file("sent.bin", largeSize);
  await mc(bucketName, "cp", sent, `remote/${bucket}/a folder/sent+.bin`);
  assert.equal((await stored(workstation, "a folder/sent+.bin")).digest, await digest(sent));
  await mc(bucketName, "cp", `remote/${bucket}/a folder/sent+.bin`, `${sent}.back`);
  assert.equal(await digest(`${sent}.back`), await digest(sent));
});
