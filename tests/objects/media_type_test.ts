import assert from "node:assert/strict";
import { isMediaType } from "../../src/objects/media_type.ts";

Deno.test("one media type is told from several and from nonsense", () => {
  for (
    const type of [
      "text/plain",
      "application/vnd.api+json",
      "text/csv; charset=utf-8",
      "text/csv ;charset=utf-8;header=present",
      'a/b; x="y, \\"z\\""',
      "text/html;",
      "text/html; ;",
    ]
  ) assert.equal(isMediaType(type), true, type);
  for (
    const type of [
      "",
      "text",
      "text/",
      "/plain",
      "text/plain, text/html",
      "application/pdf; x, text/html",
      'application/pdf;a="b", text/html',
      "application/pdf ;, text/html",
      "application/pdf;x,image/svg+xml",
      "text/plain; charset = utf-8",
      'text/plain; a="b',
      "text/plain; a=b c",
      "text/plain\r\nx: y",
      `text/${"x".repeat(300)}`,
    ]
  ) assert.equal(isMediaType(type), false, type);
});

Deno.test("no text keeps the check busy", () => {
  const start = performance.now();
  for (const unit of [" ;", "; ", ";a=b", "; a", '\\"', "a="]) {
    for (const prefix of ["a/b", 'a/b;a="']) isMediaType(`${prefix}${unit.repeat(200)}`.slice(0, 254) + "(");
  }
  // A check that goes back and forth over the text would take hours.
  assert.ok(performance.now() - start < 2_000);
});
