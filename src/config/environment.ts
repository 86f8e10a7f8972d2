import type { KeyPath } from "./problem.ts";
import { isTree, type Tree } from "./source.ts";

/** Where environment variables are read from. */
export interface Environment {
  get(name: string): string | undefined;
}

/** A variable that was put in place of what the file says. */
export interface Override {
  readonly variable: string;
  readonly path: KeyPath;
}

/** The variables that override keys of the file, as the specification lists them. */
const overridableKeys: readonly Override[] = [
  { variable: "SERVICE_LISTEN", path: ["server", "listen"] },
  { variable: "SERVICE_PUBLIC_URL", path: ["server", "public_url"] },
  { variable: "SERVICE_LOG_LEVEL", path: ["log", "level"] },
  { variable: "SERVICE_LOG_FORMAT", path: ["log", "format"] },
  { variable: "SERVICE_SQLITE_PATH", path: ["db", "sqlite", "path"] },
  { variable: "SERVICE_SECRET_KEY_FILE", path: ["server", "secret_key_file"] },
];

/** An environment variable that is set; one set to nothing counts as not set. */
export function readVariable(environment: Environment, name: string): string | undefined {
  return environment.get(name) || undefined;
}

/** Puts the variables that are set into a copy of `tree`, and says which those were. */
export function applyEnvironment(
  tree: Tree,
  environment: Environment,
): { tree: Tree; overrides: Override[] } {
  const overridden = structuredClone(tree);
  const overrides = overridableKeys.filter(({ variable, path }) => {
    const value = readVariable(environment, variable);
    return value !== undefined && setAt(overridden, path, value);
  });
  return { tree: overridden, overrides };
}

/** Sets a key, making the sections around it; `false` when one of those is no mapping, which is an error of its own. */
function setAt(tree: Tree, path: KeyPath, value: string): boolean {
  let section = tree;
  for (const part of path.slice(0, -1)) {
    const next = section[part] ??= {};
    if (!isTree(next)) return false;
    section = next;
  }
  section[path[path.length - 1]] = value;
  return true;
}
