import type { ClusterAccess } from "./cluster_access.ts";
import { loadServiceAccount, type PodEnvironment } from "./in_cluster.ts";
import { loadKubeconfig } from "./kubeconfig.ts";

/**
 * The access that the configuration asks for: by the file `s3_proxy.kubernetes.kubeconfig`, or when that is empty, by the
 * service account of the pod. Throws {@link ClusterAccessError}.
 */
export function loadClusterAccess(kubeconfig: string, pod: PodEnvironment): Promise<ClusterAccess> {
  return kubeconfig === "" ? loadServiceAccount(pod) : loadKubeconfig(kubeconfig);
}
