// @ts-check
import { currentLanguage, t } from "../i18n.js";
import { actionWords } from "./policy_actions.js";
import { conditionWords } from "./policy_conditions.js";
import { matchesPattern, namesEveryone, policyObject, statementsOf } from "./policy_statements.js";

/** @import { Principals, Statement } from "./policy_statements.js" */

/**
 * A statement in the words of the page's language.
 * @typedef {object} StatementWords
 * @property {string} sid the name it has in the policy, empty for none
 * @property {"allow" | "deny" | "unknown"} effect
 * @property {string} who
 * @property {string[]} what
 * @property {string[]} where
 * @property {string[]} when conditions that must all hold; none when it always counts
 * @property {string[]} unknown what of it could not be understood
 * @property {string} sentence all of it as one sentence
 */

/**
 * Whether someone who has not signed in may do something: `conditional` when that depends on more than a policy shows.
 * @typedef {"yes" | "conditional" | "no"} Access
 */

/**
 * What everyone may do without signing in.
 * @typedef {{ read: Access, list: Access, write: Access, remove: Access }} PublicAccess
 */

/**
 * What a policy says in words, and what it lets everyone do.
 * @typedef {{ statements: StatementWords[], access: PublicAccess, isPublic: boolean }} PolicyWords
 */

/**
 * Says all that is to be said about a policy.
 * @param {unknown} policy JSON text or an object; empty for none
 * @returns {PolicyWords}
 */
export function policyWords(policy) {
  return { statements: explainPolicy(policy), access: publicAccess(policy), isPublic: isPublic(policy) };
}

/**
 * Says in plain words what a policy allows and denies, statement by statement. Parts that it does not know are named as
 * such, never left out.
 * @param {unknown} policy JSON text or an object
 * @returns {StatementWords[]}
 */
export function explainPolicy(policy) {
  return statementsOf(policy).map(explainStatement);
}

/**
 * @param {Statement} statement
 * @returns {StatementWords}
 */
function explainStatement(statement) {
  const { sid, effect, conditions } = statement;
  const who = whoWords(statement);
  const what = whatWords(statement);
  const where = whereWords(statement);
  const when = conditions.map(conditionWords);
  const parts = { who, what: what.join(", "), where: where.join(", ") };
  const sentence = effect === null
    ? t("settings.policy_says_unknown", parts)
    : effect === "Allow"
    ? t("settings.policy_says_allow", parts)
    : t("settings.policy_says_deny", parts);
  return {
    sid,
    effect: effect === null ? "unknown" : effect === "Allow" ? "allow" : "deny",
    who,
    what,
    where,
    when,
    unknown: unknownParts(statement),
    sentence: when.length === 0
      ? `${capitalised(sentence)}.`
      : `${capitalised(sentence)}, ${
        t("settings.policy_says_when", { when: when.join(t("settings.policy_and")) })
      }.`,
  };
}

/** @param {string} text */
function capitalised(text) {
  return text.charAt(0).toLocaleUpperCase(currentLanguage()) + text.slice(1);
}

/** @param {Statement} statement */
function whoWords({ principal, notPrincipal }) {
  if (notPrincipal !== null) return t("settings.who_all_but", { who: principalWords(notPrincipal) });
  if (principal === null || principal.length === 0) return t("settings.who_nobody_named");
  return namesEveryone(principal) ? t("settings.who_everyone") : principalWords(principal);
}

/** @param {Principals} principals */
function principalWords(principals) {
  return principals.map(({ kind, name }) => {
    if (kind === "Service") return t("settings.who_service", { name });
    if (kind === "Federated") return t("settings.who_federated", { name });
    if (kind === "CanonicalUser") return t("settings.who_canonical", { name: shortened(name) });
    if (name === "*") return t("settings.who_everyone");
    const account = /^(\d{12})$|^arn:aws[\w-]*:iam::(\d{12}):root$/.exec(name);
    if (account !== null) return t("settings.who_account", { name: account[1] ?? account[2] });
    const identity = /^arn:aws[\w-]*:(?:iam|sts)::(\d*):(user|role|assumed-role|group)\/(.+)$/.exec(name);
    if (identity === null) return t("settings.who_other", { name });
    const [, owner, type, path] = identity;
    const text = owner === "" ? path : `${path} (${owner})`;
    return type === "user" ? t("settings.who_user", { name: text }) : t("settings.who_role", { name: text });
  }).join(", ");
}

/** @param {string} text */
function shortened(text) {
  return text.length > 16 ? `${text.slice(0, 12)}…` : text;
}

/** @param {Statement} statement */
function whatWords({ actions, notActions }) {
  if (notActions !== null) {
    return [t("settings.what_all_but", { what: notActions.map(actionWords).join(", ") })];
  }
  return actions === null ? [t("settings.what_nothing_named")] : [...new Set(actions.map(actionWords))];
}

/** @param {Statement} statement */
function whereWords({ resources, notResources }) {
  if (notResources !== null) {
    return [t("settings.where_all_but", { where: notResources.map(resourceWords).join(", ") })];
  }
  return resources === null
    ? [t("settings.where_nothing_named")]
    : [...new Set(resources.map(resourceWords))];
}

/** @param {string} resource an ARN or a pattern of ARNs */
function resourceWords(resource) {
  if (resource === "*") return t("settings.where_everywhere");
  const path = /^arn:aws[\w-]*:s3:::([^/]*)(?:\/(.*))?$/s.exec(resource);
  if (path === null) return t("settings.where_other", { name: resource });
  const [, bucket, key] = path;
  if (key === undefined) {
    return /[*?]/.test(bucket)
      ? t("settings.where_buckets_like", { name: bucket })
      : t("settings.where_bucket", { name: bucket });
  }
  if (key === "*") return t("settings.where_objects", { name: bucket });
  const under = /^([^*?]*)\*$/s.exec(key);
  if (under !== null) return t("settings.where_under", { name: under[1] });
  return /[*?]/.test(key)
    ? t("settings.where_like", { name: key })
    : t("settings.where_object", { name: key });
}

/** @param {Statement} statement */
function unknownParts(statement) {
  const { effect, unknown, principal, notPrincipal } = statement;
  return [
    ...(effect === null ? ["Effect"] : []),
    ...(principal === null && notPrincipal === null ? ["Principal"] : []),
    ...unknown,
  ];
}

/** What of a policy lets someone do a thing, as S3 names it. */
const deeds = /** @type {const} */ ({
  read: "s3:GetObject",
  list: "s3:ListBucket",
  write: "s3:PutObject",
  remove: "s3:DeleteObject",
});

/**
 * What everyone may do without signing in, as far as the policy says: with an object of the bucket, or with any of it
 * without a `key`. What an access control list or the server allows besides is not known here.
 * @param {unknown} policy JSON text or an object; empty for none
 * @param {string} [key]
 * @returns {PublicAccess}
 */
export function publicAccess(policy, key) {
  const statements = statementsOf(policy);
  const judge = (/** @type {string} */ action) => judgeAccess(statements, action, key);
  return {
    read: judge(deeds.read),
    list: judge(deeds.list),
    write: judge(deeds.write),
    remove: judge(deeds.remove),
  };
}

/**
 * Whether a policy lets everyone do anything at all, be it under conditions.
 * @param {unknown} policy JSON text or an object
 */
export function isPublic(policy) {
  return policyObject(policy) !== null && statementsOf(policy).some(isOpening);
}

/**
 * Whether a statement lets everyone do something, be it under conditions.
 * @param {Statement} statement
 */
export function isOpening({ effect, principal, notPrincipal }) {
  return effect === "Allow" && (namesEveryone(principal) || notPrincipal !== null);
}

/**
 * @param {readonly Statement[]} statements
 * @param {string} action
 * @param {string | undefined} key
 * @returns {Access}
 */
function judgeAccess(statements, action, key) {
  const concerned = statements.filter((statement) =>
    concernsEveryone(statement) && coversAction(statement, action)
  );
  const allows = concerned.filter((statement) =>
    statement.effect === "Allow" && coversResource(statement, action, key, "some")
  );
  const denies = concerned.filter((statement) =>
    statement.effect === "Deny" && coversResource(statement, action, key, "some")
  );
  const sureDeny = denies.some((statement) =>
    statement.conditions.length === 0 && coversResource(statement, action, key, "all")
  );
  if (allows.length === 0 || sureDeny) return "no";
  const sureAllow = allows.some(({ conditions }) => conditions.length === 0);
  // Without a key, a denial of only some objects leaves the others.
  const hindering = key === undefined && action !== deeds.list
    ? denies.filter((statement) => coversResource(statement, action, key, "all"))
    : denies;
  return sureAllow && hindering.length === 0 ? "yes" : "conditional";
}

/** @param {Statement} statement */
function concernsEveryone({ principal, notPrincipal }) {
  return namesEveryone(principal) || (notPrincipal !== null && !namesEveryone(notPrincipal));
}

/**
 * @param {Statement} statement
 * @param {string} action
 */
function coversAction({ actions, notActions }, action) {
  const matches = (/** @type {string} */ pattern) =>
    matchesPattern(pattern.toLowerCase(), action.toLowerCase());
  return notActions === null ? actions?.some(matches) ?? false : !notActions.some(matches);
}

/**
 * Whether a statement is about the object `key`; without one about `some` or `all` objects. Listing is about the bucket.
 * @param {Statement} statement
 * @param {string} action
 * @param {string | undefined} key
 * @param {"some" | "all"} extent
 */
function coversResource({ resources, notResources }, action, key, extent) {
  const matches = (/** @type {string} */ pattern) => coversPlace(pattern, action, key, extent);
  if (notResources === null) return resources?.some(matches) ?? false;
  return !notResources.some((pattern) =>
    coversPlace(pattern, action, key, extent === "some" ? "all" : "some")
  );
}

/**
 * @param {string} pattern
 * @param {string} action
 * @param {string | undefined} key
 * @param {"some" | "all"} extent
 */
function coversPlace(pattern, action, key, extent) {
  if (pattern === "*") return true;
  const path = /^arn:aws[\w-]*:s3:::([^/]*?)(?:\/(.*))?$/s.exec(pattern);
  if (path === null) return false;
  const [, bucket, keys] = path;
  // A star in the name of the bucket reaches over the slash.
  const objects = keys ?? (bucket.endsWith("*") ? "*" : undefined);
  if (action === deeds.list) return keys === undefined;
  if (objects === undefined) return false;
  if (key !== undefined) return matchesPattern(objects, key);
  return extent === "some" || /^\*+$/.test(objects);
}
