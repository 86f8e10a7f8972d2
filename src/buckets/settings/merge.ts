import { conflict } from "../../problem.ts";
import type { XmlNode } from "../../xml/reader.ts";

/** What all rules have that are shown: a name, and what of them their form cannot show. */
export interface NamedRule {
  readonly id?: string;
  /** Elements of the stored rule that the form does not show, such as `Filter.Tag`. */
  readonly unmodeled?: readonly string[];
}

/**
 * How the rules of one kind of document are read and written. `Wanted` is a rule as a client sends it, for formats in which
 * it may leave open what a shown one says.
 */
export interface RuleFormat<Rule extends Wanted, Wanted extends NamedRule = Rule> {
  /** The form of a stored rule. */
  read(node: XmlNode): Rule;
  /** A rule that is not stored yet; `place` is that in the list, counted from 0, for errors. */
  write(rule: Wanted, place: number): XmlNode;
  /** A stored rule, its form's part replaced and all else kept. Throws 409 `conflict` where these do not go together. */
  merge(stored: XmlNode, rule: Wanted, place: number): XmlNode;
  /** A text that is equal for rules of which the form says the same, whatever their ids. */
  describe(rule: Wanted): string;
}

/**
 * The rules that a client wants, each with all that the stored rule has which it stands for: that of the same id, or else
 * one of which the form says the same. `isInformed` tells that the client has seen what is stored. Throws 409 `conflict`
 * when something would get lost of which the form shows nothing.
 */
export function mergeRules<Rule extends Wanted, Wanted extends NamedRule>(
  stored: readonly XmlNode[],
  wanted: readonly Wanted[],
  format: RuleFormat<Rule, Wanted>,
  isInformed: boolean,
): XmlNode[] {
  const left = stored.map((node) => {
    const rule = format.read(node);
    return { node, rule, description: format.describe(rule) };
  });
  const take = (matches: (candidate: typeof left[number]) => boolean): XmlNode | undefined => {
    const index = left.findIndex(matches);
    return index < 0 ? undefined : left.splice(index, 1)[0].node;
  };
  const byId = wanted.map(({ id }) => id === undefined ? undefined : take(({ rule }) => rule.id === id));
  let hasNewWithoutId = false;
  const nodes = wanted.map((rule, place) => {
    const description = format.describe(rule);
    const same = byId[place] ??
      (rule.id === undefined ? take((candidate) => candidate.description === description) : undefined);
    if (same !== undefined) return format.merge(same, rule, place);
    requireShown(rule, place);
    hasNewWithoutId ||= rule.id === undefined;
    return format.write(rule, place);
  });
  for (const { rule } of left) {
    // Where neither has an id, a rule that was changed cannot be told from one that was removed.
    if (!isInformed || (rule.id === undefined && hasNewWithoutId)) requireNothingLost(rule);
  }
  return nodes;
}

function requireNothingLost({ id = "", unmodeled }: NamedRule): void {
  if (unmodeled === undefined) return;
  throw conflict(
    `The rule "${id}" says more than is shown here (${unmodeled.join(", ")}). ` +
      "To remove it, send the ETag of the rules you have seen as If-Match, and no new rule without an id.",
  );
}

/** A rule that was shown with something missing must not come back under another id, without what is missing. */
function requireShown({ unmodeled }: NamedRule, place: number): void {
  if (unmodeled === undefined || unmodeled.length === 0) return;
  throw conflict(
    `rules.${place}: the rule says more than is shown here (${
      unmodeled.join(", ")
    }), and cannot get another id.`,
  );
}

/** A child element with nothing but text. */
export function leaf(name: string, text: string | number): XmlNode {
  return { name, children: [], text: String(text) };
}

/** An element with other elements in it. */
export function branch(name: string, children: readonly XmlNode[]): XmlNode {
  return { name, children, text: "" };
}
