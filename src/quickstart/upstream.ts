import { join } from "node:path";
import type { Environment } from "../config/environment.ts";
import { startEmbeddedS3 } from "./embedded_s3/server.ts";
import { isLocalServer, startLocalServer } from "./local_server.ts";
import { UpstreamError } from "./upstream_error.ts";

/** The S3 server behind a quickstart. */
export interface Upstream {
  /** Id of its backend. */
  readonly id: string;
  /** What the dashboard calls it. */
  readonly name: string;
  /** Scheme, host and port. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Whether it belongs to the quickstart, which then may put sample data there. */
  readonly isOwn: boolean;
  stop(): Promise<void>;
}

/** What {@link startUpstream} takes. */
export interface UpstreamOptions {
  /** The URL of an S3 server, the name of one to start from `PATH`, or nothing for the embedded one. */
  readonly choice: string | undefined;
  /** Holds the data of a server that is started. */
  readonly directory: string;
  /** Keys for a server that is started. */
  readonly accessKey: string;
  readonly secretKey: string;
  readonly env: Environment;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Takes errors of the embedded server. */
  readonly onError: (error: unknown) => void;
}

const region = "us-east-1";

/** Starts an S3 server of the quickstart's own, or takes the one at a URL. Throws {@link UpstreamError}. */
export async function startUpstream(options: UpstreamOptions): Promise<Upstream> {
  const { choice, directory, accessKey, secretKey, clock, onError } = options;
  const own = { region, accessKey, secretKey, isOwn: true };
  if (choice === undefined) {
    const server = await startEmbeddedS3({
      directory: join(directory, "s3"),
      port: 0,
      accessKey,
      secretKey,
      clock,
      onError,
    });
    return { ...own, id: "embedded", name: "Embedded S3 server", endpoint: server.url, stop: server.stop };
  }
  if (isLocalServer(choice)) {
    const server = await startLocalServer(choice, {
      directory: join(directory, choice),
      region,
      accessKey,
      secretKey,
      clock,
    });
    return { ...own, id: choice, name: choice, endpoint: server.url, stop: server.stop };
  }
  return remoteUpstream(choice, options.env);
}

/** Checks the choice of an upstream as far as it can be without starting anything. Throws {@link UpstreamError}. */
export function checkUpstream(choice: string | undefined, env: Environment): void {
  if (choice !== undefined && !isLocalServer(choice)) remoteUpstream(choice, env);
}

function remoteUpstream(choice: string, env: Environment): Upstream {
  if (!/^https?:\/\//.test(choice) || !URL.canParse(choice)) {
    throw new UpstreamError("give a URL such as https://s3.example.com, or minio, or versitygw");
  }
  const url = new URL(choice);
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw new UpstreamError("the URL may only have a scheme, keys, a host and a port");
  }
  const accessKey = decodeURIComponent(url.username) || env.get("AWS_ACCESS_KEY_ID");
  const secretKey = decodeURIComponent(url.password) || env.get("AWS_SECRET_ACCESS_KEY");
  if (!accessKey || !secretKey) {
    throw new UpstreamError(
      "the server needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them into the URL",
    );
  }
  return {
    id: "upstream",
    name: url.host,
    endpoint: url.origin,
    region: env.get("AWS_REGION") || region,
    accessKey,
    secretKey,
    isOwn: false,
    stop: () => Promise.resolve(),
  };
}
