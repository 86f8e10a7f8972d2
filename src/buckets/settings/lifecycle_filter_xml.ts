import { childOf, textOf, type XmlNode } from "../../xml/reader.ts";
import type { LifecycleRule } from "./lifecycle_rules.ts";
import { branch, leaf } from "./merge.ts";

/** The fields of a rule that say which objects it is about. */
export type LifecycleFilter = Pick<
  LifecycleRule,
  "prefix" | "tags" | "larger_than_bytes" | "smaller_than_bytes"
>;

/** The fields that each are one kind of condition, in the order of S3's schema: what is stored, and how it is read. */
const fields = [
  { field: "tags", element: "Tag", read: readTags, write: writeTags },
  { field: "larger_than_bytes", element: "ObjectSizeGreaterThan", read: readBytes, write: writeBytes },
  { field: "smaller_than_bytes", element: "ObjectSizeLessThan", read: readBytes, write: writeBytes },
] as const;

/** Which objects a stored rule is about, as far as the fields can say it. */
export function readFilter(rule: XmlNode): LifecycleFilter {
  return {
    // The first is how rules were written before there were filters.
    prefix: textOf(rule, "Prefix") ?? named(rule, "Prefix").at(0)?.text ?? "",
    tags: readTags(named(rule, "Tag")),
    larger_than_bytes: readBytes(named(rule, "ObjectSizeGreaterThan")),
    smaller_than_bytes: readBytes(named(rule, "ObjectSizeLessThan")),
  };
}

/** The names of a stored rule's conditions that {@link readFilter} does not show. */
export function listHiddenConditions(rule: XmlNode): string[] {
  return hiddenConditions(rule).map(({ name }) => name);
}

/** A text that is equal for filters that say the same. */
export function describeFilter(
  { prefix, tags = [], larger_than_bytes, smaller_than_bytes }: LifecycleFilter,
) {
  const sorted = tags.map(({ key, value }) => [key, value]).sort(([one], [other]) => one < other ? -1 : 1);
  return JSON.stringify([prefix, sorted, larger_than_bytes, smaller_than_bytes]);
}

/** The first field that is wanted where a condition is stored that it cannot show. */
export function hiddenFieldChanged(
  rule: XmlNode,
  wanted: LifecycleFilter,
): keyof LifecycleFilter | undefined {
  const hidden = new Set(listHiddenConditions(rule));
  return fields.find(({ field, element, write }) =>
    write(element, wanted[field] as never).length > 0 && hidden.has(element)
  )?.field;
}

/** The elements of a rule with another filter; conditions that the fields cannot show are kept. */
export function withFilter(rule: XmlNode, wanted: LifecycleFilter): XmlNode {
  const shown = fields.flatMap(({ field, element, write }) => write(element, wanted[field] as never));
  const others = [...shown, ...hiddenConditions(rule)];
  const filters = ["Prefix", "Filter"];
  const place = rule.children.findIndex(({ name }) => filters.includes(name));
  // A rule of the time before filters stays one as long as a prefix is all that it says.
  const filter = childOf(rule, "Prefix") !== undefined && others.length === 0
    ? leaf("Prefix", wanted.prefix)
    : filterOf(wanted.prefix, others);
  const children = rule.children.flatMap((child, index) =>
    index === place ? [filter] : filters.includes(child.name) ? [] : [child]
  );
  return branch(rule.name, place < 0 ? [...children, filter] : children);
}

function filterOf(prefix: string, others: readonly XmlNode[]): XmlNode {
  const all = prefix === "" && others.length > 0 ? others : [leaf("Prefix", prefix), ...others];
  return branch("Filter", all.length === 1 ? all : [branch("And", all)]);
}

/** What a rule selects objects by, be it one condition or several. */
function conditions(rule: XmlNode): readonly XmlNode[] {
  const filter = childOf(rule, "Filter");
  if (filter === undefined) return [];
  return filter.children.flatMap((child) => child.name === "And" ? child.children : [child]);
}

function named(rule: XmlNode, element: string): XmlNode[] {
  return conditions(rule).filter(({ name }) => name === element);
}

function hiddenConditions(rule: XmlNode): XmlNode[] {
  const shown = fields.filter(({ element, read }) => read(named(rule, element)) !== undefined)
    .map(({ element }): string => element);
  return conditions(rule).filter(({ name }) => name !== "Prefix" && !shown.includes(name));
}

/** The tags that an object needs, if there are any and each is a key with a value of its own. */
function readTags(nodes: readonly XmlNode[]): LifecycleRule["tags"] {
  const tags = nodes.flatMap((node) => {
    // MinIO leaves out a value that is empty.
    const [key, value = ""] = [textOf(node, "Key"), textOf(node, "Value")];
    const isWhole = node.children.every(({ name }) => name === "Key" || name === "Value");
    return key && isWhole ? [{ key, value }] : [];
  });
  const keys = new Set(tags.map(({ key }) => key));
  return keys.size > 0 && keys.size === nodes.length ? tags : undefined;
}

function writeTags(element: string, tags: LifecycleRule["tags"] = []): XmlNode[] {
  return tags.map(({ key, value }) => branch(element, [leaf("Key", key), leaf("Value", value)]));
}

function readBytes(nodes: readonly XmlNode[]): number | undefined {
  const [only, ...others] = nodes;
  const bytes = only !== undefined && others.length === 0 && /^\s*\d{1,15}\s*$/.test(only.text);
  return bytes ? Number(only.text) : undefined;
}

function writeBytes(element: string, bytes: number | undefined): XmlNode[] {
  return bytes === undefined ? [] : [leaf(element, bytes)];
}
