// @ts-check
import { formatDateTime } from "../format.js";
import { t } from "../i18n.js";

/** @import { MessageKey } from "../i18n.js" */
/** @import { JobFailure } from "./job.js" */

/** The code of what failed because its version is locked. */
const code = "object_locked";

/** What can be done about a retention, by its mode. @type {Readonly<Record<string, MessageKey>>} */
const advices = { COMPLIANCE: "jobs.locked_compliance", GOVERNANCE: "jobs.locked_governance" };

/**
 * Whether something failed because its version is locked.
 * @param {Pick<JobFailure, "code">} failure
 */
export function isLocked(failure) {
  return failure.code === code;
}

/**
 * What is locked of that which failed, and what can be done about it, in words; `null` where nothing is.
 * @param {readonly Pick<JobFailure, "code" | "detail">[]} failures
 * @param {Readonly<Record<string, number>>} [counts] how many failed by their code, where not all of them are there
 * @returns {{ count: number, summary: string, advice: string } | null}
 */
export function describeLocked(failures, counts = {}) {
  const locks = failures.filter(isLocked).map(({ detail }) => detail ?? {});
  if (locks.length === 0) return null;
  const count = Math.max(locks.length, counts[code] ?? 0);
  const ends = locks.map(({ retain_until: until }) => until).filter(Boolean).sort();
  const held = locks.filter(({ legal_hold }) => legal_hold).length;
  const retained = ends.length === 0 ? 0 : ends.length + count - locks.length;
  const modes = [...new Set(locks.map(({ mode }) => mode ?? ""))].filter((mode) => mode in advices).sort();
  return {
    count,
    summary: [
      retained > 0 && untilWords(retained, ends),
      held > 0 && t("jobs.locked_held", { n: held }),
    ].filter(Boolean).join(" "),
    advice: [...modes.map((mode) => t(advices[mode])), held > 0 && t("jobs.locked_hold")]
      .filter(Boolean).join(" "),
  };
}

/**
 * @param {number} n
 * @param {readonly string[]} ends times, the last of all at the end
 */
function untilWords(n, ends) {
  const time = formatDateTime(Date.parse(ends.at(-1) ?? ""));
  const isOne = n === ends.length && ends[0] === ends.at(-1);
  return isOne ? t("jobs.locked_until", { n, time }) : t("jobs.locked_last", { n, time });
}
