// @ts-check

/** The longest id that the API takes. */
const maxLength = 63;

/**
 * An id for a backend of this name: lower-case letters, digits and hyphens, as the API wants it; empty for a name with
 * no Latin letter or digit. `Büro, Köln 2` → `buro-koln-2`.
 * @param {string} name
 */
export function backendIdOf(name) {
  return name.normalize("NFKD").replace(/\p{Mark}/gu, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").replace(/^-/, "").slice(0, maxLength).replace(/-$/, "");
}
