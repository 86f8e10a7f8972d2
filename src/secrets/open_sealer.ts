import type { Config } from "../config/schema.ts";
import { loadRootKeyFile } from "./root_key.ts";
import { Sealer } from "./seal.ts";

/** What seals secrets: `null` without a root key. `SERVICE_SECRET_KEY` goes before the file. */
export async function openSealer(
  { root_key, server }: Pick<Config, "root_key" | "server">,
): Promise<Sealer | null> {
  if (root_key !== undefined) return new Sealer(root_key);
  return server.secret_key_file === "" ? null : new Sealer(await loadRootKeyFile(server.secret_key_file));
}
