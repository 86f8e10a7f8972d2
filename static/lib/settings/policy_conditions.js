// @ts-check
import { t } from "../i18n.js";

/** @import { Condition } from "./policy_statements.js" */
/** @typedef {import("../i18n.js").MessageKey} MessageKey */

/**
 * What is compared, by the key of the condition in lower case
 * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html).
 * @type {Readonly<Record<string, MessageKey>>}
 */
const subjects = {
  "aws:sourceip": "settings.if_ip",
  "aws:vpcsourceip": "settings.if_ip",
  "aws:sourcevpc": "settings.if_vpc",
  "aws:sourcevpce": "settings.if_vpce",
  "aws:referer": "settings.if_referer",
  "aws:useragent": "settings.if_agent",
  "aws:principalorgid": "settings.if_organisation",
  "aws:principalarn": "settings.if_principal",
  "aws:principalaccount": "settings.if_account",
  "aws:sourceaccount": "settings.if_source_account",
  "aws:sourcearn": "settings.if_source",
  "aws:currenttime": "settings.if_time",
  "aws:username": "settings.if_username",
  "s3:prefix": "settings.if_prefix",
  "s3:delimiter": "settings.if_delimiter",
  "s3:max-keys": "settings.if_max_keys",
  "s3:versionid": "settings.if_version",
  "s3:tlsversion": "settings.if_tls",
  "s3:signatureage": "settings.if_signature_age",
  "s3:signatureversion": "settings.if_signature_version",
  "s3:authtype": "settings.if_auth_type",
  "s3:x-amz-acl": "settings.if_acl",
  "s3:x-amz-storage-class": "settings.if_class",
  "s3:x-amz-server-side-encryption": "settings.if_encryption",
  "s3:x-amz-server-side-encryption-aws-kms-key-id": "settings.if_encryption_key",
  "s3:x-amz-content-sha256": "settings.if_sha",
};

/**
 * How it is compared, by the operator in lower case without `IfExists`
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html).
 * @type {Readonly<Record<string, MessageKey>>}
 */
const comparisons = {
  "stringequals": "settings.is",
  "stringequalsignorecase": "settings.is",
  "stringlike": "settings.is_like",
  "stringnotequals": "settings.is_not",
  "stringnotequalsignorecase": "settings.is_not",
  "stringnotlike": "settings.is_not_like",
  "arnequals": "settings.is_like",
  "arnlike": "settings.is_like",
  "arnnotequals": "settings.is_not_like",
  "arnnotlike": "settings.is_not_like",
  "ipaddress": "settings.is_in",
  "notipaddress": "settings.is_not_in",
  "numericequals": "settings.is",
  "numericnotequals": "settings.is_not",
  "numericlessthan": "settings.is_less",
  "numericlessthanequals": "settings.is_at_most",
  "numericgreaterthan": "settings.is_more",
  "numericgreaterthanequals": "settings.is_at_least",
  "dateequals": "settings.is",
  "datelessthan": "settings.is_before",
  "datelessthanequals": "settings.is_before",
  "dategreaterthan": "settings.is_after",
  "dategreaterthanequals": "settings.is_after",
  "bool": "settings.is",
};

/**
 * A condition in words, such as `the address is in 10.0.0.0/8`; an unknown one says that it is.
 * @param {Condition} condition
 */
export function conditionWords({ operator, key, values }) {
  const [, quantity, plain, optional] =
    /^(?:(ForAnyValue|ForAllValues):)?(.*?)(IfExists)?$/i.exec(operator) ??
      [];
  const name = plain.toLowerCase();
  const tag = /^s3:(?:Existing|Request)ObjectTag\/(.+)$/i.exec(key)?.[1];
  const subject = tag !== undefined
    ? t("settings.if_tag", { name: tag })
    : Object.hasOwn(subjects, key.toLowerCase())
    ? t(subjects[key.toLowerCase()])
    : key;
  const text = specialWords(name, key, values[0], subject) ??
    (Object.hasOwn(comparisons, name)
      ? t(comparisons[name], { subject, values: values.map(quoted).join(t("settings.policy_or")) })
      : t("settings.if_unknown", { operator, name: key, values: values.join(", ") }));
  const quantified = quantity === undefined
    ? text
    : /any/i.test(quantity)
    ? t("settings.if_any_value", { text })
    : t("settings.if_all_values", { text });
  return optional === undefined ? quantified : t("settings.if_exists", { text: quantified });
}

/**
 * Conditions that have a sentence of their own.
 * @param {string} operator in lower case
 * @param {string} key
 * @param {string} value
 * @param {string} subject
 */
function specialWords(operator, key, value, subject) {
  const isTrue = value?.toLowerCase() === "true";
  if (operator === "null") {
    return isTrue ? t("settings.if_missing", { subject }) : t("settings.if_present", { subject });
  }
  if (operator !== "bool") return null;
  switch (key.toLowerCase()) {
    case "aws:securetransport":
      return isTrue ? t("settings.if_encrypted") : t("settings.if_not_encrypted");
    case "aws:multifactorauthpresent":
      return isTrue ? t("settings.if_mfa") : t("settings.if_no_mfa");
    default:
      return null;
  }
}

/** @param {string} value */
function quoted(value) {
  return value === "" ? "“”" : value;
}
