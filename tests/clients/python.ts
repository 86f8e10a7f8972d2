import { fileURLToPath } from "node:url";
import { bucket, otherBucket, type Workstation } from "./support.ts";

/**
 * Whether tests of a client that is a Python package have to be skipped because `python3` cannot import it; says so on
 * standard error. Never in CI, where they fail.
 */
export function skipWithoutPython(...modules: readonly string[]): boolean {
  if (Deno.env.get("CI") === "true") return false;
  if (canImport(modules)) return false;
  console.error(
    `skipping tests that need Python with ${modules.join(" and ")}: install them as .ci/run does`,
  );
  return true;
}

/**
 * Runs a scenario of a script beside this file, with the arguments it takes, against the endpoint. The script asserts; its
 * exit code tells.
 */
export function runScript(
  { run, url, endpoint }: Workstation,
  script: string,
  ...scenario: readonly string[]
): Promise<string> {
  return run(["python3", fileURLToPath(new URL(script, import.meta.url)), ...scenario], {
    AWS_ACCESS_KEY_ID: endpoint.accessKey,
    AWS_SECRET_ACCESS_KEY: endpoint.secretKey,
    AWS_ENDPOINT_URL: url,
    BUCKET: bucket,
    OTHER_BUCKET: otherBucket,
  });
}

function canImport(modules: readonly string[]): boolean {
  try {
    const { success } = new Deno.Command("python3", { args: ["-c", `import ${modules.join(",")}`] })
      .outputSync();
    return success;
  } catch {
    return false;
  }
}
