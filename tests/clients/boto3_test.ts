import { runScript, skipWithoutPython } from "./python.ts";
import { clientTest, oddKeys, slashKeys } from "./support.ts";

const skip = skipWithoutPython("boto3", "awscrt");
const variants = [{}, { tls: true }, { upstream: "versitygw" }] as const;
const script = "./boto3_client.py";

for (const where of variants) {
  clientTest("boto3 writes, reads and deletes objects", { skip, ...where }, async (workstation) => {
    await runScript(workstation, script, "objects");
  });

  clientTest("boto3 uploads in parts, with every checksum", { skip, ...where }, async (workstation) => {
    await runScript(workstation, script, "multipart");
  });

  clientTest("boto3 sends and checks every checksum", { skip, ...where }, async (workstation) => {
    await runScript(workstation, script, "checksums");
    await runScript(workstation, script, "opt_out");
  });
}

clientTest("boto3 copies objects and tags them", { skip }, async (workstation) => {
  await runScript(workstation, script, "copies");
});

clientTest("boto3 presigns GET, PUT and POST", { skip }, async (workstation) => {
  await runScript(workstation, script, "presigned");
});

clientTest("boto3 keeps odd keys", { skip }, async (workstation) => {
  await runScript(workstation, script, "keys", ...oddKeys);
});

clientTest(
  "boto3 keeps empty segments of keys",
  { skip, upstream: "embedded" },
  async (workstation) => {
    await runScript(workstation, script, "keys", ...slashKeys);
  },
);
