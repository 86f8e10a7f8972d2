import { join } from "node:path";
import { stringify } from "yaml";
import type { Environment } from "../config/environment.ts";
import type { ListenAddress } from "../config/listen_address.ts";
import type { Upstream } from "./upstream.ts";

/** Variables that the generated configuration names for the upstream's keys. */
const accessKeyVariable = "QUICKSTART_ACCESS_KEY";
const secretKeyVariable = "QUICKSTART_SECRET_KEY";

const heading =
  `# Made by quickstart at every start: changes here do not last. Copy it to go on with "serve --config", and set
# ${accessKeyVariable} and ${secretKeyVariable} to the keys of your S3 server.
`;

/** Where the listeners of a quickstart are. */
interface Listeners {
  readonly listen: ListenAddress;
  readonly proxyListen: ListenAddress;
}

/** Writes the configuration of a quickstart under `directory` and returns the file's path. */
export async function writeConfiguration(
  directory: string,
  { listen, proxyListen }: Listeners,
  upstream: Upstream,
): Promise<string> {
  const path = join(directory, "config.yaml");
  const config = {
    server: { listen: listen.text, secret_key_file: join(directory, "root.key") },
    log: { level: "warn", format: "text" },
    s3_proxy: { enabled: true, listen: proxyListen.text },
    db: { sqlite: { path: join(directory, "service.db") } },
    backends: [{
      id: upstream.id,
      name: upstream.name,
      type: "s3v4",
      endpoint: upstream.endpoint,
      region: upstream.region,
      path_style: true,
      access_key_env: accessKeyVariable,
      secret_key_env: secretKeyVariable,
    }],
  };
  await Deno.writeTextFile(path, heading + stringify(config));
  return path;
}

/** The environment that this configuration is loaded in: its keys are there, and nothing moves it out of its directory. */
export function configurationEnvironment(env: Environment, upstream: Upstream): Environment {
  const settled: Record<string, string | undefined> = {
    [accessKeyVariable]: upstream.accessKey,
    [secretKeyVariable]: upstream.secretKey,
    SERVICE_LISTEN: undefined,
    SERVICE_SQLITE_PATH: undefined,
    SERVICE_SECRET_KEY_FILE: undefined,
  };
  return { get: (name) => Object.hasOwn(settled, name) ? settled[name] : env.get(name) };
}
