import type { Environment } from "../config/environment.ts";
import type { PodEnvironment } from "../proxy/credentials/kubernetes/in_cluster.ts";

/** What Kubernetes tells a program that runs in it, by its environment. */
export function podEnvironment(env: Environment): PodEnvironment {
  return { host: env.get("KUBERNETES_SERVICE_HOST"), port: env.get("KUBERNETES_SERVICE_PORT") };
}
