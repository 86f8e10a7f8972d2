import { hasDotSegment, requirePrefix } from "../backends/names.ts";
import { Problem } from "../problem.ts";

/**
 * Checks the prefix of objects that are to be written or deleted. Besides `requirePrefix`, no folder in it is `.` or `..`:
 * no key below could be written. Throws 400 `invalid_prefix`.
 */
export function requireChangeablePrefix(prefix: string): void {
  requirePrefix(prefix);
  if (hasDotSegment(prefix.slice(0, prefix.lastIndexOf("/") + 1).replace(/\/$/, ""))) {
    throw new Problem(400, "invalid_prefix", 'A prefix must not have a folder "." or "..".');
  }
}
