import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { region, snippets } from "../../static/lib/credentials/snippets.js";
import { type ExternalProgram, requireExecutable, skipWithout } from "../support/executables.ts";
import { skipWithoutPython } from "./python.ts";
import { bucket, clientTest, storedKeys, type Workstation } from "./support.ts";

/** A folder and a file whose names no shell, and no program's source, may read as anything else. */
const prefix = "it's a $(folder)/";
const key = `${prefix}"quoted" \${file}.txt`;

/** What a listing of the folder shows of the file. */
const listedName = /"quoted" \$\{file\}\.txt/;

/** Writes the snippet of a client, for a credential that reaches the folder. */
type Write = (id: string) => string;

/** Pastes lines into a shell that knows the program by its usual name. */
async function paste(
  { run, directory }: Workstation,
  lines: string,
  { program, executable = program as ExternalProgram }: { program: string; executable?: ExternalProgram },
): Promise<string> {
  const bin = join(directory, `bin-${executable}`);
  await Deno.mkdir(bin, { recursive: true });
  await Deno.symlink(requireExecutable(executable), join(bin, program)).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
  const path = `${bin}:${Deno.env.get("PATH") ?? "/usr/bin:/bin"}`;
  const env = { PATH: path, RESTIC_PASSWORD: "a password for backups" };
  return await run(["sh", "-c", `set -eu\n${lines}\n`], env);
}

async function writeSnippets({ endpoint, url }: Workstation): Promise<Write> {
  const keys = await endpoint.mint({ buckets: [bucket], prefix });
  const access = { endpoint: url, region, bucket, prefix, ...keys, readOnly: false };
  return (id) => {
    const snippet = snippets.find((known) => known.id === id);
    assert.ok(snippet, id);
    return snippet.write(access);
  };
}

clientTest("snippets work as they are pasted", {
  skip: false,
  upstream: "embedded",
}, async (workstation, t) => {
  const { run, directory } = workstation;
  await workstation.put(key, "text");
  const write = await writeSnippets(workstation);
  const step = (name: string, ignore: boolean, fn: () => Promise<void>) => t.step({ name, ignore, fn });

  for (const executable of ["aws", "aws2"] as const) {
    await step(`env and AWS CLI, with ${executable}`, skipWithout(executable), async () => {
      const aws = { program: "aws", executable };
      const list = `aws s3 ls 's3://${bucket}/it'\\''s a $(folder)/'`;
      assert.match(await paste(workstation, `${write("env")}\n${list}`, aws), listedName);
      assert.match(await paste(workstation, write("aws"), aws), listedName);
    });
  }

  for (const program of ["mc", "rclone"] as const) {
    await step(program, skipWithout(program), async () => {
      assert.match(await paste(workstation, write(program), { program }), listedName);
    });
  }

  await step("restic", skipWithout("restic"), async () => {
    await paste(workstation, write("restic"), { program: "restic" });
    const keys = await storedKeys(workstation);
    assert.ok(keys.includes(`${prefix}restic/config`), keys.join("\n"));
  });

  await step("boto3", skipWithoutPython("boto3"), async () => {
    const path = join(directory, "storage.py");
    await Deno.writeTextFile(path, write("boto3"));
    assert.ok((await run(["python3", path])).split("\n").includes(`${key} 4`));
  });

  await step("JavaScript SDK", false, async () => {
    const path = join(directory, "storage.mjs");
    await Deno.writeTextFile(path, write("js"));
    const configuration = fileURLToPath(new URL("../../deno.json", import.meta.url));
    const command = [Deno.execPath(), "run", "--quiet", "--allow-all", "--config", configuration, path];
    assert.ok((await run(command)).split("\n").includes(`${key} 4`));
  });
});
