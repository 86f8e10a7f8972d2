import type { Agent as HttpAgent } from "node:http";
import { Agent } from "node:https";
import { S3Client } from "@aws-sdk/client-s3";
import { Client as MinioClient } from "minio";
import { requireExecutable } from "../support/executables.ts";
import type { Workstation } from "./support.ts";

/** Runs a client with arguments; it has to succeed. Returns what it printed. */
export type ClientCommand = (...args: string[]) => Promise<string>;

/** AWS CLI: `aws` is version 1, `aws2` is version 2. */
export function awsCommand(workstation: Workstation, program: "aws" | "aws2"): ClientCommand {
  const { run, url, endpoint } = workstation;
  const env = {
    AWS_ACCESS_KEY_ID: endpoint.accessKey,
    AWS_SECRET_ACCESS_KEY: endpoint.secretKey,
    AWS_DEFAULT_REGION: endpoint.region,
    AWS_ENDPOINT_URL: url,
  };
  return (...args) => run([requireExecutable(program), ...args], env);
}

/** rclone, with the endpoint as `remote:`, sending objects of 5 MiB and more in parts. */
export function rcloneCommand({ run, url, endpoint }: Workstation): ClientCommand {
  const env = {
    RCLONE_CONFIG: "/dev/null",
    RCLONE_CONFIG_REMOTE_TYPE: "s3",
    RCLONE_CONFIG_REMOTE_PROVIDER: "Other",
    RCLONE_CONFIG_REMOTE_ENDPOINT: url,
    RCLONE_CONFIG_REMOTE_ACCESS_KEY_ID: endpoint.accessKey,
    RCLONE_CONFIG_REMOTE_SECRET_ACCESS_KEY: endpoint.secretKey,
    RCLONE_S3_UPLOAD_CUTOFF: "5M",
    RCLONE_S3_COPY_CUTOFF: "5M",
    RCLONE_S3_CHUNK_SIZE: "5M",
  };
  return (...args) => run([requireExecutable("rclone"), ...args, "--retries", "1"], env);
}

/** MinIO's client, with the endpoint as the alias `remote`. */
export async function mcCommand(workstation: Workstation): Promise<ClientCommand> {
  const { run, url, endpoint } = workstation;
  const mc: ClientCommand = (...args) => run([requireExecutable("mc"), "--no-color", "--quiet", ...args]);
  await mc("alias", "set", "remote", url, endpoint.accessKey, endpoint.secretKey);
  return mc;
}

/** s3cmd. */
export function s3cmdCommand({ run, url, endpoint }: Workstation): ClientCommand {
  const { protocol, host } = new URL(url);
  const options = [
    "--config=/dev/null",
    `--host=${host}`,
    `--host-bucket=${host}`,
    protocol === "https:" ? "--ssl" : "--no-ssl",
    `--access_key=${endpoint.accessKey}`,
    `--secret_key=${endpoint.secretKey}`,
    `--region=${endpoint.region}`,
    "--no-progress",
  ];
  return (...args) => run([requireExecutable("s3cmd"), ...options, ...args]);
}

/** restic, with a repository in `bucket`. */
export function resticCommand(workstation: Workstation, bucket: string): ClientCommand {
  const { run, url, endpoint } = workstation;
  const env = {
    AWS_ACCESS_KEY_ID: endpoint.accessKey,
    AWS_SECRET_ACCESS_KEY: endpoint.secretKey,
    RESTIC_REPOSITORY: `s3:${url}/${bucket}/backups`,
    RESTIC_PASSWORD: "a password for backups",
  };
  return (...args) => run([requireExecutable("restic"), "--quiet", ...args], env);
}

/**
 * The AWS SDK for JavaScript; closes its connections when it goes out of scope.
 *
 * @param httpAgent what connects to a URL without TLS; Node's own one unless told
 */
export function awsSdkClient(
  { url, endpoint, authority }: Workstation,
  httpAgent?: HttpAgent,
): S3Client & Disposable {
  const client = new S3Client({
    endpoint: url,
    region: endpoint.region,
    credentials: { accessKeyId: endpoint.accessKey, secretAccessKey: endpoint.secretKey },
    maxAttempts: 1,
    requestHandler: { httpAgent, httpsAgent: new Agent({ keepAlive: true, ca: authority }) },
  });
  return Object.assign(client, { [Symbol.dispose]: () => client.destroy() });
}

/** MinIO's client for JavaScript, sending objects of more than 5 MiB in parts. */
export function minioClient({ url, endpoint, authority }: Workstation): MinioClient {
  const { hostname, port, protocol } = new URL(url);
  const tls = protocol === "https:";
  return new MinioClient({
    endPoint: hostname,
    port: Number(port),
    useSSL: tls,
    accessKey: endpoint.accessKey,
    secretKey: endpoint.secretKey,
    partSize: 5 * 1024 * 1024,
    transportAgent: tls ? new Agent({ ca: authority }) : undefined,
  });
}
