import { conflict } from "../../problem.ts";
import { textOf, type XmlNode } from "../../xml/reader.ts";
import { invalidRules } from "../rule_list.ts";
import {
  describeFilter,
  hiddenFieldChanged,
  type LifecycleFilter,
  listHiddenConditions,
  readFilter,
  withFilter,
} from "./lifecycle_filter_xml.ts";
import { type LifecycleRule, meantRule, type WantedLifecycleRule } from "./lifecycle_rules.ts";
import { branch, leaf, type RuleFormat } from "./merge.ts";

/** Elements of a rule that say when it applies; every other one is something that it does. */
const scopeElements = new Set(["ID", "Status", "Prefix", "Filter"]);

/** What is said of actions by a number: the field, the action's element, and the element of the number within it. */
const actions = [
  ["expiration_days", "Expiration", "Days"],
  ["noncurrent_expire_days", "NoncurrentVersionExpiration", "NoncurrentDays"],
  ["noncurrent_keep_versions", "NoncurrentVersionExpiration", "NewerNoncurrentVersions"],
  ["abort_incomplete_days", "AbortIncompleteMultipartUpload", "DaysAfterInitiation"],
] as const;

type Action = typeof actions[number];

/** An action's number as it is stored, if it is one. */
function readNumber(node: XmlNode, [, element, unit]: Action): number | undefined {
  const found = node.children.filter(({ name }) => name === element);
  return found.length === 1 ? wholeNumber(textOf(found[0], unit)) : undefined;
}

/** The names of an action's elements that the fields show. */
function listShownUnits(node: XmlNode, element: string): string[] {
  return actions.filter((action) => action[1] === element && readNumber(node, action) !== undefined)
    .map(([, , unit]) => unit);
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*[1-9]\d{0,9}\s*$/.test(text) ? Number(text) : undefined;
}

/** The only transition of a rule, when it is one after some days; a rule may have several, and on a date. */
function readTransition(node: XmlNode): { days: number; storageClass: string } | undefined {
  const [only, ...others] = node.children.filter(({ name }) => name === "Transition");
  if (only === undefined || others.length > 0 || only.children.length !== 2) return undefined;
  const days = wholeNumber(textOf(only, "Days"));
  const storageClass = textOf(only, "StorageClass");
  return days === undefined || !storageClass ? undefined : { days, storageClass };
}

function listUnmodeled(node: XmlNode): string[] {
  const found = listHiddenConditions(node).map((name) => `Filter.${name}`);
  for (const { name, children } of node.children) {
    if (scopeElements.has(name)) continue;
    if (!actions.some(([, element]) => element === name)) {
      if (name !== "Transition" || readTransition(node) === undefined) found.push(name);
      continue;
    }
    const shown = listShownUnits(node, name);
    const hidden = children.filter((child) => !shown.includes(child.name));
    if (children.length === 0) found.push(name);
    else found.push(...hidden.map((child) => `${name}.${child.name}`));
  }
  return [...new Set(found)];
}

function read(node: XmlNode): LifecycleRule {
  const transition = readTransition(node);
  const unmodeled = listUnmodeled(node);
  return {
    id: textOf(node, "ID") || undefined,
    ...readFilter(node),
    enabled: textOf(node, "Status") === "Enabled",
    ...Object.fromEntries(actions.map((action) => [action[0], readNumber(node, action)])),
    transition_days: transition?.days,
    transition_storage_class: transition?.storageClass,
    unmodeled: unmodeled.length === 0 ? undefined : unmodeled,
  };
}

function write(rule: WantedLifecycleRule, place: number): XmlNode {
  const blank = branch("Rule", [
    ...(rule.id === undefined ? [] : [leaf("ID", rule.id)]),
    leaf("Status", ""),
    branch("Filter", [leaf("Prefix", "")]),
  ]);
  return merge(blank, rule, place);
}

function merge(stored: XmlNode, wanted: WantedLifecycleRule, place: number): XmlNode {
  const before = read(stored);
  const rule = meantRule(wanted, before);
  const edit = new RuleEdit(stored, place);
  if (rule.enabled !== before.enabled || textOf(stored, "Status") === "") {
    edit.replace("Status", leaf("Status", rule.enabled ? "Enabled" : "Disabled"));
  }
  if (describeFilter(rule) !== describeFilter(before)) edit.setFilter(rule);
  for (const action of actions) {
    if (rule[action[0]] !== before[action[0]]) edit.setNumber(action, rule[action[0]]);
  }
  const { transition_days: days, transition_storage_class: storageClass } = rule;
  if (days !== before.transition_days || storageClass !== before.transition_storage_class) {
    edit.setTransition(days, storageClass);
  }
  if (edit.node !== stored && edit.node.children.every(({ name }) => scopeElements.has(name))) {
    throw invalidRules("invalid_lifecycle", "does nothing: it needs an action", [place]);
  }
  return edit.node;
}

/** A stored rule that is changed field by field. */
class RuleEdit {
  node: XmlNode;
  readonly #place: number;

  constructor(node: XmlNode, place: number) {
    this.node = node;
    this.#place = place;
  }

  /** Puts an element, or none, in the place of the one of this name, or at the end. */
  replace(name: string, element: XmlNode | undefined): void {
    const { children } = this.node;
    const isNew = !children.some((child) => child.name === name);
    const replaced = children.flatMap((child) =>
      child.name === name ? element === undefined ? [] : [element] : [child]
    );
    this.node = branch(this.node.name, isNew && element !== undefined ? [...children, element] : replaced);
  }

  setFilter(filter: LifecycleFilter): void {
    const hidden = hiddenFieldChanged(this.node, filter);
    if (hidden !== undefined) throw this.#conflict(hidden, "Filter", []);
    this.node = withFilter(this.node, filter);
  }

  setNumber([field, element, unit]: Action, number: number | undefined): void {
    const found = this.node.children.filter(({ name }) => name === element);
    const parts = found.flatMap(({ children }) => children);
    const shown = listShownUnits(this.node, element);
    const hidden = parts.filter(({ name }) => !shown.includes(name));
    const isNew = found.length === 1 && !shown.includes(unit);
    // S3 takes one of a number of days, a date and the removal of delete markers; versions have two limits at once.
    const excludes = isNew && (element === "Expiration" || parts.some(({ name }) => name === unit));
    if (found.length > 1 || (hidden.length > 0 && (number === undefined || excludes))) {
      throw this.#conflict(field, element, hidden);
    }
    const others = parts.filter(({ name }) => name !== unit);
    const kept = number === undefined ? others : [...others, leaf(unit, number)];
    this.replace(element, kept.length === 0 ? undefined : branch(element, kept));
  }

  setTransition(days: number | undefined, storageClass: string | undefined): void {
    const found = this.node.children.filter(({ name }) => name === "Transition");
    if (found.length > 0 && readTransition(this.node) === undefined) {
      throw this.#conflict("transition_days", "Transition", []);
    }
    this.replace(
      "Transition",
      days === undefined || storageClass === undefined
        ? undefined
        : branch("Transition", [leaf("Days", days), leaf("StorageClass", storageClass)]),
    );
  }

  #conflict(field: string, element: string, others: readonly XmlNode[]) {
    const names = others.length === 0 ? [element] : others.map(({ name }) => `${element}.${name}`);
    return conflict(
      `rules.${this.#place}.${field}: cannot be changed, since the rule also has ${names.join(", ")}, ` +
        "which is not shown here.",
    );
  }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_LifecycleRule.html */
export const lifecycleRuleFormat: RuleFormat<LifecycleRule, WantedLifecycleRule> = {
  read,
  write,
  merge,
  describe: (wanted) => {
    const rule = meantRule(wanted);
    return JSON.stringify([
      describeFilter(rule),
      rule.enabled,
      ...actions.map(([field]) => rule[field]),
      rule.transition_days,
      rule.transition_storage_class,
    ]);
  },
};
