import assert from "node:assert/strict";
import { runScript, skipWithoutPython } from "./python.ts";
import { clientTest, partCount, storedKeys } from "./support.ts";

const skip = skipWithoutPython("duckdb", "duckdb_extension_httpfs");

for (const tls of [false, true]) {
  clientTest("DuckDB writes, reads and lists tables", { skip, tls }, async (workstation) => {
    await runScript(workstation, "./duckdb_client.py", "tables");
    const [key] = await storedKeys(workstation);
    assert.equal(key, "numbers of +1%.parquet");
    assert.ok(await partCount(workstation, key) > 1);
    await runScript(workstation, "./duckdb_client.py", "partitions");
  });
}
