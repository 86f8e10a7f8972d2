import { errorMessage } from "../../../error_message.ts";

/** How the API server of a cluster is reached, and as whom. */
export interface ClusterAccess {
  /** Base URL without a trailing slash, such as `https://10.96.0.1:443`. */
  readonly server: string;
  /** Authorities for the server's certificate, as PEM; they are trusted besides those of the system. */
  readonly caCertificates: readonly string[];
  readonly clientCertificate?: ClientCertificate;
  /** The bearer token. It is asked for before each request, since tokens of service accounts rotate. */
  readonly token?: () => Promise<string>;
}

/** A certificate and its private key, both as PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The cluster cannot be reached as configured. The message begins with the key of the configuration. */
export class ClusterAccessError extends Error {
  override readonly name = "ClusterAccessError";

  /** `rule` is what is wrong, as the end of a sentence. */
  constructor(rule: string, key: "kubeconfig" | "namespace" = "kubeconfig") {
    super(`s3_proxy.kubernetes.${key}: ${rule}`);
  }
}

/** Reads a file that the access depends on. Throws {@link ClusterAccessError} with its path. */
export async function readAccessFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    throw new ClusterAccessError(`${path} cannot be read: ${errorMessage(error)}`);
  }
}

/** Reads a bearer token from its file. Throws {@link ClusterAccessError} when there is none. */
export async function readTokenFile(path: string): Promise<string> {
  return requireToken(await readAccessFile(path), path);
}

/** A bearer token without the white space around it; `place` says where it is from, for the error when it is none. */
export function requireToken(text: string, place: string): string {
  const token = text.trim();
  if (!/^[!-~]+$/.test(token)) throw new ClusterAccessError(`${place} does not hold a bearer token`);
  return token;
}

/** Checks that `pem` holds a certificate; `place` says where it is from. */
export function requireCertificate(pem: string, place: string): string {
  if (!pem.includes("-----BEGIN CERTIFICATE-----")) {
    throw new ClusterAccessError(`${place} does not hold a certificate as PEM`);
  }
  return pem;
}
