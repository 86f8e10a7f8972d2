// @ts-check
import { t } from "../i18n.js";

/** S3's limits: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html */
const maxTags = 10;
const maxKeyLength = 128;
const maxValueLength = 256;

/** Letters, digits and spaces of any script, and some signs; `aws:` is Amazon's own. */
const allowedText = /^[\p{L}\p{N}\p{Zs}_.:/=+\-@]*$/u;
const ownKey = /^aws:/i;

/**
 * Reads tags, one a line, as `key=value`.
 * @param {string} text
 * @returns {{ tags: Record<string, string> | null, error: string }} `null` when `error` says what is wrong
 */
export function parseTags(text) {
  /** @type {Record<string, string>} */
  const tags = {};
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  for (const line of lines) {
    const at = line.indexOf("=");
    const key = at < 0 ? line : line.slice(0, at).trim();
    const value = at < 0 ? "" : line.slice(at + 1).trim();
    if (key === "" || key.length > maxKeyLength || value.length > maxValueLength) {
      return { tags: null, error: t("upload.tag_wrong", { line }) };
    }
    if (!allowedText.test(key) || !allowedText.test(value) || ownKey.test(key)) {
      return { tags: null, error: t("upload.tag_characters", { line }) };
    }
    if (Object.hasOwn(tags, key)) return { tags: null, error: t("upload.tag_twice", { key }) };
    tags[key] = value;
  }
  if (Object.keys(tags).length > maxTags) {
    return { tags: null, error: t("upload.tags_too_many", { n: maxTags }) };
  }
  return { tags, error: "" };
}
