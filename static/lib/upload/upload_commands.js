// @ts-check
import { shellWord } from "../commands.js";
import { tagCommand } from "../details/tag_commands.js";
import { t } from "../i18n.js";

/** @import { Intake } from "./intake.js" */

/** Files and folders whose commands are written. */
const maxItems = 5;

/**
 * The commands of the aws CLI that upload what was dropped or picked, run where it lies. The CLI stores tags apart.
 *
 * @param {Pick<Intake, "bucket" | "prefix" | "found">} intake
 * @param {{ storageClass: string, contentType: string, tags: Readonly<Record<string, string>> }} stored
 */
export function uploadCommands({ bucket, prefix, found }, { storageClass, contentType, tags }) {
  const paths = found.filter(({ file }) => file !== null).map(({ path }) => path);
  const options = [
    storageClass && ` --storage-class ${shellWord(storageClass)}`,
    contentType && ` --content-type ${shellWord(contentType)}`,
  ].filter(Boolean).join("");
  const items = [...new Set(paths.map(outermost))];
  const tagged = Object.keys(tags).length > 0 ? paths : [];
  return [
    ...items.slice(0, maxItems).map((item) =>
      `aws s3 cp${item.endsWith("/") ? " --recursive" : ""}${options} ${shellWord(`./${item}`)} ${
        shellWord(`s3://${bucket}/${prefix}${item}`)
      }`
    ),
    ...moreThan(items),
    ...tagged.slice(0, maxItems).map((path) => tagCommand(bucket, prefix + path, "", tags)),
    ...moreThan(tagged),
  ];
}

/**
 * The folder, with its slash, or the file that a path begins with.
 * @param {string} path
 */
function outermost(path) {
  return path.slice(0, path.indexOf("/") + 1) || path;
}

/**
 * What is left out of the commands, as a comment.
 * @param {readonly string[]} items
 */
function moreThan({ length }) {
  return length > maxItems ? [`# ${t("browse.and_more", { n: length - maxItems })}`] : [];
}
