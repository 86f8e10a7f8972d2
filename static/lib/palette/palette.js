// @ts-check
/// <reference lib="dom" />
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { openDialog } from "../dialog.js";
import { html } from "../html.js";
import { t } from "../i18n.js";
import { Icon } from "../icons.js";
import { keyNames } from "../key_names.js";
import { loadStyles } from "../styles.js";
import { toastError } from "../toast.js";
import { destinationHere, goTo, reachableBackendIds } from "./go.js";
import {
  actionEntries,
  loadBuckets,
  offersFor,
  pageEntries,
  placeEntries,
  searchOffer,
  sectionTitle,
} from "./entries.js";

/** @import { Entry, Offer, Section } from "./entries.js" */

/** What the shell can do besides what has a shortcut. @typedef {{ toggleTheme: () => void, signOut: () => void }} Shell */

/**
 * Opens the palette, and does what is chosen in it once it is closed.
 * @param {Shell} shell
 */
export async function openPalette(shell) {
  await loadStyles("lazy.css");
  // What the keys mean is that of the page behind, which no dialog is in front of yet.
  const known = [...actionEntries(), ...shellEntries(shell), ...pageEntries()];
  const chosen = await openDialog(
    /** @param {import("../dialog.js").DialogControls<Entry>} controls */
    ({ close }) => html`<${Palette} close=${close} known=${known} />`,
    { size: "palette", label: t("palette.title") },
  );
  try {
    await chosen?.run();
  } catch (error) {
    toastError(t("palette.failed"), error);
  }
}

/**
 * @param {Shell} shell
 * @returns {Entry[]}
 */
function shellEntries({ toggleTheme, signOut }) {
  return [
    { section: "actions", id: "theme", label: t("frame.switch_theme"), icon: "theme", run: toggleTheme },
    { section: "actions", id: "sign-out", label: t("frame.sign_out"), icon: "sign-out", run: signOut },
  ];
}

/** @param {{ close: (chosen?: Entry) => void, known: readonly Entry[] }} props */
function Palette({ close, known }) {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const { places, buckets, loading } = usePlaces();
  const offers = useMemo(() => {
    const matching = offersFor([...places, ...known, ...buckets], query);
    return [...pathOffer(query), ...matching, ...searchOffer(query)];
  }, [query, places, buckets]);
  const index = Math.min(active, offers.length - 1);
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [
    index,
    offers,
  ]);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const to = movedTo(event.key, index, offers.length);
    if (to !== null) setActive(to);
    else if (event.key === "Enter" && !event.isComposing) close(offers[index]?.entry);
    else return;
    event.preventDefault();
  };
  const onInput = (/** @type {any} */ event) => {
    setQuery(event.target.value);
    setActive(0);
  };
  return html`
    <div class="palette">
      <div class="palette-head">
        <${Icon} name="search" />
        <input class="palette-input" type="text" role="combobox" aria-expanded="true" aria-controls="palette-list"
          aria-autocomplete="list" aria-activedescendant=${index < 0 ? undefined : `palette-${index}`}
          aria-label=${t("palette.title")} placeholder=${t("palette.placeholder")} autocomplete="off"
          autocapitalize="off" spellcheck=${false} data-autofocus="" value=${query} onInput=${onInput}
          onKeyDown=${onKeyDown} />
        <button type="button" class="icon-button palette-close" aria-label=${t("common.close")}
          onClick=${() => close()}><${Icon} name="close" /></button>
      </div>
      <div class="palette-list" id="palette-list" role="listbox" aria-label=${t(
        "palette.results",
      )} ref=${list}
        aria-busy=${loading ? "true" : undefined}>
        ${sectionsOf(offers).map(([section, numbered]) =>
          html`
            <div key=${section} role="group" aria-label=${sectionTitle(section)}>
              <p class="palette-section" aria-hidden="true">${sectionTitle(section)}</p>
              ${numbered.map(([number, offer]) =>
                html`
                  <${Option} key=${offer.entry.id} id="palette-${number}" offer=${offer}
                    selected=${number === index} onPoint=${() => setActive(number)}
                    onChoose=${() => close(offer.entry)} />
                `
              )}
            </div>
          `
        )}
      </div>
      ${offers.length === 0 && html`<p class="palette-none">${t("palette.none")}</p>`}
      <p class="palette-foot" aria-hidden="true">
        <span><kbd>↑</kbd> <kbd>↓</kbd> ${t("palette.hint_move")}</span>
        <span><kbd>${keyNames("Enter")}</kbd> ${t("palette.hint_open")}</span>
        <span><kbd>${keyNames("Escape")}</kbd> ${t("palette.hint_close")}</span>
      </p>
      <p class="visually-hidden" role="status">${t("palette.count", { n: offers.length })}</p>
    </div>
  `;
}

/**
 * @param {{ id: string, offer: Offer, selected: boolean, onPoint: () => void, onChoose: () => void }} props
 */
function Option({ id, offer: { entry: { label, detail, icon, keys }, marks }, selected, onPoint, onChoose }) {
  return html`
    <div class="palette-option" id=${id} role="option" aria-selected=${selected ? "true" : "false"}
      onPointerMove=${selected ? undefined : onPoint} onClick=${onChoose}>
      <${Icon} name=${icon} />
      <span class="palette-label">${highlighted(label, marks)}</span>
      ${detail && html`<span class="palette-detail">${detail}</span>`}
      ${keys &&
        html`<span class="palette-keys">${keyNames(keys).map((name) => html`<kbd>${name}</kbd>`)}</span>`}
    </div>
  `;
}

/**
 * What was loaded when the palette was open last.
 * @type {{ places: readonly Entry[], buckets: readonly Entry[] }}
 */
const last = { places: [], buckets: [] };

/** The places that are loaded while the palette is open. Those of the last time are there at once. */
function usePlaces() {
  const [places, setPlaces] = useState(last.places);
  const [buckets, setBuckets] = useState(last.buckets);
  const [loading, setLoading] = useState(true);
  useEffect(() => {
    let open = true;
    /** @type {Entry[]} */
    const found = [];
    const add = (/** @type {Entry[]} */ entries) => {
      found.push(...entries);
      if (open && found.length > last.buckets.length) setBuckets([...found]);
    };
    const load = async () => {
      const loadPlaces = async () => {
        last.places = await placeEntries();
        if (open) setPlaces(last.places);
      };
      await Promise.all([loadPlaces(), loadBuckets(reachableBackendIds(), add)]);
      last.buckets = found;
      if (!open) return;
      setBuckets(found);
      setLoading(false);
    };
    load();
    return () => open = false;
  }, []);
  return { places, buckets, loading };
}

/**
 * A typed path leads there.
 * @param {string} query
 * @returns {Offer[]}
 */
function pathOffer(query) {
  if (!query.includes("/") && !query.startsWith("arn:")) return [];
  if (destinationHere(query) === null) return [];
  const label = t("palette.go_to", { path: query.trim() });
  const run = () => goTo(query);
  return [{ entry: { section: "path", id: "path", label, icon: "arrow-right", run }, marks: new Set() }];
}

/**
 * Offers by section, each with its number.
 * @param {readonly Offer[]} offers
 * @returns {Array<[Section, Array<[number, Offer]>]>}
 */
function sectionsOf(offers) {
  const numbered = /** @type {Array<[number, Offer]>} */ ([...offers.entries()]);
  return [...Map.groupBy(numbered, ([, { entry }]) => entry.section)];
}

/**
 * Where a key moves to, from the end on to the start.
 * @param {string} key
 * @param {number} index
 * @param {number} count
 */
function movedTo(key, index, count) {
  if (count === 0) return null;
  if (key === "ArrowDown") return (index + 1) % count;
  if (key === "ArrowUp") return (index + count - 1) % count;
  if (key === "PageDown") return Math.min(count - 1, index + 8);
  if (key === "PageUp") return Math.max(0, index - 8);
  return null;
}

/**
 * A label with the letters that were typed marked, those side by side together.
 * @param {string} label
 * @param {ReadonlySet<number>} marks
 */
function highlighted(label, marks) {
  if (marks.size === 0) return label;
  /** @type {Array<{ text: string, marked: boolean }>} */
  const pieces = [];
  for (const [index, letter] of label.split("").entries()) {
    const marked = marks.has(index);
    const last = pieces.at(-1);
    if (last?.marked === marked) last.text += letter;
    else pieces.push({ text: letter, marked });
  }
  return pieces.map(({ text, marked }) => marked ? html`<mark>${text}</mark>` : text);
}
