// @ts-check
/// <reference lib="dom" />

/**
 * Whether something under way would be lost with the document, such as an upload: asked as the browser asks before it
 * leaves.
 */
export function losesWorkByLeaving() {
  return !dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

/** Whether something has been typed into the page, or a dialog is open over it. */
export function hasTypedWork() {
  if (document.querySelector("dialog[open]") !== null) return true;
  const fields = document.querySelectorAll("main :is(input:not([type=checkbox], [type=radio]), textarea)");
  return [...fields].some((field) => {
    const { value, defaultValue } = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (field);
    return value !== defaultValue;
  });
}
