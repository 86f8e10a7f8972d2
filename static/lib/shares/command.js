// @ts-check

/** @typedef {import("./share.js").Share} Share */

/**
 * The command that makes a share like this one. The session is in the file `cookies`, its token in `$csrf`, as in the API's
 * documentation; the password, if it has one, in `$SHARE_PASSWORD`.
 *
 * @param {Share} share
 * @param {string} origin scheme, host and port of the service
 */
export function shareCommand(share, origin) {
  const { backend_id, bucket, key, expires_at, max_downloads, disposition, note } = share;
  const body = JSON.stringify({
    backend_id,
    bucket,
    key,
    ...share.version_id === null ? {} : { version_id: share.version_id },
    ...expires_at === null ? {} : { expires_at },
    ...max_downloads === null ? {} : { max_downloads },
    disposition,
    ...note === "" ? {} : { note },
  });
  const data = share.has_password
    ? `${quoted(`${body.slice(0, -1)},"password":"`)}"$SHARE_PASSWORD"${quoted('"}')}`
    : quoted(body);
  return `curl --cookie cookies --header "x-csrf-token: $csrf" --header 'content-type: application/json' \\
  --data ${data} \\
  ${quoted(`${origin}/api/shares`)}`;
}

/**
 * A text as one word of a shell.
 * @param {string} text
 */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
