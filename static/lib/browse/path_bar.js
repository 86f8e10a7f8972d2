// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n.js";
import { addShortcuts } from "../keys.js";
import { html, Icon, IconButton } from "../ui.js";
import { crumbs } from "./address.js";
import { KeyLabel } from "./key_label.js";
import { bucketLinks, pathForm } from "./lazy_parts.js";

/** @import { Browser } from "./browser.js" */

/**
 * The way to the open folder, as links; and as text, to be typed over or pasted into.
 * @param {{ browser: Browser }} props
 */
export function PathBar({ browser }) {
  const [editing, setEditing] = useState(false);
  const edit = () => pathForm.load().then(() => setEditing(true), () => {});
  useEffect(
    () =>
      addShortcuts([{
        keys: "g p",
        label: t("browse.key_edit_path"),
        group: t("browse.key_group"),
        run: edit,
      }]),
    [],
  );
  return html`<div class="path-bar">
    ${
    editing ? html`<${pathForm.View} browser=${browser} close=${() => setEditing(false)} />` : html`
      <${Path} browser=${browser} />
      <${IconButton} icon="edit" label=${t("browse.edit_path")} onClick=${edit} />
      <${bucketLinks.View} browser=${browser} />
    `
  }
  </div>`;
}

/** @param {{ browser: Browser }} props */
function Path({ browser }) {
  const { prefix } = browser.place.value;
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => list.current?.scrollTo({ left: list.current.scrollWidth }), [prefix]);
  const steps = [{ name: "", prefix: "" }, ...crumbs(prefix)];
  const go = (/** @type {MouseEvent} */ event, /** @type {string} */ to) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    browser.go(to);
  };
  return html`
    <nav class="path" aria-label=${t("common.folder")} ref=${list}>
      <ol>${steps.map(({ name, prefix: to }, index) => {
        const last = index === steps.length - 1;
        return html`<li key=${to}>
        <a href=${browser.href({ prefix: to })} aria-current=${last ? "page" : undefined}
          onClick=${(/** @type {MouseEvent} */ event) => go(event, to)}>${
          index === 0
            ? html`<${Icon} name="bucket" /><span>${browser.bucket}</span>`
            : html`<${KeyLabel} name=${name} />`
        }</a></li>`;
      })}</ol>
    </nav>
  `;
}
