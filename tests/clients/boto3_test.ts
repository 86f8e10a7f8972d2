import { runScript, skipWithoutPython } from "./python.ts";
import { clientTest } from "./support.ts";

const skip = skipWithoutPython("boto3", "awscrt");
const script = "./boto3_client.py";

for (const tls of [false, true]) {
  clientTest("boto3 writes, reads and deletes objects", { skip, tls }, async (workstation) => {
    await runScript(workstation, script, "objects");
  });

  clientTest("boto3 uploads in parts, with every checksum", { skip, tls }, async (workstation) => {
    await runScript(workstation, script, "multipart");
  });

  clientTest("boto3 sends and checks every checksum", { skip, tls }, async (workstation) => {
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
  await runScript(workstation, script, "keys");
});

clientTest(
  "boto3 keeps empty segments of keys",
  { skip, upstream: "embedded" },
  async (workstation) => {
    await runScript(workstation, script, "slashes");
  },
);
