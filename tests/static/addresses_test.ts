import assert from "node:assert/strict";
import { options, type VNode } from "preact";
import { basePath, isBelowBase, setBase, withBase, withoutBase } from "../../static/lib/base.js";
import { completeLinks } from "../../static/lib/base_links.js";
import { html } from "../../static/lib/html.js";

const folder = new URL("../../static/", import.meta.url);

/** Where a module hands an address to the browser by itself: the argument has to be made complete there. */
const exits: readonly RegExp[] = [
  /\bfetch\((?!withBase\(|url\b|\))/,
  /\bnew EventSource\((?!withBase\()/,
  /\bsendBeacon\((?!withBase\()/,
  /\bnew (?:Shared)?Worker\((?!withBase\()/,
  /\bwindow\.open\((?!withBase\()/,
  /\brequest\.open\([\w"]+, (?!withBase\(|`\$\{url\}\?)/,
  /\blocation\.(?:assign|replace)\((?!withBase\(|url\))/,
  /\blocation\.href = /,
  /\bhistory\.(?:push|replace)State\([^;]*, "", (?!withBase\(|url\)|location\.href\))/,
  /\.(?:href|src|action) = (?!withBase\(|URL\.createObjectURL\(|new URL\(|url\b)/,
  /\bdocument\.cookie = (?![^;]*;[^;]*Path=\$\{basePath\(\) \|\| "\/"\})/,
  /\bBroadcastChannel\((?!withBase\()/,
  /\[href="(?!\$\{withBase\()/,
];

/** What only `lib/base.js` may look at: it has the base path in it. */
const entries: readonly RegExp[] = [/\blocation\.pathname\b/, /\blocation\.origin \+(?! basePath\(\))/];

/** Attributes with addresses that are not made complete. */
const unknownAttributes = /\s(?:xlink:href|srcset|data|formAction|ping|cite|background|manifest)=[$"]/;

async function* modules(path = ""): AsyncGenerator<[path: string, source: string]> {
  for await (const entry of Deno.readDir(new URL(path, folder))) {
    const below = path + entry.name;
    if (entry.isDirectory) yield* modules(`${below}/`);
    else if (below.endsWith(".js")) yield [below, await Deno.readTextFile(new URL(below, folder))];
  }
}

Deno.test("no module gives the browser an address without the base path, or takes one with it", async () => {
  const found: string[] = [];
  for await (const [path, source] of modules()) {
    const code = source.replaceAll(/^\s*(?:\/?\*.*|\/\/.*)$/gm, "");
    const rules = path === "lib/base.js" ? [] : [...exits, ...entries, unknownAttributes];
    // A message for people who are to help says which page it was about.
    const kept = path === "lib/toast_region.js" ? rules.filter((rule) => !entries.includes(rule)) : rules;
    for (const rule of kept) {
      const match = rule.exec(code);
      if (match !== null) found.push(`${path}: ${code.slice(match.index).split("\n")[0]}`);
    }
  }
  assert.deepEqual(found, []);
});

Deno.test("addresses in the markup are made complete, once, and nothing else is", () => {
  const before = options.vnode;
  setBase("/storage");
  completeLinks();
  try {
    assert.equal(basePath(), "/storage");
    const props = (node: VNode): Record<string, unknown> => node.props;
    for (
      const [written, complete] of [
        ["/", "/storage/"],
        ["/b/main?p=/storage/", "/storage/b/main?p=/storage/"],
        ["/storageX", "/storage/storageX"],
        ["/storage/b", "/storage/b"],
        ["//other.example/x", "//other.example/x"],
        ["https://other.example/x", "https://other.example/x"],
        ["blob:http://h/x", "blob:http://h/x"],
        ["#main", "#main"],
        ["?p=a", "?p=a"],
        ["", ""],
      ] as const
    ) {
      assert.equal(withBase(written), complete);
      assert.equal(props(html`<a href=${written}>x</a>`).href, complete);
      assert.equal(props(html`<img src=${complete} />`).src, complete);
    }
    assert.equal(props(html`<form action="/search" />`).action, "/storage/search");
    assert.equal(props(html`<a title="/b" href=${undefined} />`).title, "/b");
    // A component makes of an address what it likes.
    assert.equal(props(html`<${() => null} href="/b" />`).href, "/b");
    assert.equal(withoutBase("/storage"), "/");
    assert.equal(withoutBase("/storage/b"), "/b");
    assert.equal(withoutBase("/storageX/b"), "/storageX/b");
    assert.deepEqual(["/storage", "/storage/b", "/storageX", "/", "/b"].map(isBelowBase), [
      true,
      true,
      false,
      false,
      false,
    ]);
  } finally {
    setBase("");
    options.vnode = before;
  }
  assert.equal(withBase("/b"), "/b");
  assert.equal(withoutBase("/b"), "/b");
  assert.ok(isBelowBase("/b"));
});
