// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../api.js";
import { CopyButton } from "../copy_button.js";
import { formatNumber } from "../format.js";
import { Button, Bytes, EmptyState, html, Icon, IconButton, Notice, Skeleton, Time } from "../ui.js";
import { defaultClass, storageClassName } from "./entries.js";
import { iconOf, KeyLabel } from "./key_label.js";
import { objectUrl } from "./object_urls.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/**
 * An object as `GET …/object/info` describes it.
 *
 * @typedef {object} ObjectInfo
 * @property {string} key
 * @property {number} size bytes
 * @property {string} etag
 * @property {string} [content_type]
 * @property {string} [last_modified]
 * @property {string} [version_id]
 * @property {string} [storage_class]
 * @property {Record<string, string>} [metadata]
 */

/** Milliseconds that a step to the next object waits for a further one before anything is fetched. */
const stepPause = 90;

/**
 * The details of the open object: a look at it, its facts, its metadata.
 * @param {{ browser: Browser, actions: BrowserActions, now: number }} props
 */
export function Details({ browser, actions, now }) {
  const key = browser.place.value.open;
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (key === "" || panel.current === null) return;
    // Where it covers the list it takes the focus; beside the list, the list keeps it and the arrow keys go on.
    if (getComputedStyle(panel.current).position === "fixed") panel.current.focus();
  }, [key !== ""]);
  if (key === "") return null;
  const name = key.slice(key.lastIndexOf("/") + 1);
  const close = () => {
    browser.closeDetails();
    document.getElementById("objects")?.focus();
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const step = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[event.key];
    const scrolls = event.target instanceof Element &&
      event.target.closest("pre, video, audio, .preview-csv");
    if (event.key === "Escape") close();
    else if (step && !scrolls && !event.ctrlKey && !event.metaKey && !event.altKey) {
      browser.stepDetails(/** @type {1 | -1} */ (step));
    } else return;
    event.preventDefault();
  };
  return html`
    <aside class="details" aria-label="Details" tabindex="-1" ref=${panel} onKeyDown=${keys}>
      <header class="details-head">
        <${Icon} name=${iconOf({ folder: false, name })} />
        <h2 title=${key}>
          <${KeyLabel} name=${name} />
        </h2>
        <${IconButton} icon="chevron-up" label="Previous object" onClick=${() => browser.stepDetails(-1)} />
        <${IconButton} icon="chevron-down" label="Next object" onClick=${() => browser.stepDetails(1)} />
        <${IconButton} icon="close" label="Close details" onClick=${close} />
      </header>
      <div class="details-body">
        <${ObjectDetails} key=${key} browser=${browser} actions=${actions} objectKey=${key}
          now=${now} />
      </div>
    </aside>
  `;
}

/** @param {{ browser: Browser, actions: BrowserActions, objectKey: string, now: number }} props */
function ObjectDetails({ browser, actions, objectKey, now }) {
  const [info, setInfo] = useState(/** @type {ObjectInfo | null} */ (null));
  const [failure, setFailure] = useState(/** @type {{ code: string, message: string } | null} */ (null));
  const [preview, setPreview] = useState(/** @type {import("preact").ComponentType<any> | null} */ (null));
  const [shares, setShares] = useState(/** @type {import("preact").ComponentType<any> | null} */ (null));
  useEffect(() => {
    const abort = new AbortController();
    const load = async () => {
      const [answer, module] = await Promise.all([
        request("GET", `${browser.api}/object/info`, { query: { key: objectKey }, signal: abort.signal }),
        import("../preview/preview.js"),
      ]);
      setPreview(() => module.Preview);
      setInfo(answer);
      if (!browser.canShare) return;
      const { ObjectShares } = await import("../shares/object_shares.js");
      setShares(() => ObjectShares);
    };
    const timer = setTimeout(() => {
      load().catch((error) => {
        if (!abort.signal.aborted) setFailure(error);
      });
    }, stepPause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, []);
  if (failure?.code === "not_found") {
    return html`<${EmptyState} icon="file" title="There is no such object">It may have been deleted since it was listed.<//>`;
  }
  const url = objectUrl(browser.api, objectKey, "inline");
  return html`
    ${failure && html`<${Notice} kind="bad" role="alert">${failure.message}<//>`}
    ${info && preview
      ? html`<${preview} url=${url} name=${objectKey} contentType=${
        info.content_type ?? ""
      } size=${info.size} />`
      : !failure && html`
        <div class="preview preview-wait">
          <${Skeleton} rows=${4} />
        </div>
      `}
    <div class="details-actions">
      <a class="button" href=${objectUrl(
        browser.api,
        objectKey,
        "attachment",
      )} download><${Icon} name="download" />Download</a>
      <a class="button" href=${url} target="_blank" rel="noopener"><${Icon} name="external" />Open</a>
      ${browser.canShare && info && html`
        <${Button} icon="share" onClick=${() => actions.share([entryOf(browser, info)])}>Share<//>
      `}
      ${browser.canWrite && info && html`
        <button type="button" class="button button-bad-text"
          onClick=${() => actions.remove([entryOf(browser, info)])}><${Icon} name="trash" />Delete</button>
      `}
    </div>
    ${shares && html`<${shares} browser=${browser} objectKey=${objectKey} now=${now} />`}
    ${info && html`<${Facts} info=${info} now=${now} />`}
    <${Addresses} browser=${browser} objectKey=${objectKey} />
    ${info && html`<${Metadata} metadata=${info.metadata ?? {}} />`}
  `;
}

/**
 * @param {Browser} browser
 * @param {ObjectInfo} info
 */
function entryOf(browser, { key, size, last_modified, storage_class = defaultClass }) {
  const name = key.slice(browser.place.value.prefix.length);
  return {
    key,
    name,
    folder: false,
    size,
    modified: Date.parse(last_modified ?? "") || 0,
    storageClass: storage_class,
  };
}

/** @param {{ info: ObjectInfo, now: number }} props */
function Facts({ info, now }) {
  const { size, last_modified, content_type, etag, storage_class, version_id } = info;
  return html`
    <section class="details-section">
      <h3>Information</h3>
      <dl class="facts">
          <dt>Size</dt><dd><${Bytes} value=${size} />${" "}
            ${size >= 1024 && html`<span class="faint">(${formatNumber(size)} bytes)</span>`}</dd>
          <dt>Modified</dt><dd>${last_modified
            ? html`<${Time} at=${last_modified} now=${now} />`
            : "not known"}</dd>
          <dt>Type</dt><dd class="break">${content_type || html`<span class="faint">not set</span>`}</dd>
          <dt>Class</dt><dd>${storageClassName(storage_class || defaultClass)}</dd>
          <dt>ETag</dt><dd class="mono break">${etag}</dd>
          ${version_id && html`
            <dt>Version</dt>
            <dd class="mono break">${version_id}</dd>
          `}
        </dl>
    </section>
  `;
}

/** @param {{ browser: Browser, objectKey: string }} props */
function Addresses({ browser, objectKey }) {
  const [origin, setOrigin] = useState("");
  useEffect(() => setOrigin(location.origin), []);
  const page = browser.href({ prefix: browser.place.value.prefix, open: objectKey });
  const rows = [
    ["Key", objectKey, "Copy key"],
    ["S3 URI", `s3://${browser.bucket}/${objectKey}`, "Copy S3 URI"],
    ["Link", origin + page, "Copy link"],
  ];
  return html`
    <section class="details-section">
      <h3>Addresses</h3>
      <dl class="facts">${rows.map(([name, value, label]) =>
        html`
          <dt key=${name}>${name}</dt>
          <dd key=${label} class="copied"><code class="truncate" dir="ltr" title=${value}>${value}</code>
                  <${CopyButton} text=${value} label=${label} /></dd>
        `
      )}</dl>
    </section>
  `;
}

/** @param {{ metadata: Record<string, string> }} props */
function Metadata({ metadata }) {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return html`
    <section class="details-section">
      <h3>Metadata</h3>
      <dl class="facts">${entries.map(([name, value]) =>
        html`
          <dt key=${name} class="mono break">${name}</dt>
          <dd key=${`${name} value`} class="break">${value}</dd>
        `
      )}</dl>
    </section>
  `;
}
