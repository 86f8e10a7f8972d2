import type { CredentialScope } from "./canonical.ts";

/** Parses `KEY/YYYYMMDD/REGION/s3/aws4_request`; `undefined` for anything else. */
export function parseCredential(text: string): { accessKeyId: string; scope: CredentialScope } | undefined {
  const [accessKeyId, date, region, service, end, ...rest] = text.split("/");
  if (!accessKeyId || accessKeyId.length > 128 || !/^\d{8}$/.test(date ?? "")) return undefined;
  // Regions are names of the client's own choice, and DuckDB's is empty unless told; their signing keys are kept by them.
  if (!/^[\w.-]{0,64}$/.test(region ?? "/")) return undefined;
  if (service !== "s3" || end !== "aws4_request" || rest.length > 0) return undefined;
  return { accessKeyId, scope: { date, region, service } };
}

/** Parses `YYYYMMDD'T'HHMMSS'Z'` into milliseconds since the epoch; `undefined` for anything else. */
export function parseTime(text: string): number | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match.map(Number);
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  // Out of range, such as the 31st of February, it would mean another time.
  const isValid = month <= 12 && hour <= 23 && minute <= 59 && second <= 59 &&
    new Date(time).getUTCDate() === day;
  return isValid ? time : undefined;
}

/** Compares in a time that depends on the lengths alone, which are no secret. */
export function equalInConstantTime(expected: string, given: string): boolean {
  if (expected.length !== given.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index++) {
    difference |= expected.charCodeAt(index) ^ given.charCodeAt(index);
  }
  return difference === 0;
}
