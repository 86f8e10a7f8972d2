// @ts-check
import { perLanguage, t } from "./i18n.js";

const number = perLanguage((language) => new Intl.NumberFormat(language));
const fixed = [0, 1, 2].map((digits) =>
  perLanguage((language) =>
    new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  )
);
const relative = perLanguage((language) =>
  new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" })
);
const shortDate = perLanguage((language) =>
  new Intl.DateTimeFormat(language, { year: "numeric", month: "short", day: "numeric" })
);
const dateTime = perLanguage((language) =>
  new Intl.DateTimeFormat(language, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  })
);

const time = perLanguage((language) =>
  new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
);

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const decimalUnits = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];

/** Whether sizes are written in powers of 1000. The server writes pages for several readers: it is not to be kept. */
let decimal = false;

/**
 * Sets whether sizes are written in powers of 1000, as disks are sold, from now on; else they are in powers of 1024.
 * @param {boolean} on
 */
export function setDecimalSizes(on) {
  decimal = on;
}

/** The units that sizes are written in, each {@link sizeStep} times the one before; the first is the byte. */
export function sizeUnits() {
  return decimal ? decimalUnits : units;
}

/** How many times a unit of size is the one before. */
export function sizeStep() {
  return decimal ? 1000 : 1024;
}

/**
 * A whole number with separators.
 * @param {number} value
 */
export function formatNumber(value) {
  return number().format(value);
}

/**
 * A size as number and unit apart, so that the unit can be dimmed.
 * @param {number} bytes
 * @returns {{ value: string, unit: string }}
 */
export function splitBytes(bytes) {
  const units = sizeUnits();
  const step = sizeStep();
  let unit = 0;
  let value = bytes;
  while (value >= step && unit < units.length - 1) {
    value /= step;
    unit++;
  }
  // 1023.99 KiB must not be shown as 1,024 KiB.
  if (unit > 0 && unit < units.length - 1 && value >= step - 0.5) {
    value = 1;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return { value: fixed[digits]().format(value), unit: units[unit] };
}

/**
 * A size, such as `3.42 MiB`.
 * @param {number} bytes
 */
export function formatBytes(bytes) {
  const { value, unit } = splitBytes(bytes);
  return `${value} ${unit}`;
}

/** @type {ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]>} */
const steps = [["minute", 60_000], ["hour", 3_600_000], ["day", 86_400_000]];

/**
 * A moment as seen from `now`, such as `5 min. ago`; a date when it is more than 30 days away.
 * @param {number} at milliseconds since the epoch
 * @param {number} now milliseconds since the epoch
 */
export function formatRelative(at, now) {
  const distance = at - now;
  const size = Math.abs(distance);
  if (size < 45_000) return t("common.just_now");
  if (size > 30 * 86_400_000) return shortDate().format(at);
  const [unit, length] = steps.findLast(([, length]) => size >= length * 0.95) ?? steps[0];
  return relative().format(Math.round(distance / length) || Math.sign(distance), unit);
}

/**
 * A moment with date, time and zone, in the reader's zone.
 * @param {number} at milliseconds since the epoch
 */
export function formatDateTime(at) {
  return dateTime().format(at);
}

/**
 * A moment within a day, as hours and minutes in the reader's zone: `17:02`.
 * @param {number} at milliseconds since the epoch
 */
export function formatTime(at) {
  return time().format(at);
}

/**
 * A moment in UTC, the same on the server and in every browser: `2026-11-21 14:02:09 UTC`.
 * @param {number} at milliseconds since the epoch
 */
export function formatUtc(at) {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/**
 * A length of time, such as `4 min 20 s`; no more than two units.
 * @param {number} seconds
 */
export function formatDuration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return joinUnits(Math.floor(whole / 60), "min", whole % 60, "s");
  if (whole < 86_400) return joinUnits(Math.floor(whole / 3600), "h", Math.floor(whole % 3600 / 60), "min");
  return joinUnits(Math.floor(whole / 86_400), "d", Math.floor(whole % 86_400 / 3600), "h");
}

/**
 * @param {number} first
 * @param {string} firstUnit
 * @param {number} second
 * @param {string} secondUnit
 */
function joinUnits(first, firstUnit, second, secondUnit) {
  return second === 0 ? `${first} ${firstUnit}` : `${first} ${firstUnit} ${second} ${secondUnit}`;
}

/**
 * A latency, such as `12 ms` or `1.4 s`.
 * @param {number} milliseconds
 */
export function formatLatency(milliseconds) {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${fixed[1]().format(milliseconds / 1000)} s`;
}
