import type { z } from "zod";
import { nearest } from "./nearest.ts";
import { type Finding, formatPath, formatValue, type KeyPath } from "./problem.ts";
import { configSchema } from "./schema.ts";
import { keysAt, leafKeys } from "./schema_keys.ts";

type Issue = z.core.$ZodIssue;

/** Puts what the schema found wrong with `tree` into the words of the configuration's errors. */
export function schemaFindings(issues: readonly Issue[], tree: unknown): Finding[] {
  return issues.flatMap((issue) => {
    const path = issue.path.filter((part) => typeof part !== "symbol");
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: [...path, key], rule: unknownKeyRule(path, key) }));
    }
    const value = valueAt(tree, path);
    const shown = value === undefined || isEmpty(value) || isSecret(issue) ? undefined : formatValue(value);
    return [{ path, value: shown, rule: rule(issue, value) }];
  });
}

function isSecret(issue: Issue): boolean {
  return issue.code === "custom" && issue.params?.secret === true;
}

/** Whether there is nothing in a value, so that its rule alone says what is wrong. */
function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

function rule(issue: Issue, value: unknown): string {
  if (issue.code === "custom") return issue.message;
  if (value === undefined) return "is required";
  if (isEmpty(value)) return "must not be empty";
  switch (issue.code) {
    case "invalid_type":
      return `is not ${typeNames[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return optionsRule(issue.values.filter((option) => option !== "").map(String));
    case "too_small":
      return `is less than ${issue.minimum}`;
    case "too_big":
      return `is more than ${issue.maximum}`;
    default:
      return issue.message;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
};

function optionsRule(options: string[]): string {
  return options.length === 1
    ? `is not supported: only ${options[0]} is`
    : `is not one of ${options.join(", ")}`;
}

/** An unknown key is a slip of a neighbour, or a known key in the wrong section. */
function unknownKeyRule(path: KeyPath, key: string): string {
  const neighbour = nearest(key, keysAt(configSchema, path));
  const meant = neighbour === null
    ? leafKeys(configSchema).find((known) => known.endsWith(`.${key}`) && !known.includes("[]"))
    : formatPath([...path, neighbour]);
  return meant === undefined ? "is not a known key" : `is not a known key; did you mean ${meant}?`;
}

function valueAt(tree: unknown, path: KeyPath): unknown {
  let current = tree;
  for (const part of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, part)) return undefined;
    current = Reflect.get(current, part);
  }
  return current;
}
