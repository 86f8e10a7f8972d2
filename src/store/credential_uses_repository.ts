import type { Database } from "./database.ts";

/** When each credential was last used, by its access key id; milliseconds since the epoch. */
export function listCredentialUses(database: Database): Map<string, number> {
  const rows = database.all("SELECT access_key_id, last_used_at FROM credential_uses");
  return new Map(rows.map((row) => [String(row.access_key_id), Number(row.last_used_at)]));
}

/** Stores when credentials were last used, all in one transaction. */
export function storeCredentialUses(database: Database, uses: Iterable<readonly [string, number]>): void {
  database.transaction(() => {
    for (const [accessKeyId, at] of uses) {
      database.run(
        "INSERT OR REPLACE INTO credential_uses (access_key_id, last_used_at) VALUES (?, ?)",
        accessKeyId,
        at,
      );
    }
  });
}

/** Removes what is known of credentials that were not used since `before`. */
export function deleteCredentialUses(database: Database, before: number): void {
  database.run("DELETE FROM credential_uses WHERE last_used_at < ?", before);
}
