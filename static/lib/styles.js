// @ts-check
/// <reference lib="dom" />

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Loads a style sheet that the page's first view does without, once; with `lazy.css` the one of an object's details, which
 * it goes on from. Resolves when it is in force.
 * @param {string} name below the static files' address, such as `lazy.css`
 */
export async function loadStyles(name) {
  await Promise.all([name, name === "lazy.css" ? "details.css" : name].map(loadSheet));
}

/**
 * @param {string} name
 * @returns {Promise<void>}
 */
function loadSheet(name) {
  let done = loading.get(name);
  if (done === undefined) {
    done = document.querySelector(`link[rel="stylesheet"][href$="/${name}"]`)
      ? Promise.resolve()
      : append(name);
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
