// @ts-check
import { shellWord } from "../commands.js";
import { goProgram, javascriptProgram, pythonProgram, terraformBackend } from "./program_snippets.js";
import { xmlText } from "./quoting.js";

/**
 * What a client needs to know.
 *
 * @typedef {object} Access
 * @property {string} endpoint URL of the S3 endpoint, without a slash at its end
 * @property {string} region
 * @property {string} bucket
 * @property {string} prefix what every key begins with; empty for any key
 * @property {string} accessKey
 * @property {string} secretKey
 * @property {boolean} readOnly
 */

/**
 * @typedef {object} Snippet
 * @property {string} id
 * @property {string} name of the client, which is the same in every language
 * @property {(access: Access) => string} write
 * @property {string} [file] under which it is saved, where it is a file and nothing to paste into a shell
 */

/** Any region will do; clients only have to have one. */
export const region = "us-east-1";

/** How to reach the S3 endpoint from each client: ready to paste, with a first command that shows that it works. */
export const snippets = /** @type {readonly Snippet[]} */ ([
  { id: "env", name: "Env", write: environment },
  { id: "aws", name: "AWS CLI", write: awsCli },
  { id: "mc", name: "mc", write: mc },
  { id: "rclone", name: "rclone", write: rclone },
  { id: "s5cmd", name: "s5cmd", write: s5cmd },
  { id: "boto3", name: "boto3", write: pythonProgram, file: "storage.py" },
  { id: "js", name: "JS SDK v3", write: javascriptProgram, file: "storage.mjs" },
  { id: "go", name: "Go", write: goProgram, file: "main.go" },
  { id: "terraform", name: "Terraform", write: terraformBackend, file: "backend.tf" },
  { id: "cyberduck", name: "Cyberduck", write: cyberduck, file: "storage.cyberduckprofile" },
  { id: "restic", name: "restic", write: restic },
  { id: "s3fs", name: "s3fs", write: s3fs },
]);

/** Name under which clients keep the endpoint. */
const name = "storage";

/**
 * The variables that most clients read.
 * @param {Access} access
 * @returns {Array<[string, string]>}
 */
function variables({ endpoint, region, accessKey, secretKey }) {
  return [
    ["AWS_ENDPOINT_URL", endpoint],
    ["AWS_ACCESS_KEY_ID", accessKey],
    ["AWS_SECRET_ACCESS_KEY", secretKey],
    ["AWS_REGION", region],
    ["AWS_DEFAULT_REGION", region],
  ];
}

/**
 * The content of a `.env` file, as Docker, Compose and most libraries read it: nothing in it needs quotes.
 * @param {Access} access
 */
export function envFile(access) {
  return variables(access).map(([variable, value]) => `${variable}=${value}\n`).join("");
}

/** @param {Access} access */
function environment(access) {
  return variables(access).map(([variable, value]) => `export ${variable}=${shellWord(value)}`).join("\n");
}

/** @param {Access} access */
function awsCli({ endpoint, region, accessKey, secretKey, bucket, prefix }) {
  const set = (/** @type {string} */ key, /** @type {string} */ value) =>
    `aws configure set ${key} ${shellWord(value)} --profile ${name}`;
  return [
    set("aws_access_key_id", accessKey),
    set("aws_secret_access_key", secretKey),
    set("region", region),
    set("endpoint_url", endpoint),
    set("s3.addressing_style", "path"),
    set("s3.signature_version", "s3v4"),
    `aws --profile ${name} s3 ls ${shellWord(`s3://${bucket}/${prefix}`)}`,
  ].join("\n");
}

/** @param {Access} access */
function mc({ endpoint, accessKey, secretKey, bucket, prefix }) {
  return [
    `mc alias set ${name} ${shellWord(endpoint)} ${shellWord(accessKey)} ${
      shellWord(secretKey)
    } --api S3v4 --path on`,
    `mc ls ${shellWord(`${name}/${bucket}/${prefix}`)}`,
  ].join("\n");
}

/** @param {Access} access */
function rclone({ endpoint, region, accessKey, secretKey, bucket, prefix }) {
  return [
    `rclone config create ${name} s3 provider=Other no_check_bucket=true force_path_style=true \\`,
    `  endpoint=${shellWord(endpoint)} region=${shellWord(region)} \\`,
    `  access_key_id=${shellWord(accessKey)} secret_access_key=${shellWord(secretKey)} >/dev/null`,
    `rclone lsf ${shellWord(`${name}:${bucket}/${folderOf(prefix)}`)}`,
  ].join("\n");
}

/** @param {Access} access */
function s5cmd({ endpoint, region, accessKey, secretKey, bucket, prefix }) {
  return [
    `export AWS_ACCESS_KEY_ID=${shellWord(accessKey)}`,
    `export AWS_SECRET_ACCESS_KEY=${shellWord(secretKey)}`,
    `export AWS_REGION=${shellWord(region)}`,
    `export S3_ENDPOINT_URL=${shellWord(endpoint)}`,
    `s5cmd ls ${shellWord(`s3://${bucket}/${prefix}*`)}`,
  ].join("\n");
}

/** @param {Access} access */
function restic({ endpoint, region, accessKey, secretKey, bucket, prefix, readOnly }) {
  const repository = `s3:${endpoint}/${bucket}/${folderOf(prefix)}restic`;
  return [
    `export AWS_ACCESS_KEY_ID=${shellWord(accessKey)}`,
    `export AWS_SECRET_ACCESS_KEY=${shellWord(secretKey)}`,
    `export AWS_DEFAULT_REGION=${shellWord(region)}`,
    `export RESTIC_REPOSITORY=${shellWord(repository)}`,
    readOnly ? "restic --no-lock -o s3.bucket-lookup=path snapshots" : "restic -o s3.bucket-lookup=path init",
  ].join("\n");
}

/** @param {Access} access */
function s3fs({ endpoint, region, accessKey, secretKey, bucket, prefix, readOnly }) {
  const folder = folderOf(prefix).replace(/\/$/, "");
  const source = folder === "" ? bucket : `${bucket}:/${folder}`;
  return [
    `(umask 077 && printf '%s:%s\\n' ${shellWord(accessKey)} ${
      shellWord(secretKey)
    } > ~/.passwd-s3fs-${name})`,
    `mkdir -p ~/${name}`,
    `s3fs ${shellWord(source)} ~/${name} -o passwd_file=~/.passwd-s3fs-${name} \\`,
    `  -o url=${shellWord(endpoint)} -o endpoint=${shellWord(region)} -o use_path_request_style${
      readOnly ? " -o ro" : ""
    }`,
  ].join("\n");
}

/**
 * A connection profile of Cyberduck and Mountain Duck: it brings path-style addresses along, which a bookmark alone cannot,
 * and asks for the key pair. https://docs.cyberduck.io/protocols/profiles/
 * @param {Access} access
 */
function cyberduck({ endpoint, region, bucket, prefix }) {
  const { protocol, hostname, port } = new URL(endpoint);
  const secure = protocol === "https:";
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
  <dict>
    <key>Protocol</key>
    <string>s3</string>
    <key>Vendor</key>
    <string>${name}-${bucket}</string>
    <key>Scheme</key>
    <string>${secure ? "https" : "http"}</string>
    <key>Description</key>
    <string>${xmlText(`${bucket} (${hostname})`)}</string>
    <key>Default Hostname</key>
    <string>${hostname}</string>
    <key>Default Port</key>
    <string>${port || (secure ? "443" : "80")}</string>
    <key>Default Path</key>
    <string>${xmlText(`/${bucket}/${folderOf(prefix)}`)}</string>
    <key>Region</key>
    <string>${region}</string>
    <key>Properties</key>
    <array>
      <string>s3.bucket.virtualhost.disable=true</string>
    </array>
  </dict>
</plist>
`;
}

/**
 * The folder that a prefix is or lies in, with its slash; empty for the bucket itself.
 * @param {string} prefix
 */
function folderOf(prefix) {
  return prefix.slice(0, prefix.lastIndexOf("/") + 1);
}
