// @ts-check
/// <reference lib="dom" />
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { destinationOf } from "./address.js";

/** @import { Browser } from "./browser.js" */

/**
 * The path as text. It leads to an object or folder here or in another bucket, and wherever one of our own addresses does.
 * @param {{ browser: Browser, close: () => void }} props
 */
export function PathForm({ browser, close }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  // Before the next key comes in, which belongs to the field already.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const text = input.current?.value ?? "";
    const here = /^https?:\/\//i.test(text) ? null : destinationOf(text, browser.bucket);
    if (here?.bucket === browser.bucket) {
      close();
      return browser.go(here.prefix, here.open);
    }
    setBusy(true);
    try {
      // Which backend has another bucket must be found first.
      const { goTo } = await import("../palette/go.js");
      await goTo(text);
      close();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setBusy(false);
    }
  };
  return html`
    <form class="path-form path-edit-form" onSubmit=${submit}>
      <input ref=${input} class="input mono" aria-label=${t("browse.path_label")}
        autocomplete="off"
        autocapitalize="off" spellcheck=${false} readonly=${busy} aria-invalid=${error ? "true" : undefined}
        aria-describedby="path-error"
        defaultValue=${`s3://${browser.bucket}/${browser.place.value.prefix}`} onInput=${() => setError("")}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close()} onBlur=${() =>
          !busy && close()} />
      <p class="path-edit-error" id="path-error" role="alert">${error}</p>
    </form>
  `;
}
