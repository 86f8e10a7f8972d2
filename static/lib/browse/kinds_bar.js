// @ts-check
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { kindOf, kinds } from "./kinds.js";

/** @import { Browser } from "./browser.js" */
/** @import { Kind } from "./kinds.js" */
/** @import { MessageKey } from "../i18n.js" */

/** @type {Readonly<Record<Kind, MessageKey>>} */
const labels = {
  folder: "browse.kind_folder",
  image: "browse.kind_image",
  video: "browse.kind_video",
  audio: "browse.kind_audio",
  document: "browse.kind_document",
  archive: "browse.kind_archive",
  other: "browse.kind_other",
};

/**
 * The kinds of rows, each with how many of it are loaded, to choose which are shown.
 * @param {{ browser: Browser }} props
 */
export function KindsBar({ browser }) {
  browser.loader.version.value;
  const { kinds: chosen = "", filter } = browser.place.value;
  const wanted = chosen === "" ? [] : chosen.split(",");
  const counts = new Map(kinds.map((kind) => [kind, 0]));
  for (const entry of browser.loader.listing.value.rows(filter)) {
    const kind = kindOf(entry);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const toggle = (/** @type {Kind} */ kind) => {
    const next = wanted.includes(kind) ? wanted.filter((other) => other !== kind) : [...wanted, kind];
    browser.alter({ kinds: next.join(",") });
  };
  return html`<div class="kinds-bar" role="group" aria-label=${t("browse.filter_by_type")}>${
    kinds.filter((kind) => wanted.includes(kind) || (counts.get(kind) ?? 0) > 0).map((kind) =>
      html`
        <button type="button" key=${kind} class="kind-chip" aria-pressed=${wanted.includes(kind)
          ? "true"
          : "false"}
          onClick=${() => toggle(kind)}>${t(labels[kind])} <span class="number">${counts.get(
            kind,
          )}</span></button>
      `
    )
  }</div>`;
}
