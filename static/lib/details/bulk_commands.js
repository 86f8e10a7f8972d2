// @ts-check
import { apiCommand } from "../api_command.js";
import { t } from "../i18n.js";
import { queryValue } from "../query_value.js";
import { contentTypeOf } from "./content_types.js";
import { tagChangeCommand, tagCommand } from "./tag_commands.js";

/** @import { BulkMode } from "./bulk_dialog.js" */

/** Objects whose commands are written. */
const maxObjects = 3;

/**
 * The commands that change several objects as the dialog does: their tags with the aws CLI, their content types through
 * the API, which keeps the rest of what is stored with an object.
 *
 * @param {{ bucket: string, api: string }} place `api`: where the API keeps the bucket
 * @param {readonly string[]} keys
 * @param {BulkMode} mode
 * @param {Readonly<Record<string, string>>} tags
 */
export function bulkCommands({ bucket, api }, keys, mode, tags) {
  const commands = keys.slice(0, maxObjects).map((key) => {
    if (mode === "types") {
      // Between double quotes a shell would take what follows an exclamation mark from its history.
      const query = queryValue(key).replaceAll("!", "%21");
      return apiCommand("PUT", `${api}/object/metadata?key=${query}`, { content_type: contentTypeOf(key) });
    }
    return mode === "replace" ? tagCommand(bucket, key, "", tags) : tagChangeCommand(bucket, key, mode, tags);
  });
  const more = keys.length - commands.length;
  return more === 0 ? commands : [...commands, `# ${t("details.bulk_and_more", { n: more })}`];
}
