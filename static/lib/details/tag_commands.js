// @ts-check
import { shellWord } from "../commands.js";
import { pairsFrom } from "./pairs.js";

/**
 * The command of the aws CLI that gives an object these tags, and no others.
 *
 * @param {string} bucket
 * @param {string} key
 * @param {string} version empty for the current one
 * @param {Readonly<Record<string, string>>} tags
 */
export function tagCommand(bucket, key, version, tags) {
  const set = tagSet(tags);
  const target = `${targetOf(bucket, key)}${version === "" ? "" : ` --version-id ${shellWord(version)}`}`;
  return set.length === 0
    ? `aws s3api delete-object-tagging ${target}`
    : `aws s3api put-object-tagging ${target} --tagging ${shellWord(JSON.stringify({ TagSet: set }))}`;
}

/**
 * The command of the aws CLI that adds tags to those which an object has, or takes tags away from them. S3 only replaces
 * all of them: those that stay are read first.
 *
 * @param {string} bucket
 * @param {string} key
 * @param {"add" | "remove"} mode
 * @param {Readonly<Record<string, string>>} tags to be removed, a name without a value stands for any value
 */
export function tagChangeCommand(bucket, key, mode, tags) {
  const target = targetOf(bucket, key);
  const query = mode === "add" ? addition(tags) : removal(tags);
  return [
    `aws s3api put-object-tagging ${target} \\`,
    `  --tagging "$(aws s3api get-object-tagging ${target} --output json \\`,
    `    --query ${shellWord(query)})"`,
  ].join("\n");
}

/** @param {Readonly<Record<string, string>>} tags */
function addition(tags) {
  return `{TagSet: [TagSet[?!contains(${literal(Object.keys(tags))}, Key)], ${literal(tagSet(tags))}][]}`;
}

/** @param {Readonly<Record<string, string>>} tags */
function removal(tags) {
  const ofAnyValue = Object.keys(tags).filter((name) => tags[name] === "");
  const exactly = tagSet(tags).filter(({ Value }) => Value !== "");
  return `{TagSet: TagSet[?!contains(${literal(ofAnyValue)}, Key) && !contains(${literal(exactly)}, @)]}`;
}

/**
 * A value within a query of the aws CLI: https://jmespath.org/specification.html#literal-expressions
 * @param {unknown} value
 */
function literal(value) {
  return `\`${JSON.stringify(value).replaceAll("`", "\\`")}\``;
}

/** @param {Readonly<Record<string, string>>} tags */
function tagSet(tags) {
  return pairsFrom(tags).map(({ name, value }) => ({ Key: name, Value: value }));
}

/**
 * @param {string} bucket
 * @param {string} key
 */
function targetOf(bucket, key) {
  return `--bucket ${shellWord(bucket)} --key ${shellWord(key)}`;
}
