// @ts-check
import { apiCommand } from "../api_command.js";
import { shellWord } from "../commands.js";
import { bucketUrl } from "../browse/object_urls.js";

/** @import { SettingsPlace } from "./section.js" */

/**
 * A command of aws-cli about a bucket, with a document.
 * @param {string} command such as `put-bucket-cors`
 * @param {string} bucket
 * @param {string} [option] that takes the document, such as `--cors-configuration`
 * @param {unknown} [value]
 */
export function awsCommand(command, bucket, option, value) {
  const plain = `aws s3api ${command} --bucket ${shellWord(bucket)}`;
  return option === undefined ? plain : `${plain} \\\n  ${option} ${shellWord(documentOf(value))}`;
}

/** @param {unknown} value */
function documentOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * A request to our API about a setting that S3 has no command for.
 * @param {string} method
 * @param {SettingsPlace} place
 * @param {string} setting
 * @param {unknown} [json]
 */
export function settingCommand(method, { backend, bucket }, setting, json) {
  return apiCommand(method, `${bucketUrl(backend.id, bucket)}/${setting}`, json);
}
