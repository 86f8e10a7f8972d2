import assert from "node:assert/strict";
import { status } from "./http_client.ts";
import { until } from "./poll.ts";

/**
 * Has something expire soon: `change` sends a request for that, which is refused when the program gets to it after the
 * time it names, and is then sent again with a later one. Resolves, with the time that was taken, once that has passed.
 */
export async function expireSoon(change: (expiresAt: string) => Promise<Response>): Promise<string> {
  for (let ahead = 250;; ahead *= 2) {
    const at = Date.now() + ahead;
    const expiresAt = new Date(at).toISOString();
    const answer = await status(change(expiresAt));
    if (answer === 200) {
      await until(() => Date.now() > at, { what: "the time to pass" });
      return expiresAt;
    }
    assert.ok(answer === 400 && ahead < 30_000, `${answer}`);
  }
}
