/**
 * Whether a request is recorded in the audit. Reads that were answered with 2xx or 3xx are, as far as `random`, a number
 * from 0 up to 1, is below `rate`; everything else always is (the specification's third rule of events).
 */
export function isRecorded(method: string, status: number, rate: number, random: () => number): boolean {
  const isRead = method === "GET" || method === "HEAD";
  const isSampled = isRead && status >= 200 && status < 400;
  return !isSampled || (rate > 0 && random() < rate);
}
