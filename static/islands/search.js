// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { errorText } from "../lib/error_texts.js";
import { t } from "../lib/i18n.js";
import { addShortcuts } from "../lib/keys.js";
import { PageHead } from "../lib/page_head.js";
import { KeyScan } from "../lib/places/key_scan.js";
import { ScanPanel } from "../lib/places/scan_panel.js";
import { BucketChoice, FoundBuckets, FoundObjects } from "../lib/places/search_results.js";
import { SavedSearches, SaveSearch } from "../lib/places/save_search.js";
import { parseScope, searchPage } from "../lib/places/search_scope.js";
import { useSearch } from "../lib/places/use_search.js";
import { EmptyState, html, Icon, Notice } from "../lib/ui.js";
import { commitTyped } from "../lib/typed_address.js";
import { writeUrlState } from "../lib/url_state.js";

/** @import { Pin, PlacedBucket } from "../lib/places/pins.js" */
/** @import { SearchScope } from "../lib/places/search_scope.js" */
/** @import { Findings } from "../lib/places/use_search.js" */

/**
 * @typedef {object} SearchProps
 * @property {string} query
 * @property {string} scope as addresses have it
 * @property {boolean} scan whether the keys of the scope's bucket are gone through
 * @property {{ id: string, name: string }[]} backends
 * @property {PlacedBucket[]} places buckets that the user has pinned or was in
 * @property {Pin[]} saved searches that the user has pinned
 * @property {number} now milliseconds since the epoch
 */

/**
 * The last scan, for who comes back to it: what was found is worth more than the memory it takes.
 * @type {KeyScan | null}
 */
let lastScan = null;

/**
 * The search over all backends, and through the keys of one bucket.
 * @param {SearchProps} props
 */
export function Island(props) {
  const { backends, places, saved, now } = props;
  const [typed, setTyped] = useState(props.query);
  const scope = parseScope(props.scope);
  const query = typed.trim();
  const findings = useSearch(query, scope);
  const [scan, setScan] = useScan(query, scope, props.scan);
  const names = Object.fromEntries(backends.map(({ id, name }) => [id, name]));
  useEffect(() =>
    addShortcuts([{
      keys: "/",
      label: t("search.focus"),
      group: t("search.title"),
      run: () => document.getElementById("search")?.focus(),
    }]), []);
  const type = (/** @type {string} */ text) => {
    setTyped(text);
    writeUrlState({ q: text.trim(), scan: "" });
    document.title = [text.trim(), t("search.title"), t("frame.product")].filter(Boolean).join(" · ");
  };
  const startScan = () => {
    writeUrlState({ scan: "1" }, { commit: true });
    setScan(new KeyScan(query, scope));
  };
  // What comes above it would push it away.
  const offersScan = scan !== null || findings.state === "done" || findings.state === "failed";
  return html`
    <${PageHead} title=${t("search.title")} />
    <div class="search-page" onKeyDown=${moveBetweenResults}>
      <${SearchBox} value=${typed} scope=${props.scope} onType=${type} />
      <${Scopes} query=${query} scope=${scope} backends=${backends} />
      ${query === ""
        ? html`
          <${SavedSearches} saved=${saved} names=${names} />
          <${Hint} />
        `
        : html`
          <p class="notice notice-info without-script">${t("search.needs_script")}</p>
          <div class="search-line needs-script">
            <${Truth} findings=${findings} scope=${scope} backends=${backends} />
            <${SaveSearch} query=${query} scope=${scope} saved=${saved} />
          </div>
          <${Troubles} findings=${findings} names=${names} />
          ${scope.bucket === "" && findings.buckets.length > 0 && html`
            <${FoundBuckets} buckets=${findings.buckets} query=${query} names=${names} />
          `}
          ${!(scan && scope.bucket) && html`
            <${FoundObjects} objects=${findings.objects} query=${query} prefix=${scope.prefix} names=${names}
              now=${now} />
          `}
          ${isEmpty(findings, scope) && scan === null && html`
            <${EmptyState} icon="search" title=${t("search.nothing")}>${t("search.nothing_text")}<//>
          `}
          ${offersScan && html`
            <section class="scan needs-script">
              ${scope.bucket !== ""
                ? html`
                  <${ScanPanel} scan=${scan} query=${query} scope=${scope} names=${names} now=${now}
                    start=${startScan} />
                `
                : places.length > 0 && html`
                  <p>${t("search.scan_choose", { query })}</p>
                  <${BucketChoice} places=${places} query=${query} />
                `}
            </section>
          `}
        `}
    </div>
  `;
}

/**
 * The scan of the page, if it was asked for: the one from before where it is for the same. It stops with the page.
 * @param {string} query
 * @param {SearchScope} scope
 * @param {boolean} wanted
 * @returns {[KeyScan | null, (scan: KeyScan) => void]}
 */
function useScan(query, scope, wanted) {
  const [scan, setScan] = useState(/** @type {KeyScan | null} */ (null));
  useEffect(() => {
    if (!wanted || query === "" || scope.bucket === "") return;
    if (lastScan?.isOf(query, scope)) setScan(lastScan);
    else setScan(new KeyScan(query, scope));
  }, []);
  useEffect(() => {
    if (scan === null) return;
    const isNew = lastScan !== scan;
    lastScan = scan;
    if (isNew) scan.run();
    return () => scan.stop();
  }, [scan]);
  return [scan?.isOf(query, scope) ? scan : null, setScan];
}

/**
 * @param {Findings} findings
 * @param {SearchScope} scope
 */
function isEmpty({ state, buckets, objects }, { bucket }) {
  return state === "done" && (bucket !== "" || buckets.length === 0) && objects.length === 0;
}

/** @param {{ value: string, scope: string, onType: (text: string) => void }} props */
function SearchBox({ value, scope, onType }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    commitTyped();
  };
  return html`
    <form class="search-form" role="search" action="/search" onSubmit=${submit}>
      <div class="search-box search-box-wide">
        <${Icon} name="search" />
        <input id="search" class="input" type="search" name="q" maxlength="200" autocomplete="off" autocapitalize="off"
          spellcheck=${false} autofocus placeholder=${t("search.placeholder")} aria-label=${t("search.label")}
          value=${value} onInput=${(/** @type {any} */ event) =>
            onType(event.target.value)} onChange=${commitTyped} />
      </div>
      ${scope && html`<input type="hidden" name="scope" value=${scope} />`}
    </form>
  `;
}

/** @param {{ query: string, scope: SearchScope, backends: readonly { id: string, name: string }[] }} props */
function Scopes({ query, scope, backends }) {
  const everything = { backend: "", bucket: "", prefix: "" };
  const { backend, bucket, prefix } = scope;
  const wider = backends.filter(({ id }) => backend === "" || id === backend).map(({ id, name }) => ({
    label: t("search.in_backend", { name }),
    icon: "server",
    to: { ...everything, backend: id },
  }));
  const chips = [
    { label: t("search.everywhere"), icon: "overview", to: everything },
    ...wider,
    ...bucket
      ? [{
        label: t("search.in_bucket", { name: bucket }),
        icon: "bucket",
        to: { backend, bucket, prefix: "" },
      }]
      : [],
    ...prefix ? [{ label: t("search.in_folder", { name: prefix }), icon: "folder", to: scope }] : [],
  ];
  const current = searchPage(query, scope);
  return html`
    <nav aria-label=${t("search.scope")}>
      <ul class="scope-chips">
        ${chips.map(({ label, icon, to }) => {
          const href = searchPage(query, to);
          return html`
            <li key=${href}>
              <a class="scope-chip" href=${href} aria-current=${href === current
                ? "true"
                : undefined}><${Icon}
                name=${icon} /><span class="truncate">${label}</span></a>
            </li>
          `;
        })}
      </ul>
    </nav>
  `;
}

/**
 * Says what was searched and whether that is all of it.
 * @param {{ findings: Findings, scope: SearchScope, backends: readonly { id: string }[] }} props
 */
function Truth({ findings: { state, answered, truncated, errors }, scope, backends }) {
  const n = scope.backend === "" ? backends.length : 1;
  const text = state === "searching"
    ? t("search.searching", { n, answered })
    : state === "failed"
    ? ""
    : truncated
    ? t("search.cut")
    : errors.length > 0
    ? t("search.incomplete")
    : scope.prefix
    ? t("search.complete_folder")
    : scope.bucket
    ? t("search.complete_bucket")
    : t("search.complete");
  return html`<p class="search-truth muted" role="status">${text}</p>`;
}

/** @param {{ findings: Findings, names: Readonly<Record<string, string>> }} props */
function Troubles({ findings: { error, errors }, names }) {
  return html`
    ${error !== "" && html`<${Notice} kind="bad" role="alert">${error}<//>`}
    ${errors.map(({ backend_id: id, code, detail }) =>
      html`
        <${Notice} key=${id} kind="warn">${t("search.backend_failed", {
          name: names[id] ?? id,
          reason: errorText({ code, message: "", detail }),
        })}<//>
      `
    )}
  `;
}

function Hint() {
  return html`
    <p class="muted">${t("search.hint")}</p>
    <p class="without-script">${t("search.needs_script")}</p>
  `;
}

/**
 * The arrow keys go from the box to the results and through them.
 * @param {any} event
 */
function moveBetweenResults(event) {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const stops = [document.getElementById("search"), ...event.currentTarget.querySelectorAll("[data-result]")];
  const at = stops.indexOf(document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus();
}
