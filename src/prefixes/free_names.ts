/** So many names are tried. */
const maxNames = 1000;

/**
 * A key, and others that it can have when it is taken: `a/photo.jpg`, `a/photo (1).jpg`, `a/photo (2).jpg`. The number of a
 * folder's key stands before its last slash.
 */
export function* freeNames(key: string): Generator<string> {
  yield key;
  const [, path, name, ending] = /^(.*\/)?([^/]+?)(\/|\.[^./]+)?$/s.exec(key) ?? ["", "", key, ""];
  for (let number = 1; number < maxNames; number++) yield `${path ?? ""}${name} (${number})${ending ?? ""}`;
}
