import assert from "node:assert/strict";
import { auditActions } from "../../src/audit/event.ts";
import { messages as german } from "../../static/i18n/de.js";
import { messages as english } from "../../static/i18n/en.js";
import { actionWords } from "../../static/lib/admin/audit_actions.js";
import { setLanguage } from "../../static/lib/i18n.js";

Deno.test("each action is in the documentation, and is shown in words", async () => {
  const text = await Deno.readTextFile(new URL("../../docs/audit.md", import.meta.url));
  assert.deepEqual(auditActions.filter((action) => !text.includes(`\`${action}\``)), []);
  for (const [language, messages] of [["de", german], ["en", english]] as const) {
    setLanguage(language, messages);
    const unnamed = auditActions.filter((action) => actionWords(action).includes("."));
    assert.deepEqual(unnamed, [], language);
  }
});
