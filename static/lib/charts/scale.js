// @ts-check
import { sizeStep } from "../format.js";

/**
 * The values at which lines go across a chart, from 0 up to a round one that is not below `max`; three to five of them.
 * @param {number} max the largest value that is shown
 * @param {{ bytes?: boolean }} [options] `bytes` for sizes: round is then what is round in the units that they are written in
 * @returns {number[]}
 */
export function ticksOf(max, { bytes = false } = {}) {
  const largest = Math.max(max, 1);
  const unit = bytes ? sizeStep() ** Math.floor(Math.log(largest) / Math.log(sizeStep())) : 1;
  const step = Math.max(roundStep(largest / unit / 3) * unit, 1);
  const count = Math.max(1, Math.ceil(largest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/**
 * The smallest of 1, 2, 2.5, 5, 10 … at any power of ten that is not below `value`.
 * @param {number} value
 */
function roundStep(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 2.5, 5, 10].find((step) => step * power >= value * 0.999) ?? 10);
}
