// @ts-check
import { sizeStep, sizeUnits } from "./format.js";

/** Units that a size can be given in, with their bytes: those that sizes are written in. */
export function byteUnits() {
  return sizeUnits().slice(1, 5).map((name, index) => ({ name, bytes: sizeStep() ** (index + 1) }));
}

/** The same, and bytes themselves. */
export function allByteUnits() {
  return [{ name: sizeUnits()[0], bytes: 1 }, ...byteUnits()];
}

/** A number that is larger is hard to read. */
const maxShown = 100_000;

/**
 * The largest unit in which a size has at most two decimals, is not below 1 and no long number; else the largest in which it
 * is not below 1; the third for what is smaller than all.
 * @param {number} size in bytes
 * @param {readonly { name: string, bytes: number }[]} units
 */
export function unitOf(size, units = byteUnits()) {
  const fits = units.findLast(({ bytes }) =>
    bytes <= size && size < maxShown * bytes && Number.isInteger(size / bytes * 100)
  );
  return (fits ?? units.findLast(({ bytes }) => size >= bytes) ?? units[2]).name;
}

/**
 * The bytes of a unit.
 * @param {string} unit
 * @returns {number}
 */
export function bytesOf(unit) {
  return allByteUnits().find(({ name }) => name === unit)?.bytes ?? 1;
}
