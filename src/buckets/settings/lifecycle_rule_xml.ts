import { conflict } from "../../problem.ts";
import { childOf, textOf, type XmlNode } from "../../xml/reader.ts";
import { invalidRules } from "../rule_list.ts";
import type { LifecycleRule } from "./lifecycle_rules.ts";
import { branch, leaf, type RuleFormat } from "./merge.ts";

/** Elements of a rule that say when it applies; every other one is something that it does. */
const scopeElements = new Set(["ID", "Status", "Prefix", "Filter"]);

/** Actions that happen after some days: the field, the action's element, and the element of the days within it. */
const actions = [
  ["expiration_days", "Expiration", "Days"],
  ["noncurrent_expire_days", "NoncurrentVersionExpiration", "NoncurrentDays"],
  ["abort_incomplete_days", "AbortIncompleteMultipartUpload", "DaysAfterInitiation"],
] as const;

type Action = typeof actions[number];

/** An action's days as they are stored, if that is all that can be said about them. */
function readDays(node: XmlNode, [, element, unit]: Action): number | undefined {
  const found = node.children.filter(({ name }) => name === element);
  return found.length === 1 ? wholeDays(textOf(found[0], unit)) : undefined;
}

function wholeDays(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*[1-9]\d{0,9}\s*$/.test(text) ? Number(text) : undefined;
}

/** The only transition of a rule, when it is one after some days; a rule may have several, and on a date. */
function readTransition(node: XmlNode): { days: number; storageClass: string } | undefined {
  const [only, ...others] = node.children.filter(({ name }) => name === "Transition");
  if (only === undefined || others.length > 0 || only.children.length !== 2) return undefined;
  const days = wholeDays(textOf(only, "Days"));
  const storageClass = textOf(only, "StorageClass");
  return days === undefined || !storageClass ? undefined : { days, storageClass };
}

/** What a rule selects objects by besides their prefix, be it one condition or several. */
function otherConditions(node: XmlNode): XmlNode[] {
  return conditions(node).filter(({ name }) => name !== "Prefix");
}

function conditions(node: XmlNode): readonly XmlNode[] {
  const filter = childOf(node, "Filter");
  if (filter === undefined) return [];
  return filter.children.flatMap((child) => child.name === "And" ? child.children : [child]);
}

function readPrefix(node: XmlNode): string {
  // The first is how rules were written before there were filters.
  return textOf(node, "Prefix") ?? conditions(node).find(({ name }) => name === "Prefix")?.text ?? "";
}

function listUnmodeled(node: XmlNode): string[] {
  const found = otherConditions(node).map(({ name }) => `Filter.${name}`);
  for (const { name, children } of node.children) {
    if (scopeElements.has(name)) continue;
    const action = actions.find(([, element]) => element === name);
    if (action === undefined) {
      if (name !== "Transition" || readTransition(node) === undefined) found.push(name);
    } else if (readDays(node, action) === undefined && children.every((child) => child.name === action[2])) {
      found.push(name);
    } else {
      found.push(
        ...children.filter((child) => child.name !== action[2]).map((child) => `${name}.${child.name}`),
      );
    }
  }
  return [...new Set(found)];
}

function read(node: XmlNode): LifecycleRule {
  const transition = readTransition(node);
  const unmodeled = listUnmodeled(node);
  return {
    id: textOf(node, "ID") || undefined,
    prefix: readPrefix(node),
    enabled: textOf(node, "Status") === "Enabled",
    ...Object.fromEntries(actions.map((action) => [action[0], readDays(node, action)])),
    transition_days: transition?.days,
    transition_storage_class: transition?.storageClass,
    unmodeled: unmodeled.length === 0 ? undefined : unmodeled,
  };
}

function write(rule: LifecycleRule, place: number): XmlNode {
  const blank = branch("Rule", [
    ...(rule.id === undefined ? [] : [leaf("ID", rule.id)]),
    leaf("Status", ""),
    branch("Filter", [leaf("Prefix", "")]),
  ]);
  return merge(blank, rule, place);
}

function merge(stored: XmlNode, rule: LifecycleRule, place: number): XmlNode {
  const before = read(stored);
  const edit = new RuleEdit(stored, place);
  if (rule.enabled !== before.enabled || textOf(stored, "Status") === "") {
    edit.replace("Status", leaf("Status", rule.enabled ? "Enabled" : "Disabled"));
  }
  if (rule.prefix !== before.prefix) edit.setPrefix(rule.prefix);
  for (const action of actions) {
    if (rule[action[0]] !== before[action[0]]) edit.setDays(action, rule[action[0]]);
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

  setPrefix(prefix: string): void {
    if (childOf(this.node, "Prefix") !== undefined) return this.replace("Prefix", leaf("Prefix", prefix));
    const others = otherConditions(this.node);
    const all = prefix === "" && others.length > 0 ? others : [leaf("Prefix", prefix), ...others];
    this.replace("Filter", branch("Filter", all.length === 1 ? all : [branch("And", all)]));
  }

  setDays([field, element, unit]: Action, days: number | undefined): void {
    const found = this.node.children.filter(({ name }) => name === element);
    const others = found.flatMap(({ children }) => children.filter(({ name }) => name !== unit));
    const isNew = found.length === 1 && childOf(found[0], unit) === undefined;
    // S3 takes one of a number of days, a date and the removal of delete markers; versions have two limits at once.
    const excludes = isNew && element === "Expiration";
    if (found.length > 1 || (others.length > 0 && (days === undefined || excludes))) {
      throw this.#conflict(field, element, others);
    }
    this.replace(element, days === undefined ? undefined : branch(element, [leaf(unit, days), ...others]));
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
export const lifecycleRuleFormat: RuleFormat<LifecycleRule> = {
  read,
  write,
  merge,
  describe: (rule) =>
    JSON.stringify([
      rule.prefix,
      rule.enabled,
      ...actions.map(([field]) => rule[field]),
      rule.transition_days,
      rule.transition_storage_class,
    ]),
};
