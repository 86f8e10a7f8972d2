const unitMilliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Parses a duration such as `8h`, `1h30m`, `1.5s`, `-1m` or a bare `0`. The units are `ms`, `s`, `m`, `h` and `d`.
 * Returns whole milliseconds, rounded to the nearest, or `null` for anything else.
 */
export function parseDuration(text: string): number | null {
  const match = /^([+-]?)((?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+)$/.exec(text);
  if (match === null) return text === "0" ? 0 : null;
  let total = 0;
  for (const [, amount, unit] of match[2].matchAll(/([\d.]+)(ms|s|m|h|d)/g)) {
    total += Number(amount) * unitMilliseconds[unit];
  }
  const rounded = Math.round(total);
  if (!Number.isSafeInteger(rounded)) return null;
  return match[1] === "-" && rounded !== 0 ? -rounded : rounded;
}
