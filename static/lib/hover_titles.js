// @ts-check
/// <reference lib="dom" />

/** Buttons that are only an icon, some of them only where there is no room for more. */
const iconButtons = ":is(.icon-button, .label-wide)[aria-label]";

/**
 * Shows from now on what a button that is only an icon is for, while a mouse points at it. A `title` that always stood there
 * would be read aloud after the name that it repeats.
 */
export function showTitlesOnHover() {
  /** @type {Element | null} */
  let titled = null;
  const clear = () => {
    titled?.removeAttribute("title");
    titled = null;
  };
  document.addEventListener("pointerover", ({ target, pointerType }) => {
    const button = target instanceof Element ? target.closest(iconButtons) : null;
    if (button !== titled) clear();
    if (pointerType === "mouse" && button?.hasAttribute("title") === false) titled = button;
    titled?.setAttribute("title", titled.getAttribute("aria-label") ?? "");
  }, { passive: true });
  // A click may change what the button is for.
  document.addEventListener("click", clear, { capture: true, passive: true });
}
