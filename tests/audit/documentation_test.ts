import assert from "node:assert/strict";
import { auditActions } from "../../src/audit/event.ts";
import { actionWords } from "../../static/lib/admin/audit_actions.js";

Deno.test("each action is in the documentation, and is shown in words", async () => {
  const text = await Deno.readTextFile(new URL("../../docs/audit.md", import.meta.url));
  assert.deepEqual(auditActions.filter((action) => !text.includes(`\`${action}\``)), []);
  assert.deepEqual(auditActions.filter((action) => actionWords(action) === action), []);
});
