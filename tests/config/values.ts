/** The value that `tree` has at a dotted path such as `server.listen`; `undefined` where it has none. */
export function valueAt(tree: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>(
    (value, key) => typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined,
    tree,
  );
}
