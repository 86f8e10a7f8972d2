// @ts-check
import { shellWord } from "../commands.js";

/** @import { CopyAttributes } from "./copy_attributes.js" */
/** @import { Entry } from "./entries.js" */

/** A bucket on a backend. @typedef {{ backend: string, bucket: string }} BucketPlace */

/** Rows whose commands are written. */
const maxRows = 5;

/**
 * The commands that copy or move rows: of the aws CLI within a backend, else of rclone, with the backends' ids as remotes.
 *
 * @param {readonly Entry[]} entries
 * @param {{
 *   from: BucketPlace & { prefix: string }, to: BucketPlace & { prefix: string }, name?: string, move: boolean,
 *   attributes: CopyAttributes
 * }} copy `name` is a new one for a single row
 */
export function copyCommands(entries, { from, to, name, move, attributes }) {
  const write = from.backend === to.backend ? awsCommand : rcloneCommand;
  return entries.slice(0, maxRows).map(({ key, folder }) => {
    const target = name === undefined ? key.slice(from.prefix.length) : `${name}${folder ? "/" : ""}`;
    const ends = [`${from.bucket}/${key}`, `${to.bucket}/${to.prefix}${target}`];
    return write({ ends, backends: [from.backend, to.backend], folder, move, attributes });
  });
}

/**
 * @typedef {object} OneCopy
 * @property {readonly string[]} ends source and target, without what says where their buckets are
 * @property {readonly string[]} backends of both
 * @property {boolean} folder
 * @property {boolean} move
 * @property {CopyAttributes} attributes
 */

/**
 * https://docs.aws.amazon.com/cli/latest/reference/s3/cp.html
 * @param {OneCopy} copy
 */
function awsCommand({ ends, folder, move, attributes: { keep_metadata, keep_tags, storage_class } }) {
  const words = [
    `aws s3 ${move ? "mv" : "cp"}`,
    keep_metadata && !keep_tags && "--copy-props metadata-directive",
    !keep_metadata && (keep_tags ? "--metadata-directive REPLACE" : "--copy-props none"),
    storage_class && `--storage-class ${shellWord(storage_class)}`,
    folder && "--recursive",
    ...ends.map((end) => shellWord(`s3://${end}`)),
  ];
  return words.filter(Boolean).join(" ");
}

/**
 * https://rclone.org/commands/rclone_copyto/
 * @param {OneCopy} copy
 */
function rcloneCommand({ ends, backends, folder, move, attributes: { keep_metadata, storage_class } }) {
  const words = [
    `rclone ${move ? "move" : "copy"}${folder ? "" : "to"}`,
    keep_metadata && "--metadata",
    storage_class && `--s3-storage-class ${shellWord(storage_class)}`,
    ...ends.map((end, index) => shellWord(`${backends[index]}:${end}`)),
  ];
  return words.filter(Boolean).join(" ");
}
