import assert from "node:assert/strict";
import { csvCell } from "../../src/audit/csv.ts";

Deno.test("text that a spreadsheet would take for a formula is defused", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"]) {
    assert.match(csvCell(text), /^"?'/, JSON.stringify(text));
  }
});

Deno.test("commas, quotes and line breaks stay inside their cell", () => {
  assert.equal(csvCell('a,"b"\nc'), '"a,""b""\nc"');
  assert.equal(csvCell("plain"), "plain");
  assert.equal(csvCell('=HYPERLINK("x","y")'), `"'=HYPERLINK(""x"",""y"")"`);
});
