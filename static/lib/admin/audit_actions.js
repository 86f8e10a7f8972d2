// @ts-check
import { html } from "../html.js";

/**
 * The families of actions that can be filtered by, with the words they are shown by. An action that is not here is
 * still found by its family, or by its name in the address.
 * @type {ReadonlyArray<readonly [string, string, ReadonlyArray<readonly [string, string]>]>}
 */
const families = [
  ["auth.*", "Signing in", [
    ["auth.login", "Sign in"],
    ["auth.logout", "Sign out"],
    ["auth.register", "Registration"],
    ["auth.password.change", "Password change"],
  ]],
  ["session.*", "Sessions", [["session.end", "Session ended"]]],
  ["object.*", "Objects", [
    ["object.upload", "Upload"],
    ["object.delete", "Delete"],
    ["object.bulk_delete", "Delete several"],
    ["object.delete_prefix", "Delete folder"],
    ["object.copy", "Copy"],
    ["object.transfer", "Copy to another backend"],
    ["object.copy_prefix", "Copy folder"],
    ["object.transfer_prefix", "Copy folder to another backend"],
    ["object.folder", "New folder"],
    ["object.restore", "Restore version"],
    ["object.presign", "Presigned URL"],
  ]],
  ["multipart.*", "Uploads in parts", [
    ["multipart.create", "Begin upload in parts"],
    ["multipart.abort", "Abort upload in parts"],
  ]],
  ["share.*", "Shares", [
    ["share.create", "Create share"],
    ["share.update", "Change share"],
    ["share.revoke", "Revoke share"],
    ["share.access", "Share opened"],
  ]],
  ["job.*", "Jobs", [
    ["job.end", "Job ended"],
    ["job.stop", "Stop job"],
    ["job.retry", "Retry job"],
  ]],
  ["bucket.*", "Buckets", [
    ["bucket.create", "Create bucket"],
    ["bucket.delete", "Delete bucket"],
    ["bucket.versioning.set", "Versioning"],
    ["bucket.cors.set", "CORS"],
    ["bucket.policy.set", "Set policy"],
    ["bucket.policy.delete", "Remove policy"],
    ["bucket.lifecycle.set", "Lifecycle"],
    ["bucket.size_tracking.set", "Size tracking"],
    ["bucket.proxy_cors.set", "CORS of the S3 endpoint"],
  ]],
  ["quota.*", "Quotas", [
    ["quota.set", "Set quota"],
    ["quota.delete", "Remove quota"],
    ["quota.recompute", "Count bucket"],
    ["quota.soft_exceeded", "Soft cap passed"],
  ]],
  ["backend.*", "Backends", [
    ["backend.create", "Add backend"],
    ["backend.update", "Change backend"],
    ["backend.delete", "Remove backend"],
    ["backend.test", "Test backend"],
  ]],
  ["user.*", "Users", [
    ["user.create", "Create user"],
    ["user.update", "Change user"],
    ["user.delete", "Delete user"],
    ["user.password.reset", "Reset password"],
    ["user.unlock", "Unlock user"],
    ["user.sessions.end", "End sessions of user"],
  ]],
  ["s3_credential.*", "S3 credentials", [
    ["s3_credential.create", "Create S3 credential"],
    ["s3_credential.update", "Change S3 credential"],
    ["s3_credential.rotate", "Rotate S3 credential"],
    ["s3_credential.delete", "Delete S3 credential"],
  ]],
  ["s3_anonymous.*", "Open buckets", [
    ["s3_anonymous.upsert", "Open or close bucket"],
    ["s3_anonymous.delete", "Remove open bucket"],
  ]],
  ["s3.proxy.*", "S3 endpoint", []],
];

/** @type {ReadonlyMap<string, string>} */
const words = new Map(families.flatMap(([, , actions]) => actions));

/**
 * An action in words, or its name where there are none.
 * @param {string} action
 */
export function actionWords(action) {
  return words.get(action) ?? action;
}

/**
 * The choice of an action or a family of them.
 * @param {{ value: string, id: string }} props
 */
export function ActionChoice({ value, id }) {
  const known = families.some(([family, , actions]) =>
    family === value || actions.some(([action]) => action === value)
  );
  return html`<select class="select" id=${id} name="action">
    <option value="">Every action</option>
    ${value !== "" && !known && html`<option value=${value} selected>${value}</option>`}
    ${
    families.map(([family, label, actions]) =>
      html`
        <optgroup key=${family} label=${label}>
          <option value=${family} selected=${family === value}>${label}: all</option>
          ${actions.map(([action, label]) =>
            html`<option key=${action} value=${action} selected=${action === value}>${label}</option>`
          )}
        </optgroup>
      `
    )
  }
  </select>`;
}
