// @ts-check
import { apiCommand, secretWord } from "../api_command.js";
import { shellWord } from "../commands.js";
import { shareUrl } from "./share.js";

/** @typedef {import("./share.js").Share} Share */

/**
 * The command that makes a share like this one. The session is in the file `cookies`, its token in `$csrf`, as in the API's
 * documentation; the password, if it has one, in `$SHARE_PASSWORD`.
 *
 * @param {Share} share
 * @param {string} origin scheme, host and port of the service
 * @param {readonly string[]} [keys] of a selection
 */
export function shareCommand(share, origin, keys = []) {
  const { backend_id, bucket, expires_at, note } = share;
  const body = JSON.stringify({
    backend_id,
    bucket,
    ...whatOf(share, keys),
    ...expires_at === null ? {} : { expires_at },
    ...note === "" ? {} : { note },
  });
  const data = share.has_password
    ? `${shellWord(`${body.slice(0, -1)},"password":"`)}"$SHARE_PASSWORD"${shellWord('"}')}`
    : shellWord(body);
  return `curl --cookie cookies --header "x-csrf-token: $csrf" --header 'content-type: application/json' \\
  --data ${data} \\
  ${shellWord(`${origin}/api/shares`)}`;
}

/**
 * The command that changes a share. A password that was typed is not in it.
 *
 * @param {Share} share
 * @param {Readonly<Record<string, unknown>>} fields as the API takes them
 */
export function editCommand(share, fields) {
  const isTyped = typeof fields.password === "string";
  return apiCommand("PATCH", shareUrl(share), isTyped ? { ...fields, password: secretWord } : fields);
}

/**
 * What a share is of, and what only those of its kind have.
 *
 * @param {Share} share
 * @param {readonly string[]} keys
 */
function whatOf({ kind, key, version_id, max_downloads, disposition, upload }, keys) {
  if (upload !== undefined) {
    const { title, message, max_uploads, max_bytes, max_file_bytes, keep_folders } = upload;
    return {
      kind,
      key,
      title,
      ...message === "" ? {} : { message },
      max_uploads,
      max_bytes,
      ...max_file_bytes === null ? {} : { max_file_bytes },
      ...keep_folders ? {} : { keep_folders },
    };
  }
  return {
    ...kind === "selection" ? { keys } : { key },
    ...version_id === null ? {} : { version_id },
    ...max_downloads === null ? {} : { max_downloads },
    disposition,
  };
}
