import assert from "node:assert/strict";

type Color = readonly [red: number, green: number, blue: number];

const sheet = await Deno.readTextFile(new URL("../../static/styles/00-tokens.css", import.meta.url));

/** Relative luminance, WCAG 2.2. */
function luminance(color: Color): number {
  const [red, green, blue] = color.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio, WCAG 2.2. */
function contrast(a: Color, b: Color): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

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
