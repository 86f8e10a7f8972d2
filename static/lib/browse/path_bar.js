// @ts-check
/// <reference lib="dom" />
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { addShortcuts } from "../keys.js";
import { html, Icon, IconButton } from "../ui.js";
import { crumbs, destinationOf, searchOf } from "./address.js";
import { KeyLabel } from "./key_label.js";
import { bucketPage } from "./object_urls.js";

/** @import { Browser } from "./browser.js" */

/**
 * The way to the open folder, as links; and as text, to be typed over or pasted into.
 * @param {{ browser: Browser }} props
 */
export function PathBar({ browser }) {
  const [editing, setEditing] = useState(false);
  useEffect(
    () =>
      addShortcuts([{ keys: "g p", label: "Edit the path", group: "Browser", run: () => setEditing(true) }]),
    [],
  );
  return html`<div class="path-bar">
    ${
    editing ? html`<${PathForm} browser=${browser} close=${() => setEditing(false)} />` : html`
      <${Path} browser=${browser} />
      <${IconButton} icon="edit" label="Edit path" onClick=${() => setEditing(true)} />
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
    <nav class="path" aria-label="Folder" ref=${list}>
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

/** @param {{ browser: Browser, close: () => void }} props */
function PathForm({ browser, close }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [wrong, setWrong] = useState(false);
  // Before the next key comes in, which belongs to the field already.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const to = destinationOf(input.current?.value ?? "", browser.bucket);
    if (to === null) return setWrong(true);
    close();
    if (to.bucket === browser.bucket) browser.go(to.prefix, to.open);
    else location.assign(bucketPage(browser.backend.id, to.bucket) + searchOf(to));
  };
  return html`
    <form class="path-form" onSubmit=${submit}>
      <input ref=${input} class="input mono" aria-label="Path: a key, s3://bucket/key or an ARN"
        autocomplete="off"
        autocapitalize="off" spellcheck=${false} aria-invalid=${wrong ? "true" : undefined}
        defaultValue=${`s3://${browser.bucket}/${browser.place.value.prefix}`}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) =>
          event.key === "Escape" && close()} onBlur=${close} />
    </form>
  `;
}
