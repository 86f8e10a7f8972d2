import type { JobLock } from "./job.ts";

/** Whether two jobs with these locks would get in each other's way. */
export function collide(first: readonly JobLock[], second: readonly JobLock[]): boolean {
  return first.some((one) => second.some((other) => overlap(one, other)));
}

function overlap(one: JobLock, other: JobLock): boolean {
  if (one.backend !== other.backend || one.bucket !== other.bucket) return false;
  if (one.mode === "read" && other.mode === "read") return false;
  return one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix);
}
