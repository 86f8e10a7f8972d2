// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n.js";
import { hasEnded } from "../jobs/job.js";
import { loadStyles } from "../styles.js";
import { html, IconButton } from "../ui.js";
import { askAboutConflict } from "../upload/conflict_dialog.js";
import { TrayBody } from "./tray_body.js";
import { trayRate, trayTitle } from "./tray_words.js";

/** @import { TransferSession } from "./session.js" */

/** Milliseconds after which the list is folded away when everything went well. */
const foldAfter = 4000;

/** CSS pixels kept free below and above the tray, together. */
const gap = 16;

/** Where the tray is as wide as the screen, it opens only when it is asked to. */
const narrow = "(max-width: 599px)";

const folded = signal(false);

/** Whether it was asked for while there is nothing to show. */
const wanted = signal(false);

/** How many pages show the transfers themselves: the tray would only repeat them. */
const hidden = signal(0);

/** Puts the tray away while a page shows the same. Returns a function that brings it back. */
export function hideTray() {
  hidden.value++;
  return () => hidden.value--;
}

/**
 * Brings the tray into the shell.
 * @param {TransferSession} session
 */
export async function mountTray(session) {
  await loadStyles("lazy.css");
  const root = document.getElementById("tray");
  if (root !== null) render(html`<${Tray} session=${session} />`, root);
}

/** Opens the tray and moves the focus into it, or folds it. */
export function toggleTray() {
  const open = document.querySelector(".tray-body") !== null;
  folded.value = open;
  wanted.value = !open;
  if (!open) {
    requestAnimationFrame(() =>
      /** @type {HTMLElement | null} */ (document.querySelector(".tray-body"))?.focus()
    );
  }
}

/** Shows the list when something begins, where there is room for it. */
function unfold() {
  folded.value = matchMedia(narrow).matches;
}

/**
 * What is sent and what the server does, docked at the bottom.
 * @param {{ session: TransferSession }} props
 */
function Tray({ session }) {
  const tray = useRef(/** @type {HTMLElement | null} */ (null));
  const { uploads, jobs } = session.shown;
  const figures = session.progress.figures.value;
  const unfinished = session.unfinished.rows.value;
  const jobsRun = jobs.value.some(({ job }) => !hasEnded(job));
  const busy = (figures?.busy ?? false) || jobsRun;
  const empty = uploads.value.length + jobs.value.length + unfinished.length === 0;
  const shown = hidden.value === 0 && (!empty || wanted.value);
  const well = !busy && figures !== null && figures.done > 0 && figures.failed === 0 && figures.open === 0;
  const { round } = session.queue;
  useConflicts(session);
  useCover(tray, shown);
  // By the round: what is over at once, such as a file that is skipped, is never seen under way.
  useEffect(() => {
    if (round > 0) unfold();
  }, [round]);
  useEffect(() => {
    if (jobsRun) unfold();
  }, [jobsRun]);
  useEffect(() => {
    if (!well) return;
    const timer = setTimeout(() => {
      // Folding would take the focus away from whoever is in the list.
      if (!tray.current?.querySelector(".tray-body:focus-within")) folded.value = true;
    }, foldAfter);
    return () => clearTimeout(timer);
  }, [round, well]);
  const close = () => {
    wanted.value = false;
    session.clearFinished();
  };
  const isFolded = folded.value;
  const title = trayTitle(session);
  return html`
    <p class="visually-hidden" role="status">${session.progress.announcement.value}</p>
    <p class="visually-hidden" role="status">${session.jobsProgress.announcement.value}</p>
    ${shown && html`
      <section class="tray" aria-label=${t("transfers.tray")} ref=${tray}>
        <header class="tray-head">
          <h2>${title}</h2>
          <span class="tray-rate">${trayRate(session)}</span>
          <${IconButton} icon=${isFolded ? "chevron-up" : "chevron-down"}
            label=${isFolded ? t("transfers.unfold") : t("transfers.fold")}
            aria-expanded=${isFolded ? "false" : "true"} onClick=${() => folded.value = !isFolded} />
          ${!busy && html`<${IconButton} icon="close" label=${t("transfers.close")} onClick=${close} />`}
        </header>
        ${figures !== null && (figures.busy || well) && html`
          <progress class="tray-total" max="1" value=${figures.fraction}
            aria-label=${t("transfers.all_uploads")}></progress>
        `}
        ${!isFolded && html`<${TrayBody} session=${session} />`}
      </section>
    `}
  `;
}

/**
 * Tells the page how much of it the tray covers, so that its last rows can be scrolled out from under it.
 * @param {{ current: HTMLElement | null }} tray
 * @param {boolean} shown
 */
function useCover(tray, shown) {
  useEffect(() => {
    const element = tray.current;
    if (element === null) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty("--tray", `${element.offsetHeight + gap}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty("--tray");
    };
  }, [shown]);
}

/**
 * Asks about taken names, one after the other.
 * @param {TransferSession} session
 */
function useConflicts({ queue }) {
  const { asking } = queue;
  useEffect(() => {
    if (asking === null) return;
    const others = queue.uploads.filter(({ batch, state }) =>
      batch === asking.batch && (state === "waiting" || state === "asking" || state === "sending")
    ).length - 1;
    askAboutConflict(asking, others).then(({ choice, forAll }) =>
      queue.answer(choice, forAll)
    );
  }, [asking]);
}
