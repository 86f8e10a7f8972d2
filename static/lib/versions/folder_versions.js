// @ts-check
/// <reference lib="dom" />
import { useEffect, useMemo, useState } from "preact/hooks";
import { BulkProgress } from "../details/bulk_progress.js";
import { BulkRun } from "../details/bulk_run.js";
import { formatBytes, formatDateTime } from "../format.js";
import { t } from "../i18n.js";
import { Button, EmptyState, html, Icon, Notice, Skeleton } from "../ui.js";
import { deletedObjects, objectsAt } from "./as_of.js";
import { PastList } from "./past_list.js";
import { announceChange, restoreVersion } from "./restore.js";
import { knownVersions } from "./version_list.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { PastObject } from "./as_of.js" */
/** @import { Version } from "./version_list.js" */

/** Versions that are listed before one is asked whether to go on. */
const versionStep = 20_000;

/**
 * What was deleted from a folder, or the folder as it was at a time; read-only but for bringing it back. It takes the place
 * of the list of objects.
 * @param {{ browser: Browser, now: number }} props
 */
export function FolderVersions({ browser, now }) {
  const { prefix, at = "" } = browser.place.value;
  const [limit, setLimit] = useState(versionStep);
  const [round, setRound] = useState(0);
  const { page, count, failure } = useVersions(browser, prefix, limit, round);
  const objects = useMemo(() => {
    if (page === null) return null;
    return at === "" ? deletedObjects(page.versions) : objectsAt(page.versions, Date.parse(at));
  }, [page, at]);
  const leave = () => browser.alter({ view: "", at: "" });
  return html`
    <section class="past" aria-label=${at === "" ? t("versions.deleted_objects") : t("versions.as_of")}>
      <div class="past-banner" role="status">
        <${Icon} name=${at === "" ? "trash" : "clock"} />
        <p><strong>${at === ""
          ? objects === null
            ? t("versions.deleted_objects")
            : t("versions.deleted_count", { n: objects.length })
          : t("versions.as_of_time", { time: formatDateTime(Date.parse(at)) })}</strong> ${at !== "" &&
          objects !== null && `${t("versions.objects_then", { n: objects.length })} `}<span
            class="muted">${t("versions.read_only")}</span></p>
        <${MomentField} at=${at} onChange=${(/** @type {string} */ moment) =>
          browser.alter({ at: moment, view: moment === "" ? "versions" : "" })} />
        <${Button} small=${true} onClick=${leave}>${t("versions.back_to_now")}<//>
      </div>
      ${failure
        ? failure.code === "not_supported"
          ? html`<${EmptyState} icon="clock" title=${t("versions.none_here")}>${
            t("versions.none_here_hint")
          }<//>`
          : html`<${Notice} kind="bad" role="alert">${failure.message}<//>`
        : objects === null
        ? html`
          <p class="past-count muted">${count > 0 && t("versions.read_so_far", { n: count })}</p>
          <${Skeleton} rows=${8} />
        `
        : html`
          ${!page?.complete && html`
            <${Notice} kind="warn" action=${html`<${Button} small=${true} onClick=${() =>
              setLimit(limit + versionStep)}>${t("versions.read_on")}<//>`}>${t("versions.partial", {
                n: count,
              })}<//>
          `}
          <${PastObjects} key=${`${prefix} ${at}`} browser=${browser} objects=${objects} at=${at} now=${now}
            onChanged=${() => setRound(round + 1)} />
        `}
    </section>
  `;
}

/**
 * @param {Browser} browser
 * @param {string} prefix
 * @param {number} limit
 * @param {number} round
 */
function useVersions(browser, prefix, limit, round) {
  const [page, setPage] = useState(/** @type {{ versions: Version[], complete: boolean } | null} */ (null));
  const [count, setCount] = useState(0);
  const [failure, setFailure] = useState(/** @type {{ code: string, message: string } | null} */ (null));
  useEffect(() => {
    const abort = new AbortController();
    setPage(null);
    setFailure(null);
    const options = { limit, signal: abort.signal, onPage: setCount };
    knownVersions(browser, { prefix }, options).then(setPage, (problem) => {
      if (!abort.signal.aborted) setFailure(problem);
    });
    return () => abort.abort();
  }, [prefix, limit, round]);
  return { page, count, failure };
}

/** @param {{ at: string, onChange: (at: string) => void }} props */
function MomentField({ at, onChange }) {
  const change = (/** @type {any} */ event) => {
    const moment = new Date(event.target.value);
    onChange(Number.isNaN(moment.getTime()) ? "" : moment.toISOString());
  };
  return html`
    <label class="past-moment"><span>${t("versions.view_as_of")}</span>
      <input class="input" type="datetime-local" step="1" value=${localMoment(
        at,
      )} onChange=${change} /></label>
  `;
}

/**
 * A moment as `<input type="datetime-local">` has it, in the reader's zone.
 *
 * @param {string} at RFC 3339, or empty
 */
function localMoment(at) {
  if (at === "") return "";
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** @param {{ browser: Browser, objects: PastObject[], at: string, now: number, onChanged: () => void }} props */
function PastObjects({ browser, objects, at, now, onChanged }) {
  const [selected, setSelected] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  const run = useMemo(
    () =>
      new BulkRun((/** @type {PastObject} */ { version, marker }) =>
        restoreVersion(browser.api, version, marker)
      ),
    [],
  );
  const { prefix } = browser.place.value;
  const restorable = objects.filter(({ since }) => since !== "same");
  const chosen = selected.size === 0
    ? restorable
    : restorable.filter(({ version }) => selected.has(version.key));
  const running = run.state.value === "running";
  if (objects.length === 0 && run.state.value === "ready") {
    return html`<${EmptyState} icon=${at === "" ? "trash" : "clock"} title=${
      at === "" ? t("versions.nothing_deleted") : t("versions.nothing_then")
    }>${at === "" ? t("versions.nothing_deleted_hint") : t("versions.nothing_then_hint")}<//>`;
  }
  const restore = async () => {
    await run.start(chosen);
    announceChange(browser, prefix);
    setSelected(new Set());
    if (run.failures.value.length === 0) onChanged();
  };
  const bytes = chosen.reduce((sum, { version }) => sum + version.size, 0);
  return html`
    ${browser.canWrite && html`
      <div class="past-actions">
        <${Button} kind="primary" icon="refresh" disabled=${chosen.length === 0} busy=${running}
          onClick=${restore}>${selected.size === 0
            ? t("versions.restore_all", { n: chosen.length })
            : t("versions.restore_selected", { n: chosen.length })}<//>
        <span class="muted">${formatBytes(bytes)}${at !== "" && ` · ${t("versions.later_stay")}`}</span>
      </div>
    `}
    <${BulkProgress} run=${run} nameOf=${(/** @type {PastObject} */ { version }) => version.key} />
    <${PastList} browser=${browser} objects=${objects} selected=${selected} now=${now}
      onSelect=${setSelected} />
  `;
}
