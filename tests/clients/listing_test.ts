import assert from "node:assert/strict";
import { paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { skipWithout } from "../support/executables.ts";
import { awsCommand, awsSdkClient, mcCommand, minioClient, rcloneCommand, s3cmdCommand } from "./clients.ts";
import { runScript, skipWithoutPython } from "./python.ts";
import { assertKeys, bucket, clientTest } from "./support.ts";

/** Three times what one answer holds at most. */
const keyCount = 3000;

const keys = Array.from({ length: keyCount }, (_, index) => `folder ${index % 3}/ü+${index}%.txt`).sort();

const skipMc = skipWithout("mc");

clientTest("every client lists 3,000 keys", { skip: false }, async (workstation, context) => {
  await putAll(workstation.put);

  /** Runs a step in which a client lists the keys, each on a line or at the end of one. */
  const lists = (name: string, skip: boolean, list: () => Promise<string[]>) =>
    context.step({
      name,
      ignore: skip,
      fn: async () => assert.deepEqual((await list()).sort(), keys),
    });
  const aws = (program: "aws" | "aws2") => async () =>
    keysOf(await awsCommand(workstation, program)("s3", "ls", "--recursive", `s3://${bucket}`));
  await lists("aws-cli v1", skipWithout("aws"), aws("aws"));
  await lists("aws-cli v2", skipWithout("aws2"), aws("aws2"));
  await lists("rclone", skipWithout("rclone"), async () => {
    const rclone = rcloneCommand(workstation);
    return keysOf(await rclone("lsf", "--recursive", "--files-only", `remote:${bucket}`));
  });
  await lists("mc", skipMc, async () => {
    const mc = await mcCommand(workstation);
    return keysOf(await mc("ls", "--recursive", `remote/${bucket}`));
  });
  await lists("s3cmd", skipWithout("s3cmd"), async () => {
    return keysOf(await s3cmdCommand(workstation)("ls", "--recursive", `s3://${bucket}`));
  });
  await lists("aws-sdk-js", false, async () => {
    using client = awsSdkClient(workstation);
    const names: string[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
      names.push(...Contents.map(({ Key = "" }) => Key));
    }
    return names;
  });
  await lists("minio-js", false, async () => {
    const names: string[] = [];
    // Its listing in the first version of the API stops at 1,000 keys whatever the server.
    for await (const { name } of minioClient(workstation).listObjectsV2(bucket, "", true)) names.push(name);
    return names;
  });
  await context.step({
    name: "boto3",
    ignore: skipWithoutPython("boto3"),
    fn: async () => void await runScript(workstation, "./boto3_client.py", "listing"),
  });
  await context.step({
    name: "DuckDB",
    ignore: skipWithoutPython("duckdb", "duckdb_extension_httpfs"),
    fn: async () => void await runScript(workstation, "./duckdb_client.py", "listing"),
  });
  await context.step({
    name: "mc deletes them, 1,000 a request",
    ignore: skipMc,
    fn: async () => {
      const mc = await mcCommand(workstation);
      await mc("rm", "--recursive", "--force", `remote/${bucket}`);
      await assertKeys(workstation, []);
    },
  });
});

async function putAll(put: (key: string, text: string) => Promise<void>): Promise<void> {
  const queue = keys.values();
  const work = async () => {
    for (const key of queue) await put(key, "x");
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

/** The keys at the ends of lines, whatever columns come before them. */
function keysOf(output: string): string[] {
  return output.split("\n").filter(Boolean).map((line) => line.slice(line.indexOf("folder ")));
}
