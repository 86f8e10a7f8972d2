import assert from "node:assert/strict";
import { bundle } from "../../src/pages/modules/bundle.ts";

const registry = await Deno.readTextFile(new URL("../../static/modules.js", import.meta.url));

/** Puts modules together as the pages' are, and runs the first file. */
async function run(
  sources: Record<string, string>,
  { texts = {}, start = '$need("main.js").main();' }: { texts?: Record<string, string>; start?: string } = {},
): Promise<{ files: Map<string, string>; result: unknown }> {
  const i18n = `export function setLanguage(language, texts) { globalThis.said = { language, texts }; }
export function addMessages(texts) { Object.assign(globalThis.said.texts, texts); }`;
  const bundled = await bundle({
    sources: new Map(Object.entries({ ...sources, "lib/i18n.js": i18n })),
    libraries: { "library": "vendor/library.js" },
    registry,
    roots: ["main.js", "lib/i18n.js"],
    pages: "pages/",
    start,
  });
  const files = bundled.files("xx", texts);
  const directory = await Deno.makeTempDir();
  try {
    for (const [path, source] of files) {
      await Deno.mkdir(new URL(".", `file://${directory}/${path}`), { recursive: true });
      await Deno.writeTextFile(`${directory}/${path}`, source);
    }
    const scope = globalThis as { result?: unknown; said?: unknown };
    await import(`file://${directory}/xx/core.js`);
    return { files, result: await scope.result };
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("modules: every form of import and export that the sources use works in one file", async () => {
  const { result, files } = await run({
    "main.js": `import "./effect.js";
import { constant as renamed } from "./forms.js";
import whole from "library";
import * as all from "./forms.js";
import { again, outer } from "./relay.js";
export function main() {
  globalThis.result = [globalThis.effect, whole(2), renamed, all.Shape.name, all.text, again, outer];
}`,
    "effect.js": "globalThis.effect = 'ran';",
    "forms.js": `export const constant = 1;
export class Shape {}
export async function later() {}
const hidden = "export { nothing } from 'nowhere'";
export { hidden as text };`,
    "relay.js": `import { constant } from "./forms.js";
export { constant as again };
export { constant as outer } from "./forms.js";`,
    "vendor/library.js": "export default function(n){return n*2}",
  });
  assert.deepEqual(result, ["ran", 4, 1, "Shape", "export { nothing } from 'nowhere'", 1, 1]);
  assert.deepEqual([...files.keys()], ["xx/core.js"]);
});

Deno.test("modules: what is imported later has a file of its own, without what is there already", async () => {
  const { result, files } = await run({
    "main.js": `import { base } from "./base.js";
export function main() { globalThis.result = work(); }
async function work() {
  const name = "one";
  const { one } = await import(\`./parts/\${name}.js\`);
  const { two } = await import("./parts/two.js");
  return [base, one, two, await import("./parts/two.js") === await import("./parts/two.js")];
}`,
    "base.js": "export const base = 'base';",
    "shared.js": "globalThis.runs = (globalThis.runs ?? 0) + 1; export const shared = globalThis.runs;",
    "parts/one.js": `import { base } from "../base.js";
import { shared } from "../shared.js";
export const one = base + shared;`,
    "parts/two.js": `import { shared } from "../shared.js";
export const two = shared;`,
  });
  assert.deepEqual(result, ["base", "base1", 1, true], "a module runs once, whichever file brings it");
  assert.deepEqual([...files.keys()].sort(), ["xx/core.js", "xx/parts/one.js", "xx/parts/two.js"]);
  assert.doesNotMatch(files.get("xx/parts/one.js") ?? "", /\$define\("base.js"/);
});

Deno.test("modules: what many files need is in one that they share, but for pages", async () => {
  const names = ["one", "two", "three", "four"];
  const parts = names.map((name) =>
    [`parts/${name}.js`, 'import { many } from "../many.js"; export const value = many;'] as const
  );
  const { result, files } = await run({
    "main.js": `export function main() { globalThis.result = work(); }
async function work() {
  const parts = await Promise.all(${JSON.stringify(names)}.map((name) => import(\`./parts/\${name}.js\`)));
  return [...parts, await import("./pages/home.js")].map(({ value }) => value);
}`,
    "many.js":
      "globalThis.manyRuns = (globalThis.manyRuns ?? 0) + 1; export const many = globalThis.manyRuns;",
    "pages/home.js": 'import { many } from "../many.js"; export const value = many;',
    ...Object.fromEntries(parts),
  });
  assert.deepEqual(result, [1, 1, 1, 1, 1]);
  const withMany = [...files].filter(([, source]) => source.includes('$define("many.js"')).map(([path]) =>
    path
  );
  assert.deepEqual(withMany.sort(), ["xx/pages/home.js", "xx/shared.js"]);
});

Deno.test("modules: a file has the texts that its modules name", async () => {
  const { result, files } = await run({
    "main.js": `export const title = "page.title";
export function main() { globalThis.result = import("./more.js").then(() => globalThis.said); }`,
    "more.js": 'export const labels = { one: "page.more", two: "page.title", not: "page.unknown" };',
  }, { texts: { "page.title": "Title", "page.more": "More", "page.other": "Other" } });
  assert.deepEqual(result, { language: "xx", texts: { "page.title": "Title", "page.more": "More" } });
  assert.doesNotMatch(files.get("xx/more.js") ?? "", /Title/, "not a second time");
});

Deno.test("modules: those that import each other, or what is not there, are refused", async () => {
  const circle = {
    "main.js": 'import "./a.js"; export function main() {}',
    "a.js": 'import "./b.js";',
    "b.js": 'import "./a.js";',
  };
  await assert.rejects(run(circle), /import each other: main.js → a.js → b.js → a.js/);
  await assert.rejects(
    run({ "main.js": 'import "./gone.js";' }),
    /main.js imports gone.js, which is not there/,
  );
  const later = { "main.js": 'export const main = () => import("./gone.js");' };
  await assert.rejects(run(later), /main.js imports gone.js, which is not there/);
  await assert.rejects(run({ "main.js": 'import "elsewhere";' }), /which browsers are not sent/);
});
