// @ts-check
/// <reference lib="dom" />
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n.js";
import { visit } from "../navigation.js";
import { destinationPage, readDestination } from "../palette/destination.js";
import { html } from "../ui.js";
import { destinationOf, searchOf } from "./address.js";
import { bucketPage } from "./object_urls.js";

/** @import { Browser } from "./browser.js" */

/**
 * The path as text. It leads to an object or folder here or in another bucket, and wherever one of our own addresses does.
 * @param {{ browser: Browser, close: () => void }} props
 */
export function PathForm({ browser, close }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [wrong, setWrong] = useState(false);
  // Before the next key comes in, which belongs to the field already.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const text = input.current?.value ?? "";
    if (/^https?:\/\//i.test(text)) {
      const page = pageOfAddress(text, browser.backend.id);
      return page === null ? setWrong(true) : visit(page);
    }
    const to = destinationOf(text, browser.bucket);
    if (to === null) return setWrong(true);
    close();
    if (to.bucket === browser.bucket) browser.go(to.prefix, to.open);
    else visit(bucketPage(browser.backend.id, to.bucket) + searchOf(to));
  };
  return html`
    <form class="path-form" onSubmit=${submit}>
      <input ref=${input} class="input mono" aria-label=${t("browse.path_label")}
        autocomplete="off"
        autocapitalize="off" spellcheck=${false} aria-invalid=${wrong ? "true" : undefined}
        defaultValue=${`s3://${browser.bucket}/${browser.place.value.prefix}`}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) =>
          event.key === "Escape" && close()} onBlur=${close} />
    </form>
  `;
}

/**
 * The page that a web address leads to: one of ours, or that of a bucket which is open in the AWS console. `null` for any
 * other.
 *
 * @param {string} text
 * @param {string} backend the id of the one in which that bucket is
 */
function pageOfAddress(text, backend) {
  const to = readDestination(text, { origin: location.origin, backends: [], current: backend });
  if (to === null) return null;
  return "page" in to ? to.page : destinationPage(to.backend ?? backend, to);
}
