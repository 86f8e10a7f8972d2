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

/** A script without the modules of libraries in it. */
function ours(script: string): string {
  return script.split(/^(?=\$define)/m).filter((module) => !module.startsWith('$define("vendor/')).join("");
}

Deno.test("every file is served for a year under an address of its build", () => {
  assert.ok(
    files.paths.includes("app.css") && files.paths.includes("en/core.js") &&
      files.paths.includes("de/core.js"),
  );
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
  const url = files.url("en/core.js");
  const etag = ask(url).headers.get("etag") ?? "";
  const again = ask(url, { "if-none-match": `"other", W/${etag}` });
  assert.equal(again.status, 304);
  assert.equal(again.headers.get("etag"), etag);
  const head = ask(url, {}, "HEAD");
  assert.equal(await head.text(), "");
  assert.ok(Number(head.headers.get("content-length")) > 0);
});

Deno.test("a script imports nothing but the first one of its language, and the shared one", async () => {
  for (const [path, text] of await texts(".js")) {
    for (const [, specifier] of text.matchAll(/^import (?:.* from )?"([^"]+)";$/gm)) {
      const target = new URL(specifier, `http://localhost${files.url(path)}`).pathname;
      const [folder] = path.split("/");
      // The recipients' pages have a script of few files, which nobody puts together.
      const allowed = folder === "share"
        ? ["share/part.js", "share/preview.js", "share/row.js", "share/sending.js"]
        : [`${folder}/core.js`, `${folder}/shared.js`];
      assert.ok(allowed.map((file) => files.url(file)).includes(target), path);
    }
  }
});

Deno.test("what a script asks for later is there", async () => {
  for (const [path, text] of await texts(".js")) {
    const [language] = path.split("/");
    if (language === "share") continue;
    const core = await ask(files.url(`${language}/core.js`)).text();
    for (const [, module] of text.matchAll(/\$load\("([^"]+)"\)/g)) {
      const isThere = files.paths.includes(`${language}/${module}`) || core.includes(`$define("${module}"`);
      assert.ok(isThere, `${path} asks for ${module}`);
    }
  }
});

Deno.test("a page loads the first script of its language, and those of its modules that are files", () => {
  assert.deepEqual(files.moduleUrls("de", ["islands/me.js", "lib/api.js"]), [
    files.url("de/core.js"),
    files.url("de/islands/me.js"),
  ]);
});

Deno.test("nothing is loaded from another host", async () => {
  // Names of services that an administrator may choose, and the name of the SVG vocabulary: never fetched.
  const allowed =
    /https?:\/\/(www\.w3\.org\/2000\/svg|localhost|s3\.|\{account\}|(?:[\w-]+\.)?example\.com|www\.apple\.com\/DTDs)/;
  for (const [path, text] of [...await texts(".js"), ...await texts(".css"), ...await texts(".svg")]) {
    for (
      const [url] of ours(text).matchAll(
        /(?<=["'`\s(])(?:https?:)?\/\/[\w{][\w.{}-]*\.[\w./{}-]+|https?:\/\/[^\s"'`)]+/g,
      )
    ) {
      assert.match(url, allowed, `${path} names ${url}`);
    }
    if (path.endsWith(".css")) assert.doesNotMatch(text, /@import|url\(/, path);
  }
});

Deno.test("no script reaches for an HTML sink or for eval", async () => {
  const sinks =
    /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function/;
  for (const [path, text] of await texts(".js")) {
    assert.doesNotMatch(ours(text), sinks, path);
  }
});

Deno.test("comments are left out of scripts", async () => {
  for (const [path, text] of await texts(".js")) {
    assert.doesNotMatch(ours(text), /^\s*(\/\/|\*\s)|\/\*\*/m, path);
  }
});

Deno.test("scripts and styles stay small", () => {
  const sizeOf = (path: string) =>
    Number(ask(files.url(path), { "accept-encoding": "gzip" }).headers.get("content-length"));
  const sizeOfAll = (ending: string) =>
    files.paths.filter((path) => path.endsWith(ending) && !path.startsWith("de/"))
      .reduce((sum, path) => sum + sizeOf(path), 0);
  for (const path of files.paths.filter((path) => path.startsWith("en/islands/"))) {
    assert.ok(sizeOf(path) < 30_000, `${path} takes ${sizeOf(path)} bytes`);
  }
  // Nearly all of it is loaded when it is first needed; a test in the browser holds pages to what they load at once.
  const scripts = sizeOfAll(".js");
  assert.ok(scripts < 585_000, `all scripts take ${scripts} bytes`);
  for (
    const scripts of [["page.js", "preview.js", "part.js"], ["upload.js", "row.js", "part.js", "sending.js"]]
  ) {
    const size = scripts.reduce((sum, script) => sum + sizeOf(`share/${script}`), 0);
    assert.ok(size < 6 * 1024, `the recipient's pages have no framework: ${scripts} take ${size} bytes`);
  }
  for (const part of ["admin.css", "settings.css", "share.css"]) {
    const styles = sizeOf("app.css") + sizeOf("pages.css") + sizeOf(part);
    assert.ok(styles < 14_000, `the style sheets of a page with ${part} take ${styles} bytes`);
  }
});
