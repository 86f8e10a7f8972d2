const dayMs = 24 * 60 * 60_000;

/** The UTC day of a time in milliseconds since the epoch, as `YYYY-MM-DD`, or that of `offset` days later. */
export function dayOf(time: number, offset = 0): string {
  return new Date(time + offset * dayMs).toISOString().slice(0, 10);
}
