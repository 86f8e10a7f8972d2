// @ts-check

/**
 * What tells assistive technology that a chart is read step by step, and at which step it is.
 * @param {{ label: string, steps: readonly string[], at: number }} reading `steps` in words; `at` one of them
 */
export function stepAttributes({ label, steps, at }) {
  return {
    "role": "slider",
    "tabindex": 0,
    "aria-label": label,
    "aria-orientation": "horizontal",
    "aria-valuemin": 1,
    "aria-valuemax": Math.max(1, steps.length),
    "aria-valuenow": Math.max(1, at + 1),
    "aria-valuetext": steps[at] ?? "",
  };
}

/**
 * The step that a key leads to; `null` for a key that leads nowhere. Without a step, reading begins with the last.
 * @param {string} key
 * @param {number} at -1 for none
 * @param {number} count
 */
export function stepAfterKey(key, at, count) {
  const last = count - 1;
  const from = at < 0 ? last : at;
  const far = Math.max(1, Math.round(count / 10));
  /** @type {Record<string, number>} */
  const steps = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageDown: from - far,
    PageUp: from + far,
    Home: 0,
    End: last,
  };
  return Object.hasOwn(steps, key) ? Math.max(0, Math.min(last, steps[key])) : null;
}
