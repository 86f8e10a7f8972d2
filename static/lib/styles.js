// @ts-check
/// <reference lib="dom" />

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Loads a style sheet that the page's first view does without, once. Resolves when it is in force.
 * @param {string} name below the static files' address, such as `lazy.css`
 * @returns {Promise<void>}
 */
export function loadStyles(name) {
  const [present] = document.querySelectorAll(`link[rel="stylesheet"][href$="/${name}"]`);
  if (present && !loading.has(name)) return Promise.resolve();
  let done = loading.get(name);
  if (done === undefined) {
    done = append(name);
    loading.set(name, done);
    done.catch(() => loading.delete(name));
  }
  return done;
}

/**
 * @param {string} name
 * @returns {Promise<void>}
 */
function append(name) {
  const base = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="stylesheet"]'));
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(name, base.href).href;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`${name} could not be loaded`));
    };
    base.after(link);
  });
}
