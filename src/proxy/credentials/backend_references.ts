import { type BackendReferences, counted } from "../../backends/references.ts";
import type { CredentialSource } from "./source.ts";
import type { SqliteCredentials } from "./sqlite.ts";

/**
 * The credentials and bindings that point at a backend. `all` holds those of other sources too: they count, but only
 * `stored` ones can be removed.
 */
export function credentialReferences(stored: SqliteCredentials, all: CredentialSource): BackendReferences {
  const storedCredentials = (backendId: string) =>
    stored.records().filter((record) => record.backendId === backendId);
  const storedBindings = (backendId: string) =>
    stored.bindingRecords().filter((record) => record.backendId === backendId);
  return {
    describe(backendId) {
      const credentials = storedCredentials(backendId).length +
        [...all.credentials()].filter(({ source, buckets }) =>
          source !== "sqlite" && [...buckets.values()].includes(backendId)
        ).length;
      const bindings = storedBindings(backendId).length +
        [...all.bindings()].filter(({ source, backend }) => source !== "sqlite" && backend === backendId)
          .length;
      return [...counted(credentials, "S3 credential"), ...counted(bindings, "anonymous binding")];
    },
    remove(backendId) {
      for (const { accessKeyId } of storedCredentials(backendId)) stored.remove(accessKeyId);
      for (const { bucket } of storedBindings(backendId)) stored.removeBinding(backendId, bucket);
    },
  };
}
