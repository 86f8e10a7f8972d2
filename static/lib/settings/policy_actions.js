// @ts-check
import { t } from "../i18n.js";

/** @typedef {import("../i18n.js").MessageKey} MessageKey */

/**
 * What actions are in words, by their names in lower case without the service
 * (https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html).
 * @type {Readonly<Record<string, MessageKey>>}
 */
const words = {
  "*": "settings.do_everything",
  "get*": "settings.do_get_all",
  "getobject*": "settings.do_get_object_all",
  "list*": "settings.do_list_all",
  "put*": "settings.do_put_all",
  "putobject*": "settings.do_put_object_all",
  "delete*": "settings.do_delete_all",
  "deleteobject*": "settings.do_delete_object_all",
  "getobject": "settings.do_get_object",
  "getobjectversion": "settings.do_get_version",
  "getobjectattributes": "settings.do_get_attributes",
  "getobjecttagging": "settings.do_get_tags",
  "getobjectacl": "settings.do_get_acl",
  "putobject": "settings.do_put_object",
  "putobjecttagging": "settings.do_put_tags",
  "deleteobjecttagging": "settings.do_delete_tags",
  "putobjectacl": "settings.do_put_acl",
  "putobjectretention": "settings.do_put_retention",
  "putobjectlegalhold": "settings.do_put_hold",
  "bypassgovernanceretention": "settings.do_bypass_retention",
  "deleteobject": "settings.do_delete_object",
  "deleteobjectversion": "settings.do_delete_version",
  "restoreobject": "settings.do_restore",
  "abortmultipartupload": "settings.do_abort_upload",
  "listmultipartuploadparts": "settings.do_list_parts",
  "listbucketmultipartuploads": "settings.do_list_uploads",
  "listbucket": "settings.do_list_bucket",
  "listbucketversions": "settings.do_list_versions",
  "listallmybuckets": "settings.do_list_buckets",
  "getbucketlocation": "settings.do_get_location",
  "getbucketpolicy": "settings.do_get_policy",
  "putbucketpolicy": "settings.do_put_policy",
  "deletebucketpolicy": "settings.do_delete_policy",
  "getbucketacl": "settings.do_get_bucket_acl",
  "putbucketacl": "settings.do_put_bucket_acl",
  "getbucketversioning": "settings.do_get_versioning",
  "putbucketversioning": "settings.do_put_versioning",
  "getbucketcors": "settings.do_get_cors",
  "putbucketcors": "settings.do_put_cors",
  "getlifecycleconfiguration": "settings.do_get_lifecycle",
  "putlifecycleconfiguration": "settings.do_put_lifecycle",
  "createbucket": "settings.do_create_bucket",
  "deletebucket": "settings.do_delete_bucket",
  "replicateobject": "settings.do_replicate",
};

/**
 * What an action of a policy is, in words; an unknown one by its own name.
 * @param {string} action such as `s3:GetObject`; names of actions know no case
 */
export function actionWords(action) {
  if (action === "*") return t("settings.do_everything");
  const name = /^s3:(.+)$/i.exec(action)?.[1].toLowerCase();
  if (name !== undefined && Object.hasOwn(words, name)) return t(words[name]);
  const beginning = /^([^*?]+)\*$/.exec(action);
  return beginning === null
    ? t("settings.do_other", { name: action })
    : t("settings.do_like", { name: beginning[1] });
}
