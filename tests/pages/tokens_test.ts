import assert from "node:assert/strict";
import { type Color, contrast } from "../support/contrast.ts";

const sheet = await Deno.readTextFile(new URL("../../static/styles/00-tokens.css", import.meta.url));

function token(name: string, theme: "light" | "dark"): Color {
  const match = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(sheet);
  assert.ok(match, `--${name} has no light and dark value`);
  const hex = match[theme === "light" ? 1 : 2];
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Color;
}

/** Text and what it stands on. */
const textPairs: [string, string[]][] = [
  ["fg", ["canvas", "surface", "sunken", "hover", "select", "ok-bg", "warn-bg", "bad-bg", "info-bg"]],
  ["fg-2", ["canvas", "surface", "sunken", "hover", "select", "bad-bg"]],
  ["fg-3", ["canvas", "surface", "sunken", "hover", "select"]],
  ["accent", ["canvas", "surface", "hover", "select"]],
  ["on-accent", ["accent", "accent-strong"]],
  ["on-bad", ["bad", "bad-strong"]],
  ["ok", ["ok-bg"]],
  ["warn", ["warn-bg"]],
  ["bad", ["bad-bg", "canvas", "surface", "hover"]],
  ["info", ["info-bg"]],
];

/** Borders of controls and marks, and what they stand on. */
const markPairs: [string, string[]][] = [
  ["control", ["canvas", "surface"]],
  ["accent", ["surface", "canvas", "hover"]],
  ["bad", ["surface", "canvas", "hover"]],
  ["ok", ["surface", "select"]],
];

for (const theme of ["light", "dark"] as const) {
  Deno.test(`text and marks have the contrast of WCAG 2.2 AA in the ${theme} theme`, () => {
    const check = (pairs: [string, string[]][], least: number) => {
      for (const [front, backs] of pairs) {
        for (const back of backs) {
          const ratio = contrast(token(front, theme), token(back, theme));
          assert.ok(ratio >= least, `${front} on ${back}: ${ratio.toFixed(2)}`);
        }
      }
    };
    check(textPairs, 4.5);
    check(markPairs, 3);
  });
}

Deno.test("no sheet but the tokens names a colour", async () => {
  for (const { name, text } of await sheets()) {
    assert.doesNotMatch(text, /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)\(/i, name);
  }
});

Deno.test("no sheet says left or right, so that pages can be mirrored for scripts from right to left", async () => {
  for (const { name, text } of await sheets()) {
    const physical = /(?:^|[\s;{-])(?:left|right)\s*:|(?:float|clear|text-align)\s*:\s*(?:left|right)/;
    assert.doesNotMatch(text, physical, name);
  }
});

Deno.test("where motion is to be reduced, nothing that moves takes time", async () => {
  const [, reduced = ""] = /prefers-reduced-motion: reduce\) \{([^}]*)\}/.exec(sheet) ?? [];
  for (const [, name] of sheet.matchAll(/(--\w+): [1-9]\d*ms;/g)) {
    assert.ok(reduced.includes(`${name}: 0ms;`), name);
  }
  for (const { name, text } of await sheets()) {
    const hasOwnRule = /prefers-reduced-motion: reduce\)[^}]*animation: none/.test(text);
    for (const [rule] of text.matchAll(/transition: [^;]+;|animation: [^;]*\binfinite\b[^;]*;/g)) {
      assert.ok(hasOwnRule || !/\d\.?\d*m?s\b/.test(rule), `${name}: ${rule}`);
    }
  }
});

/** Sizes of letters with the heights of their lines, in CSS pixels. */
const typeScale = new Set(["11/16", "12/16", "13/20", "14/20", "16/24", "20/28", "28/32"]);

/** Those of code, whose lines stand under one another. */
const codeScale = new Set(["12/18", "12/20"]);

Deno.test("letters have the sizes, heights of line and weights of the type scale", async () => {
  for (const { name, text } of await sheets()) {
    for (const [, selector, rule] of text.matchAll(/([^{};]+)\{([^{}]*)\}/g)) {
      const where = `${name}: ${selector.trim()}`;
      const [, both, family] = /font: (?:\d+ )?(\d+px\/\S+) (\S+);/.exec(rule) ?? [];
      const [, size] = /font-size: (\d+px);/.exec(rule) ?? [];
      // Without one of its own, lines are as high as the page's.
      const [, height = "20px"] = /line-height: ([^;]+);/.exec(rule) ?? [];
      const used = (both ?? (size && `${size}/${height}`))?.replaceAll("px", "");
      const isCode = family === "var(--mono)" && codeScale.has(used ?? "");
      assert.ok(used === undefined || isCode || typeScale.has(used), `${where}: ${used}`);
      for (const [, weight] of rule.matchAll(/font(?:-weight)?: (\w+)(?= \d+px|;)/g)) {
        assert.match(weight, /^(400|500|600|inherit)$/, where);
      }
    }
  }
});

/** Every sheet but that of the tokens. */
async function sheets(
  folder = new URL("../../static/styles/", import.meta.url),
): Promise<{ name: string; text: string }[]> {
  const found = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await sheets(new URL(`${name}/`, folder)));
    else if (!name.startsWith("00-")) {
      found.push({ name, text: await Deno.readTextFile(new URL(name, folder)) });
    }
  }
  return found;
}
