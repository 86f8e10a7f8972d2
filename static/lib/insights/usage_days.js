// @ts-check

/** Over how many days the charts can go; the first one is what they show unless told. */
export const usageDays = /** @type {const} */ ([30, 90, 365]);

/**
 * One step a day up to today (UTC), as the samples are; `null` where there is none.
 * @template {{ day: string }} Sample
 * @param {readonly Sample[]} samples
 * @param {number} days
 * @param {number} now milliseconds since the epoch
 * @returns {Array<{ day: string, sample: Sample | null }>}
 */
export function daysUntil(samples, days, now) {
  const byDay = new Map(samples.map((sample) => [sample.day, sample]));
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(now - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return { day, sample: byDay.get(day) ?? null };
  });
}
