import assert from "node:assert/strict";
import { StaticFiles } from "../../src/pages/static_files.ts";

const files = await StaticFiles.load();

function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Response {
  const response = files.respond(new Request(`http://localhost${path}`, { method, headers }), path);
  assert.ok(response, `${path} is not a static path`);
  return response;
}

async function texts(extension: string): Promise<[path: string, text: string][]> {
  const paths = files.paths.filter((path) => path.endsWith(extension));
  return await Promise.all(
    paths.map(async (path) => [path, await ask(files.url(path)).text()] as [string, string]),
  );
}

Deno.test("every file is served for a year under an address of its build", () => {
  assert.ok(files.paths.includes("app.css") && files.paths.includes("vendor/preact.js"));
  for (const path of files.paths) {
    const response = ask(files.url(path));
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(response.headers.get("vary"), "accept-encoding");
    assert.match(response.headers.get("content-type") ?? "", /^(text\/(css|javascript)|image\/)/, path);
  }
});

Deno.test("unknown files and other builds are not found, other paths are not ours", () => {
  for (
    const path of ["/static/", "/static/app.css", "/static/000000000000/app.css", files.url("app.css") + "x"]
  ) {
    assert.equal(ask(path).status, 404, path);
  }
  assert.equal(files.respond(new Request("http://localhost/api/me"), "/api/me"), null);
  assert.equal(ask(files.url("app.css"), {}, "POST").status, 405);
  assert.throws(() => files.url("missing.js"), TypeError);
});

Deno.test("gzip is sent to those who take it, and unpacks to the same bytes", async () => {
  const url = files.url("app.css");
  const plain = await ask(url).text();
  const packed = ask(url, { "accept-encoding": "br;q=1, gzip" });
  assert.equal(packed.headers.get("content-encoding"), "gzip");
  assert.ok(packed.body);
  const unpacked = await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).text();
  assert.equal(unpacked, plain);
  assert.equal(ask(url, { "accept-encoding": "gzip;q=0" }).headers.get("content-encoding"), null);
  assert.notEqual(ask(url).headers.get("etag"), packed.headers.get("etag"));
});

Deno.test("a known ETag is answered with 304 and HEAD without a body", async () => {
  const url = files.url("lib/boot.js");
  const etag = ask(url).headers.get("etag") ?? "";
  const again = ask(url, { "if-none-match": `"other", W/${etag}` });
  assert.equal(again.status, 304);
  assert.equal(again.headers.get("etag"), etag);
  const head = ask(url, {}, "HEAD");
  assert.equal(await head.text(), "");
  assert.ok(Number(head.headers.get("content-length")) > 0);
});

Deno.test("every import of every module is one of our own addresses", async () => {
  for (const [path, text] of await texts(".js")) {
    for (const [, specifier] of text.matchAll(/\b(?:from|import)\s*\(?\s*["']([\w@./-]+)["']/g)) {
      const target = new URL(specifier, `http://localhost${files.url(path)}`).pathname;
      assert.match(specifier, /^(\.{1,2}\/|\/static\/)/, `${path} imports ${specifier}`);
      assert.equal(ask(target).status, 200, `${path} imports ${specifier}`);
    }
  }
});

Deno.test("modules to preload are those that a module imports, however deep", () => {
  const urls = files.moduleUrls("lib/boot.js");
  assert.equal(urls[0], files.url("lib/boot.js"));
  for (const path of ["lib/api.js", "lib/scheduler.js", "vendor/preact.js", "vendor/signals-core.js"]) {
    assert.ok(urls.includes(files.url(path)), path);
  }
  assert.equal(new Set(urls).size, urls.length);
});

Deno.test("nothing is loaded from another host", async () => {
  // Names of services that an administrator may choose, and the name of the SVG vocabulary: never fetched.
  const allowed = /https?:\/\/(www\.w3\.org\/2000\/svg|localhost|s3\.|\{account\})/;
  for (const [path, text] of [...await texts(".js"), ...await texts(".css"), ...await texts(".svg")]) {
    if (path.startsWith("vendor/")) continue;
    for (const [url] of text.matchAll(/(?:https?:)?\/\/[\w{][\w.{}-]*\.[\w./{}-]+|https?:\/\/[^\s"'`)]+/g)) {
      assert.match(url, allowed, `${path} names ${url}`);
    }
    if (path.endsWith(".css")) assert.doesNotMatch(text, /@import|url\(/, path);
  }
});

Deno.test("no script reaches for an HTML sink or for eval", async () => {
  const sinks =
    /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function/;
  for (const [path, text] of await texts(".js")) {
    if (!path.startsWith("vendor/")) assert.doesNotMatch(text, sinks, path);
  }
});

Deno.test("comments are left out of modules, and nothing else is", async () => {
  const source = await Deno.readTextFile(new URL("../../static/lib/keys.js", import.meta.url));
  const served = await ask(files.url("lib/keys.js")).text();
  assert.doesNotMatch(served, /^\s*(\/\/|\*|\/\*\*)/m);
  const code = (text: string) =>
    text.split("\n").map((line) => line.trim()).filter((line) => !/^(\/\/|\/?\*)/.test(line) && line !== "");
  assert.deepEqual(code(served), code(source));
});

Deno.test("scripts and styles stay small", () => {
  const sizeOf = (path: string) =>
    Number(ask(files.url(path), { "accept-encoding": "gzip" }).headers.get("content-length"));
  const sizeOfAll = (ending: string) =>
    files.paths.filter((path) => path.endsWith(ending)).reduce((sum, path) => sum + sizeOf(path), 0);
  // Of all pages together, most of it loaded when it is first needed; a test in the browser holds each page to its own.
  const scripts = sizeOfAll(".js");
  assert.ok(scripts < 160_000, `all scripts take ${scripts} bytes`);
  assert.ok(sizeOf("share/page.js") < 6_000, "the recipient's page has no framework");
  const styles = sizeOfAll(".css");
  assert.ok(styles < 14_000, `the style sheets take ${styles} bytes`);
});
