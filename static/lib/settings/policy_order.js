// @ts-check

/**
 * Puts the lists of a policy's texts in order, for `JSON.parse`: its actions, resources, principals and values are sets, and
 * MinIO answers them in another order each time.
 * @param {string} _name
 * @param {unknown} value
 */
export function withListsInOrder(_name, value) {
  return Array.isArray(value) && value.every((item) => typeof item !== "object") ? value.toSorted() : value;
}
