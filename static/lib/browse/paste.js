// @ts-check
/// <reference lib="dom" />
import { t } from "../i18n.js";
import { toast } from "../toast.js";

/** @import { FoundFile } from "../upload/walk.js" */

/** @type {Readonly<Record<string, string>>} */
const endings = { "image/png": "png", "image/jpeg": "jpg", "image/svg+xml": "svg", "text/plain": "txt" };

/**
 * What the clipboard holds, as files that are named after the time; says so when it holds nothing to upload or may not be
 * read.
 * @returns {Promise<FoundFile[]>}
 */
export async function clipboardFiles() {
  let items;
  try {
    items = await navigator.clipboard.read();
  } catch {
    toast(t("browse.clipboard_denied"), { kind: "error" });
    return [];
  }
  const stamp = new Date().toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
  const found = [];
  for (const item of items) {
    const type = Object.keys(endings).find((known) => item.types.includes(known));
    if (type === undefined) continue;
    const name = `${t("browse.pasted_name", { time: stamp })}.${endings[type]}`;
    found.push({ file: new File([await item.getType(type)], name, { type }), path: name });
  }
  if (found.length === 0) toast(t("browse.clipboard_empty"), { kind: "info" });
  return found;
}
