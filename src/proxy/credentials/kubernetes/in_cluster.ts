import {
  type ClusterAccess,
  ClusterAccessError,
  readAccessFile,
  readTokenFile,
  requireCertificate,
} from "./cluster_access.ts";

/**
 * Where a pod finds its API server and its service account:
 * https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/
 */
export interface PodEnvironment {
  /** `KUBERNETES_SERVICE_HOST`: a name or an address, an IPv6 one without brackets. */
  readonly host: string | undefined;
  /** `KUBERNETES_SERVICE_PORT`. */
  readonly port: string | undefined;
  /** Holds `token` and `ca.crt`; {@link serviceAccountDirectory} unless told. */
  readonly directory?: string;
}

/** Where every pod has the files of its service account. */
export const serviceAccountDirectory = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The access that a pod has by its service account. Throws {@link ClusterAccessError} outside of a pod. */
export async function loadServiceAccount(pod: PodEnvironment): Promise<ClusterAccess> {
  const { host, port, directory = serviceAccountDirectory } = pod;
  if (!host || !port) {
    throw new ClusterAccessError(
      "is empty, which stands for the service account of the pod, " +
        "but KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set",
    );
  }
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(server)) {
    throw new ClusterAccessError("KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are no host and port");
  }
  const caPath = `${directory}/ca.crt`;
  const token = () => readTokenFile(`${directory}/token`);
  await token();
  return { server, caCertificates: [requireCertificate(await readAccessFile(caPath), caPath)], token };
}
