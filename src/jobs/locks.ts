import type { JobLock } from "./job.ts";

/** How much a lock keeps others from: two collide when one of them writes. */
const strengths = { read: 1, write: 2 } as const;

/** Neither side has a lock there. */
const none: readonly number[] = [0, 0];

/** Locks in the order in which {@link collide} goes through them, which spares it the most of its work. */
export function inOrder(locks: readonly JobLock[]): JobLock[] {
  return [...locks].sort(compare);
}

/**
 * Whether two jobs with these locks would get in each other's way. Each may have thousands, one for each selected object:
 * they are gone through in order, since comparing each with each would hold up everybody.
 */
export function collide(first: readonly JobLock[], second: readonly JobLock[]): boolean {
  const sides = [first, second].flatMap((locks, side) => locks.map((lock) => ({ lock, side })));
  sides.sort((one, other) => compare(one.lock, other.lock));
  /** Locks that hold the next one's prefix, the widest first, with what either side has of them and of those around them. */
  const around: { readonly lock: JobLock; readonly held: readonly number[] }[] = [];
  for (const { lock, side } of sides) {
    for (let last = around.at(-1); last !== undefined && !holds(last.lock, lock); last = around.at(-1)) {
      around.pop();
    }
    const held = around.at(-1)?.held ?? none;
    const strength = strengths[lock.mode];
    const others = held[1 - side];
    if (others > 0 && others + strength > strengths.write) return true;
    around.push({ lock, held: held.with(side, Math.max(held[side], strength)) });
  }
  return false;
}

/** By place, and then by prefix, so that what a lock holds follows it. */
function compare(one: JobLock, other: JobLock): number {
  return compareTexts(one.backend, other.backend) || compareTexts(one.bucket, other.bucket) ||
    compareTexts(one.prefix, other.prefix);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function holds(wide: JobLock, { backend, bucket, prefix }: JobLock): boolean {
  return wide.backend === backend && wide.bucket === bucket && prefix.startsWith(wide.prefix);
}
