// @ts-check
/// <reference lib="dom" />
import { readBootData } from "../boot_data.js";

/** @import { Target } from "./transfer.js" */

/** Targets that are remembered. */
const maxTargets = 5;

const storageName = "copy-targets";

/**
 * The places that the user copied or moved to last from this browser, the last first. Those of whoever used it before are
 * forgotten with the next one that is remembered.
 * @returns {Target[]}
 */
export function recentTargets() {
  try {
    const { user, targets } = JSON.parse(localStorage.getItem(storageName) ?? "null") ?? {};
    return user === userId() && Array.isArray(targets)
      ? targets.filter(({ bucket, prefix }) => bucket && typeof prefix === "string")
      : [];
  } catch {
    return [];
  }
}

/** @param {Target} target */
export function rememberTarget(target) {
  const { backend, bucket, prefix } = target;
  const others = recentTargets().filter((other) =>
    other.backend !== backend || other.bucket !== bucket || other.prefix !== prefix
  );
  const targets = [{ backend, bucket, prefix }, ...others].slice(0, maxTargets);
  localStorage.setItem(storageName, JSON.stringify({ user: userId(), targets }));
}

function userId() {
  return readBootData().me?.id;
}
