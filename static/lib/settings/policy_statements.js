// @ts-check

/**
 * A statement of a policy with every element as a list; `null` where the element is not there.
 * @typedef {object} Statement
 * @property {string} sid empty when it has none
 * @property {"Allow" | "Deny" | null} effect `null` for anything else
 * @property {Principals | null} principal
 * @property {Principals | null} notPrincipal
 * @property {string[] | null} actions
 * @property {string[] | null} notActions
 * @property {string[] | null} resources
 * @property {string[] | null} notResources
 * @property {Condition[]} conditions
 * @property {string[]} unknown names of elements that policies do not have
 */

/**
 * Whom a statement names, by kind, such as `AWS` or `Service`.
 * @typedef {ReadonlyArray<{ kind: string, name: string }>} Principals
 */

/**
 * One condition: all of them must hold, each for any of its values.
 * @typedef {{ operator: string, key: string, values: string[] }} Condition
 */

/**
 * What a statement can have
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_statement.html).
 */
export const statementElements = [
  "Sid",
  "Effect",
  "Principal",
  "NotPrincipal",
  "Action",
  "NotAction",
  "Resource",
  "NotResource",
  "Condition",
];

/**
 * The policy that is meant, be it given as JSON text or as an object; `null` for none, and for what is no JSON object.
 * @param {unknown} policy
 * @returns {Record<string, unknown> | null}
 */
export function policyObject(policy) {
  if (typeof policy !== "string") return asObject(policy);
  try {
    return asObject(JSON.parse(policy));
  } catch {
    return null;
  }
}

/**
 * The statements of a policy, whatever else is wrong with it. A policy may have its only one without a list around it.
 * @param {unknown} policy JSON text or an object
 * @returns {Statement[]}
 */
export function statementsOf(policy) {
  const found = policyObject(policy)?.Statement;
  const list = Array.isArray(found) ? found : found === undefined ? [] : [found];
  return list.flatMap((one) => {
    const statement = asObject(one);
    return statement === null ? [] : [readStatement(statement)];
  });
}

/**
 * @param {Record<string, unknown>} one
 * @returns {Statement}
 */
function readStatement(one) {
  return {
    sid: typeof one.Sid === "string" ? one.Sid : "",
    effect: one.Effect === "Allow" || one.Effect === "Deny" ? one.Effect : null,
    principal: readPrincipals(one.Principal),
    notPrincipal: readPrincipals(one.NotPrincipal),
    actions: texts(one.Action),
    notActions: texts(one.NotAction),
    resources: texts(one.Resource),
    notResources: texts(one.NotResource),
    conditions: readConditions(one.Condition),
    unknown: Object.keys(one).filter((name) => !statementElements.includes(name)),
  };
}

/**
 * @param {unknown} value
 * @returns {Principals | null}
 */
function readPrincipals(value) {
  if (value === undefined) return null;
  if (typeof value === "string") return [{ kind: value === "*" ? "AWS" : "", name: value }];
  return Object.entries(asObject(value) ?? {}).flatMap(([kind, names]) =>
    (texts(names) ?? []).map((name) => ({ kind, name }))
  );
}

/**
 * @param {unknown} value
 * @returns {Condition[]}
 */
function readConditions(value) {
  return Object.entries(asObject(value) ?? {}).flatMap(([operator, keys]) =>
    Object.entries(asObject(keys) ?? {}).map(([key, wanted]) => ({
      operator,
      key,
      values: (Array.isArray(wanted) ? wanted : [wanted]).map(String),
    }))
  );
}

/**
 * @param {unknown} value
 * @returns {string[] | null}
 */
function texts(value) {
  if (value === undefined) return null;
  return (Array.isArray(value) ? value : [value]).map(String);
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown> | null}
 */
function asObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? /** @type {Record<string, unknown>} */ (value)
    : null;
}

/**
 * Whether a text is what a pattern stands for, in which `*` is any characters and `?` a single one
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html).
 * @param {string} pattern
 * @param {string} text
 */
export function matchesPattern(pattern, text) {
  let at = 0;
  let star = -1;
  let resume = 0;
  let place = 0;
  while (place < text.length) {
    if (pattern[at] === "*") {
      star = at++;
      resume = place;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === text[place])) {
      at++;
      place++;
    } else if (star >= 0) {
      at = star + 1;
      place = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

/** @param {Principals | null} principals */
export function namesEveryone(principals) {
  return principals?.some(({ kind, name }) => kind === "AWS" && name === "*") ?? false;
}
