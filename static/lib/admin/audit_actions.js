// @ts-check
import { html } from "../html.js";
import { t } from "../i18n.js";

/** @typedef {import("../i18n.js").MessageKey} MessageKey */

/**
 * The families of actions that can be filtered by, with the words they are shown by. An action that is not here is
 * still found by its family, or by its name in the address.
 * @type {ReadonlyArray<readonly [string, MessageKey, ReadonlyArray<readonly [string, MessageKey]>]>}
 */
const families = [
  ["auth.*", "audit.family_auth", [
    ["auth.login", "audit.do_auth_login"],
    ["auth.logout", "audit.do_auth_logout"],
    ["auth.register", "audit.do_auth_register"],
    ["auth.password.change", "audit.do_auth_password_change"],
  ]],
  ["session.*", "audit.family_session", [
    ["session.end", "audit.do_session_end"],
  ]],
  ["object.*", "audit.family_object", [
    ["object.upload", "audit.do_object_upload"],
    ["object.delete", "audit.do_object_delete"],
    ["object.bulk_delete", "audit.do_object_bulk_delete"],
    ["object.delete_prefix", "audit.do_object_delete_prefix"],
    ["object.copy", "audit.do_object_copy"],
    ["object.transfer", "audit.do_object_transfer"],
    ["object.copy_prefix", "audit.do_object_copy_prefix"],
    ["object.transfer_prefix", "audit.do_object_transfer_prefix"],
    ["object.folder", "audit.do_object_folder"],
    ["object.restore", "audit.do_object_restore"],
    ["object.presign", "audit.do_object_presign"],
  ]],
  ["multipart.*", "audit.family_multipart", [
    ["multipart.create", "audit.do_multipart_create"],
    ["multipart.abort", "audit.do_multipart_abort"],
  ]],
  ["share.*", "audit.family_share", [
    ["share.create", "audit.do_share_create"],
    ["share.update", "audit.do_share_update"],
    ["share.upload", "audit.do_share_upload"],
    ["share.revoke", "audit.do_share_revoke"],
    ["share.access", "audit.do_share_access"],
  ]],
  ["job.*", "audit.family_job", [
    ["job.end", "audit.do_job_end"],
    ["job.stop", "audit.do_job_stop"],
    ["job.retry", "audit.do_job_retry"],
  ]],
  ["bucket.*", "audit.family_bucket", [
    ["bucket.create", "audit.do_bucket_create"],
    ["bucket.delete", "audit.do_bucket_delete"],
    ["bucket.versioning.set", "audit.do_bucket_versioning_set"],
    ["bucket.cors.set", "audit.do_bucket_cors_set"],
    ["bucket.policy.set", "audit.do_bucket_policy_set"],
    ["bucket.policy.delete", "audit.do_bucket_policy_delete"],
    ["bucket.lifecycle.set", "audit.do_bucket_lifecycle_set"],
    ["bucket.size_tracking.set", "audit.do_bucket_size_tracking_set"],
    ["bucket.proxy_cors.set", "audit.do_bucket_proxy_cors_set"],
  ]],
  ["quota.*", "audit.family_quota", [
    ["quota.set", "audit.do_quota_set"],
    ["quota.delete", "audit.do_quota_delete"],
    ["quota.recompute", "audit.do_quota_recompute"],
    ["quota.soft_exceeded", "audit.do_quota_soft_exceeded"],
  ]],
  ["backend.*", "audit.family_backend", [
    ["backend.create", "audit.do_backend_create"],
    ["backend.update", "audit.do_backend_update"],
    ["backend.delete", "audit.do_backend_delete"],
    ["backend.test", "audit.do_backend_test"],
  ]],
  ["user.*", "audit.family_user", [
    ["user.create", "audit.do_user_create"],
    ["user.update", "audit.do_user_update"],
    ["user.delete", "audit.do_user_delete"],
    ["user.password.reset", "audit.do_user_password_reset"],
    ["user.unlock", "audit.do_user_unlock"],
    ["user.sessions.end", "audit.do_user_sessions_end"],
  ]],
  ["s3_credential.*", "audit.family_s3_credential", [
    ["s3_credential.create", "audit.do_s3_credential_create"],
    ["s3_credential.update", "audit.do_s3_credential_update"],
    ["s3_credential.rotate", "audit.do_s3_credential_rotate"],
    ["s3_credential.delete", "audit.do_s3_credential_delete"],
    ["s3_credential.test", "audit.do_s3_credential_test"],
  ]],
  ["s3_anonymous.*", "audit.family_s3_anonymous", [
    ["s3_anonymous.upsert", "audit.do_s3_anonymous_upsert"],
    ["s3_anonymous.delete", "audit.do_s3_anonymous_delete"],
  ]],
  ["s3.proxy.*", "audit.family_s3_proxy", []],
];

/** @type {ReadonlyMap<string, MessageKey>} */
const words = new Map(families.flatMap(([, , actions]) => actions));

const proxyActions = "s3.proxy.";

/**
 * An action in words, or its name where there are none. Operations of the S3 endpoint keep theirs, by which clients know them.
 * @param {string} action
 */
export function actionWords(action) {
  if (action.startsWith(proxyActions)) {
    return `${t("audit.family_s3_proxy")}: ${action.slice(proxyActions.length)}`;
  }
  const key = words.get(action);
  return key === undefined ? action : t(key);
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
    <option value="">${t("audit.every_action")}</option>
    ${value !== "" && !known && html`<option value=${value} selected>${value}</option>`}
    ${
    families.map(([family, label, actions]) =>
      html`
        <optgroup key=${family} label=${t(label)}>
          <option value=${family} selected=${family === value}>${t("audit.whole_family", {
            family: t(label),
          })}</option>
          ${actions.map(([action, label]) =>
            html`<option key=${action} value=${action} selected=${action === value}>${t(label)}</option>`
          )}
        </optgroup>
      `
    )
  }
  </select>`;
}
