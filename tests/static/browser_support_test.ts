import assert from "node:assert/strict";

const folder = new URL("../../static/", import.meta.url);

/** What browsers that the README names lack, and how to do without it. */
const missing: Readonly<Record<string, RegExp>> = {
  "iteration over a stream (Safari): use a reader": /\bfor await\b|Symbol\.asyncIterator/,
  "methods of iterators: make an array first":
    /(?<!\bObject)\.(?:values|keys|entries|matchAll)\([^()]*\)\s*\.(?:map|filter|some|every|find|reduce|toArray|take|drop|forEach|flatMap)\(|\bIterator\.(?:from|concat|prototype)/,
  "methods of sets for other sets":
    /\.(?:union|difference|intersection|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(/,
  "younger functions":
    /\b(?:Promise\.try|Array\.fromAsync|RegExp\.escape|URL\.parse|Error\.isError|Math\.sumPrecise|Intl\.DurationFormat|ReadableStream\.from)\b|\.(?:getOrInsert|getOrInsertComputed|fromBase64|toBase64|fromHex|toHex|moveBefore)\(/,
  "modifiers within a regular expression": /\(\?[ims]*-?[ims]+:/,
  "using": /^\s*(?:await )?using \w+ =/m,
};

/** Programs that people are shown run elsewhere. */
const shownPrograms = "lib/credentials/program_snippets.js";

async function* sources(ending: string, path = ""): AsyncGenerator<[path: string, source: string]> {
  for await (const entry of Deno.readDir(new URL(path, folder))) {
    const below = path + entry.name;
    if (entry.isDirectory) yield* sources(ending, `${below}/`);
    else if (below.endsWith(ending)) yield [below, await Deno.readTextFile(new URL(below, folder))];
  }
}

Deno.test("modules use nothing that a browser which the README names lacks", async () => {
  const found: string[] = [];
  for await (const [path, source] of sources(".js")) {
    if (path === shownPrograms) continue;
    const code = source.replaceAll(/^\s*(?:\/?\*.*|\/\/.*)$/gm, "");
    for (const [what, pattern] of Object.entries(missing)) {
      const match = pattern.exec(code);
      if (match !== null) found.push(`${path}: ${what}: ${code.slice(match.index).split("\n")[0]}`);
    }
  }
  assert.deepEqual(found, []);
});

Deno.test("what cannot be marked as text cannot in Safari either", async () => {
  const marks = /^ *(-webkit-)?user-select: (\w+);$/gm;
  let count = 0;
  for await (const [path, source] of sources(".css")) {
    const [prefixed, plain] = [true, false].map((isPrefixed) =>
      [...source.matchAll(marks)].filter(([, prefix]) => (prefix !== undefined) === isPrefixed)
    );
    assert.deepEqual(prefixed.map(([, , value]) => value), plain.map(([, , value]) => value), path);
    assert.equal(source.match(/user-select:/g)?.length ?? 0, prefixed.length + plain.length, path);
    assert.doesNotMatch(source, /(?<!-webkit-user-select: \w+;\s*)(?<!-)\buser-select: \w+;/, path);
    count += plain.length;
  }
  assert.ok(count > 0);
});
