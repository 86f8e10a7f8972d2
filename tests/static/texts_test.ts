import assert from "node:assert/strict";
import { catalogues, forReader, languageOf, speaking } from "../../src/pages/language.ts";
import { pseudoCatalogue } from "../../src/pages/pseudo_language.ts";
import { knownCodes } from "../../static/lib/error_texts.js";
import { formatBytes } from "../../static/lib/format.js";
import { rich, t } from "../../static/lib/i18n.js";
import { keyNames } from "../../static/lib/key_names.js";

/** The sources whose texts people see in a browser, but the catalogues themselves. */
const sources = new Map<string, string>();
for (const folder of ["static/islands", "static/lib", "src/pages"]) await collect(folder);

async function collect(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) await collect(path);
    else if (/\.(?:js|ts)$/.test(name)) sources.set(path, withoutComments(await Deno.readTextFile(path)));
  }
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*\*[^]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
}

/** The HTML of every template in a source, with what is filled in left out. */
function templates(source: string): string[] {
  const found: string[] = [];
  const readTemplate = (from: number, isHtml: boolean): number => {
    let text = "";
    let at = from;
    for (; at < source.length && source[at] !== "`"; at++) {
      if (source.startsWith("${", at)) at = readCode(at + 2);
      else text += source[at];
    }
    if (isHtml) found.push(text);
    return at;
  };
  const readCode = (from: number): number => {
    let depth = 0;
    let at = from;
    for (; at < source.length; at++) {
      const character = source[at];
      if (character === '"' || character === "'") at = endOfString(source, at);
      else if (character === "`") at = readTemplate(at + 1, source.endsWith("html", at));
      else if (character === "{") depth++;
      else if (character === "}" && depth-- === 0) break;
    }
    return at;
  };
  readCode(0);
  return found;
}

function endOfString(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source[at] !== source[start] && source[at] !== "\n") {
    at += source[at] === "\\" ? 2 : 1;
  }
  return at;
}

/** What is the same in every language: names of products and formats, examples of what is typed in. */
const technical = new RegExp(
  "^(?:CSV|ok|Ctrl K|Amazon S3|Backblaze B2|Cloudflare R2|Google Cloud Storage|STANDARD_IA|" +
    "[a-z-]+\\/|[a-z-]+(?:, [a-z-]+)*|[a-z]+=[a-z]+|https:\\/\\/\\S+|arn:\\S+|text\\/plain; charset=utf-8)$",
);

function placeholders(message: unknown): string[] {
  const forms = typeof message === "string" ? [message] : Object.values(message as Record<string, string>);
  return [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();
}

Deno.test("texts: German has what English has, with the same places to fill in", () => {
  assert.deepEqual(Object.keys(catalogues.de).sort(), Object.keys(catalogues.en).sort());
  for (const [key, message] of Object.entries(catalogues.en)) {
    const german = catalogues.de[key as keyof typeof catalogues.de];
    assert.deepEqual(placeholders(german), placeholders(message), key);
    assert.notEqual(JSON.stringify(german), '""', `${key} is empty`);
  }
});

Deno.test("texts: every code of an error has a sentence", async () => {
  const thrown = new Set<string>();
  for (const source of await serverSources()) {
    const codes = [
      ...source.matchAll(/new Problem\(\s*[\w.]+,\s*"([a-z_]+)"/g),
      ...source.matchAll(/\b(?:conflict|tooMany)\(\s*[^;]*?,\s*"([a-z_]+)"\s*[,)]/g),
      ...source.matchAll(/\[\s*[45]\d\d,\s*"([a-z_]+)",/g),
      ...source.matchAll(/\binvalid: "([a-z_]+)"/g),
      ...source.matchAll(/^ {2}(?:revoked|suspended|expired|exhausted): \["([a-z_]+)",/gm),
    ];
    for (const [, code] of codes) thrown.add(code);
  }
  for (const code of ["bad_request", "forbidden", "not_found", "rate_limited", "too_large", "exhausted"]) {
    assert.ok(thrown.has(code), `${code} is found among what is thrown`);
  }
  assert.deepEqual([...thrown].filter((code) => !knownCodes.includes(code)).sort(), []);
  const ours = ["network"];
  assert.deepEqual(knownCodes.filter((code) => !thrown.has(code) && !ours.includes(code)), []);
});

/** The server's sources that throw what clients of the API are told, but for the S3 endpoint, which has errors of its own. */
async function serverSources(folder = "src"): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await serverSources(path));
    else if (path.endsWith(".ts")) found.push(withoutComments(await Deno.readTextFile(path)));
  }
  return found;
}

Deno.test("texts: the language that nobody speaks is longer, with the same places to fill in", () => {
  const pseudo = pseudoCatalogue(catalogues.en);
  for (const [key, message] of Object.entries(catalogues.en)) {
    assert.deepEqual(placeholders(pseudo[key]), placeholders(message), key);
    assert.ok(JSON.stringify(pseudo[key]).length >= 1.4 * JSON.stringify(message).length - 20, key);
  }
  assert.equal(pseudo["common.cancel"], "[Çååñçééļ~]");
  assert.deepEqual(pseudo["common.files"], { one: "[{n} ƒîîļéé~~]", other: "[{n} ƒîîļééš~~]" });
});

Deno.test("texts: each is in use", () => {
  const all = [...sources.values()].join("\n");
  const named = new Set(all.match(/(?<=["'])[a-z_0-9]+(?:\.[a-z_0-9]+)+(?=["'])/g));
  assert.deepEqual(Object.keys(catalogues.en).filter((key) => !named.has(key)), []);
});

/** Texts of which `find` finds any in a source, but those that are technical. */
function leftovers(find: (source: string) => string[]): string[] {
  return [...sources].flatMap(([path, source]) =>
    find(source).map((text) => text.trim().replaceAll(/\s+/g, " "))
      .filter((text) => /[A-Za-z]{2}/.test(text) && !technical.test(text))
      .map((text) => `${path}: ${text}`)
  );
}

Deno.test("texts: none stands in a template outside the catalogues", () => {
  const attribute = /\s(?:aria-label|title|placeholder|label|alt)="([^"]*)"/g;
  const literal = /<(kbd|code)\b[^]*?<\/\1>/g;
  const found = leftovers((source) =>
    templates(source).flatMap((template) => [
      ...[...template.matchAll(attribute)].map(([, text]) => text),
      template.replaceAll(literal, " ").replaceAll(/<[^<>]*>/g, " "),
    ])
  );
  assert.deepEqual(found, []);
});

Deno.test("texts: no sentence stands in a string outside the catalogues", () => {
  // What the API and the program's log say is in English.
  const notForPages = /(?:Error|notFound|Response)\(\s*$|summary:\s*$/;
  const sentence = /["`]([A-Z][a-z’']+(?: [\w’'${}.]+)+[^"`\n]*)["`]/g;
  const found = leftovers((source) =>
    [...source.matchAll(sentence)]
      .filter(({ index }) => !notForPages.test(source.slice(0, index)))
      .map(([, text]) => text)
  );
  assert.deepEqual(found, []);
});

Deno.test("texts: counts, numbers and elements are filled in as the language does", () => {
  speaking("de", () => {
    assert.equal(t("common.objects", { n: 1 }), "1 Objekt");
    assert.equal(t("common.objects", { n: 12_000 }), "12.000 Objekte");
    assert.equal(formatBytes(1536), "1,50 KiB");
    assert.deepEqual(rich("common.as_of", { time: 7 }), ["Stand ", "7", ""]);
  });
  assert.equal(t("common.objects", { n: 12_000 }), "12,000 objects");
});

Deno.test("texts: keys are called as on a keyboard of the language", () => {
  assert.deepEqual(["ArrowRight", "ArrowLeft", "Backspace", "g o"].map(keyNames), [
    ["→"],
    ["←"],
    ["Backspace"],
    ["g", "o"],
  ]);
  speaking("de", () => assert.deepEqual(keyNames("Backspace"), ["Rücktaste"]));
});

Deno.test("texts: the language is the chosen one, else that which the browser likes best, else English", () => {
  const languageFor = (headers: Record<string, string>) => languageOf(new Headers(headers));
  assert.equal(languageFor({}), "en");
  assert.equal(languageFor({ "accept-language": "fr, de-AT;q=0.5, en;q=0.4" }), "de");
  assert.equal(languageFor({ "accept-language": "de;q=0, en" }), "en");
  assert.equal(languageFor({ "accept-language": "DE" }), "de");
  assert.equal(languageFor({ "accept-language": "de", cookie: "ui_language=en" }), "en");
  assert.equal(languageFor({ cookie: "ui_language=__proto__" }), "en");
  assert.equal(languageFor({ "accept-language": "en-XA" }), "en", "nobody speaks it");
});

Deno.test("texts: no other site puts a reader into the language that nobody speaks", () => {
  const cookieFor = (headers: HeadersInit) => {
    const request = new Request("http://localhost/login?lang=xx", { headers });
    return forReader(request, () => new Response(t("common.cancel"))).headers.get("set-cookie");
  };
  assert.equal(cookieFor({ "sec-fetch-site": "cross-site" }), null);
  assert.match(cookieFor({ "sec-fetch-site": "none" }) ?? "", /^ui_language=en-XA;/);
});
