import assert from "node:assert/strict";
import { addBasePath, basePathOf, withoutBasePath } from "../../src/http/base_path.ts";

Deno.test("the base path is that of the public URL", () => {
  assert.equal(basePathOf(""), "");
  assert.equal(basePathOf("https://example.com"), "");
  assert.equal(basePathOf("https://example.com/storage"), "/storage");
  assert.equal(basePathOf("https://example.com/a/b.c"), "/a/b.c");
});

Deno.test("it is taken from the path as it was sent, once", () => {
  const stripped = (path: string) =>
    withoutBasePath(`http://h:1${path}`, "/storage").slice("http://h:1".length);
  for (
    const [sent, known] of [
      ["/storage/", "/"],
      ["/storage/b/main?p=/storage/", "/b/main?p=/storage/"],
      ["/storage//x", "//x"],
      ["/storage/storage/x", "/storage/x"],
      ["/storage/../x", "/../x"],
      ["/storage/%2e%2e/x", "/%2e%2e/x"],
      // Proxies that take it away, and whoever asks the listener itself.
      ["/", "/"],
      ["/b/main", "/b/main"],
      ["/?next=/storage/x", "/?next=/storage/x"],
      // What only looks like it.
      ["/storage", "/storage"],
      ["/storage?x", "/storage?x"],
      ["/storageX/b", "/storageX/b"],
      ["/storage../b", "/storage../b"],
      ["/storage%2Fb", "/storage%2Fb"],
      ["/storage\\b", "/storage\\b"],
      ["/%73torage/b", "/%73torage/b"],
      ["/Storage/b", "/Storage/b"],
      ["//storage/b", "//storage/b"],
      ["/./storage/b", "/./storage/b"],
      ["/x/../storage/b", "/x/../storage/b"],
    ] as const
  ) assert.equal(stripped(sent), known, sent);
  assert.equal(withoutBasePath("http://h/storage/x", ""), "http://h/storage/x");
  assert.equal(withoutBasePath("http://h", "/storage"), "http://h");
});

Deno.test("what an answer tells a browser of our paths has it", () => {
  const headers = new Headers({ location: "/login?next=%2Fb" });
  headers.append("set-cookie", "service_session=a; Path=/; SameSite=Lax; Max-Age=1; HttpOnly");
  headers.append("set-cookie", "service_unlock=b; Path=/s/code; SameSite=Lax; Max-Age=1");
  addBasePath(headers, "/storage");
  assert.equal(headers.get("location"), "/storage/login?next=%2Fb");
  assert.deepEqual(headers.getSetCookie(), [
    "service_session=a; Path=/storage; SameSite=Lax; Max-Age=1; HttpOnly",
    "service_unlock=b; Path=/storage/s/code; SameSite=Lax; Max-Age=1",
  ]);
  for (const location of ["https://idp.example/x", "//idp.example/x", "/storage/", "/storage/b"]) {
    const kept = new Headers({ location });
    addBasePath(kept, "/storage");
    assert.equal(kept.get("location"), location);
  }
  const plain = new Headers({ location: "/login" });
  addBasePath(plain, "");
  assert.equal(plain.get("location"), "/login");
});
