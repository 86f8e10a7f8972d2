// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";
import { ShowCommand } from "../commands.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { Field } from "../fields.js";
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { Segmented } from "../segmented.js";
import { loadStyles } from "../styles.js";
import { Button, html, Icon, Notice } from "../ui.js";
import { everything } from "./copy_attributes.js";
import { copyCommands } from "./copy_commands.js";
import { CopyOptions } from "./copy_options.js";
import { KeyLabel } from "./key_label.js";
import { PlacePicker } from "./place_picker.js";
import { rememberTarget } from "./recent_targets.js";
import { sourcesOf } from "./selection_request.js";
import { transfer } from "./transfer.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Browser } from "./browser.js" */
/** @import { CopyAttributes } from "./copy_attributes.js" */
/** @import { Entry } from "./entries.js" */
/** @import { OnConflict, Target } from "./transfer.js" */

/**
 * What a dry run says.
 * @typedef {{ count: number, bytes: number, conflicts?: number, conflict_keys: readonly string[] }} Figures
 */

/** What a storage class can be called; empty for none that was named. */
const className = /^[A-Za-z0-9_.-]{0,64}$/;

/** Results that are shown one by one. */
const maxShown = 5;

/** Milliseconds of silence after which it is asked anew what there is to do. */
const typingPause = 250;

/** @typedef {{ target: Target, onConflict: OnConflict, name?: string, attributes: CopyAttributes }} Choice */

/**
 * Asks where rows go, and copies or moves them there.
 *
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 * @param {{ move: boolean }} options
 */
export async function askCopy(browser, entries, { move }) {
  await loadStyles("lazy.css");
  const choice = await openDialog(
    /** @param {DialogControls<Choice>} controls */
    (controls) => html`<${CopyForm} ...${controls} browser=${browser} entries=${entries} move=${move} />`,
  );
  if (choice === undefined) return;
  rememberTarget(choice.target);
  await transfer(browser, entries, choice.target, { move, ...choice });
}

/** @param {DialogControls<Choice> & { browser: Browser, entries: readonly Entry[], move: boolean }} props */
function CopyForm({ close, titleId, browser, entries, move }) {
  const { prefix } = browser.place.value;
  const single = entries.length === 1 && !browser.matching.value && entries[0].name !== ""
    ? entries[0]
    : null;
  const [target, setTarget] = useState(
    /** @type {Target} */ ({ backend: browser.backend.id, bucket: browser.bucket, prefix }),
  );
  const [name, setName] = useState(single?.name ?? "");
  const [onConflict, setOnConflict] = useState(/** @type {OnConflict} */ ("keep_both"));
  const [attributes, setAttributes] = useState(everything);
  const crosses = target.backend !== browser.backend.id;
  const choose = (/** @type {Target} */ next) => {
    setTarget(next);
    // Another backend has classes of its own.
    if (next.backend !== target.backend) setAttributes({ ...attributes, storage_class: undefined });
  };
  const to = folderPath(target.prefix);
  const renamed = single !== null && name !== single.name ? name : undefined;
  const here = !crosses && target.bucket === browser.bucket;
  const isSame = here && to === prefix && renamed === undefined;
  const complete = target.bucket !== "" && (single === null || name !== "") && !isSame &&
    className.test(attributes.storage_class ?? "");
  const sources = sourcesOf(prefix, entries, to, renamed);
  const { figures, error } = useFigures(browser.api, sources, target, complete);
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (!complete || error !== "") return;
    // Nothing is in the way now: what comes there meanwhile is not overwritten.
    const how = figures?.conflicts === 0 ? "skip" : onConflict;
    close({ target: { ...target, prefix: to }, onConflict: how, name: renamed, attributes });
  };
  const n = entries.length;
  const footer = html`
    <${Button} onClick=${() => close()}>${t("common.cancel")}<//>
    <${Button} kind="primary" type="submit" disabled=${!complete || error !== ""}>
        ${move ? t("browse.move") : t("common.copy")}<//>
  `;
  return html`
    <form onSubmit=${submit} novalidate>
      <${DialogFrame} titleId=${titleId} footer=${footer}
        title=${browser.matching.value
          ? move ? t("browse.move_matching_title") : t("browse.copy_matching_title")
          : move
          ? t("browse.move_title", { n })
          : t("browse.copy_title", { n })}>
        <div class="stack">
            <${PlacePicker} target=${target} onChange=${choose} />
            ${single && html`
              <${Field} label=${t("common.name")} control=${(/** @type {any} */ attributes) =>
                html`
                  <input class="input mono" ...${attributes} name="name" autocomplete="off" spellcheck=${false}
                    value=${name} onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
                `} />
            `}
            ${isSame && html`<p class="muted">${t("browse.same_place")}</p>`}
            ${complete && html`
              <${Results} entries=${entries} prefix=${prefix} to=${to} renamed=${renamed}
                taken=${figures?.conflict_keys ?? []} />
              <${Conflicts} figures=${figures} value=${onConflict} onChange=${setOnConflict} />
              <${Cost} figures=${figures} crosses=${crosses} />
            `}
            ${target.bucket !== "" && html`
              <${CopyOptions} backend=${target.backend} crosses=${crosses} value=${attributes}
                onChange=${setAttributes} />
            `}
            ${error !== "" && html`<${Notice} kind="bad" role="alert">${error}<//>`}
            ${complete && html`
              <${ShowCommand} lines=${copyCommands(entries, {
                from: { backend: browser.backend.id, bucket: browser.bucket, prefix },
                to: { ...target, prefix: to },
                name: renamed,
                move,
                attributes,
              })} />
            `}
          </div>
        <//>
        </form>
  `;
}

/**
 * What a copy would do, asked of the server whenever the target changes.
 * @param {string} api
 * @param {ReturnType<typeof sourcesOf>} sources
 * @param {Target} target
 * @param {boolean} complete whether the target is one
 */
function useFigures(api, sources, { backend, bucket }, complete) {
  const [state, setState] = useState({ figures: /** @type {Figures | null} */ (null), error: "" });
  const asked = JSON.stringify([sources, backend, bucket, complete]);
  useEffect(() => {
    setState({ figures: null, error: "" });
    if (!complete) return;
    const abort = new AbortController();
    const ask = async () => {
      /** @type {Figures} */
      const sum = { count: 0, bytes: 0, conflicts: 0, conflict_keys: [] };
      for (const source of sources) {
        const { count, bytes, conflicts, conflict_keys: taken = [] } = await request(
          "POST",
          `${api}/objects/copy-prefix`,
          {
            json: { ...source, dst_backend: backend, dst_bucket: bucket, dry_run: true },
            signal: abort.signal,
          },
        );
        sum.count += count;
        sum.bytes += bytes;
        sum.conflicts = conflicts === undefined || sum.conflicts === undefined
          ? undefined
          : sum.conflicts + conflicts;
        sum.conflict_keys = [...sum.conflict_keys, ...taken];
      }
      setState({ figures: sum, error: "" });
    };
    const timer = setTimeout(() =>
      ask().catch((error) => {
        if (!abort.signal.aborted) setState({ figures: null, error: error.message });
      }), typingPause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [asked]);
  return state;
}

/**
 * What comes of the first rows.
 * @param {{
 *   entries: readonly Entry[], prefix: string, to: string, renamed: string | undefined, taken: readonly string[]
 * }} props `taken`: keys whose targets are there already
 */
function Results({ entries, prefix, to, renamed, taken }) {
  const more = entries.length - maxShown;
  return html`<ul class="copy-results">
    ${
    entries.slice(0, maxShown).map(({ key, folder }) => {
      const target = renamed === undefined
        ? to + key.slice(prefix.length)
        : `${to}${renamed}${folder ? "/" : ""}`;
      const isTaken = taken.some((other) => folder ? other.startsWith(key) : other === key);
      return html`
        <li key=${key}>
          <${KeyLabel} name=${key} />
          <${Icon} name="arrow-right" />
          <${KeyLabel} name=${target} />
          ${isTaken &&
            html`<span class="copy-taken"><${Icon} name="alert" /> ${t("browse.conflict_mark")}</span>`}
        </li>
      `;
    })
  }
    ${more > 0 && html`<li class="muted">${t("browse.and_more", { n: more })}</li>`}
  </ul>`;
}

/** @param {{ figures: Figures | null, value: OnConflict, onChange: (value: OnConflict) => void }} props */
function Conflicts({ figures, value, onChange }) {
  if (figures === null) return html`<p class="muted" aria-live="polite">${t("browse.counting")}</p>`;
  const { count, bytes, conflicts } = figures;
  const options = /** @type {const} */ ([
    ["keep_both", t("browse.conflict_keep_both")],
    ["replace", t("browse.conflict_replace")],
    ["skip", t("browse.conflict_skip")],
  ]);
  return html`
    <p aria-live="polite">${t("browse.extent", { n: count, size: formatBytes(bytes) })}</p>
    ${conflicts !== 0 && html`
      <div class="copy-conflicts">
        <p><${Icon} name="alert" /> ${conflicts === undefined
          ? t("browse.conflicts_unknown")
          : t("browse.conflicts", { n: conflicts })}</p>
        <${Segmented} label=${t("browse.conflict_label")} value=${value} options=${options}
          onChange=${onChange} />
      </div>
    `}
  `;
}

/** @param {{ figures: Figures | null, crosses: boolean }} props */
function Cost({ figures, crosses }) {
  if (!crosses || figures === null) return null;
  return html`<${Notice}>${t("browse.cost", { size: formatBytes(figures.bytes) })}<//>`;
}

/**
 * A typed folder as a prefix.
 * @param {string} text
 */
function folderPath(text) {
  return text === "" || text.endsWith("/") ? text : `${text}/`;
}
