// @ts-check
import { shellWord, ShowCommand } from "../commands.js";
import { html } from "../html.js";

/** @import { Browser } from "./browser.js" */

/**
 * How files come into the open folder from a shell.
 * @param {{ browser: Browser }} props
 */
export function UploadCommand({ browser }) {
  const target = shellWord(`s3://${browser.bucket}/${browser.place.value.prefix}`);
  return html`
    <${ShowCommand} lines=${[
      `aws s3 cp ./file.txt ${target}`,
      `aws s3 cp --recursive ./folder ${target}`,
    ]} />
  `;
}
