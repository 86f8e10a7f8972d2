import assert from "node:assert/strict";
import fc from "fast-check";
import { localPath } from "../../src/http/local_path.ts";

Deno.test("a path of this site stays", () => {
  for (const path of ["/", "/b/one?p=a%2F&o=x#y", "/login?next=/b"]) assert.equal(localPath(path), path);
});

Deno.test("anything that a browser would take elsewhere becomes the start page", () => {
  for (
    const target of [
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "/\t/evil.example",
      "/..//evil.example",
      "/%2e%2e//evil.example",
      "javascript:alert(1)",
      "",
      null,
      undefined,
    ]
  ) assert.equal(localPath(target), "/", String(target));
});

Deno.test("property: the result always resolves to this site", () => {
  const piece = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "%2e",
    "\t",
    "\n",
    "a",
    ":",
    "@",
    "?",
    "#",
    "evil.example",
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
    const path = localPath("/" + pieces.join(""));
    assert.equal(new URL(path, "https://here.example").origin, "https://here.example");
  }));
});
