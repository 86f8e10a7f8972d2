// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { ApiError, request } from "../api.js";
import { bucketUrl } from "../browse/object_urls.js";
import { shellWord, ShowCommand } from "../commands.js";
import { confirm } from "../dialog.js";
import { formatBytes } from "../format.js";
import { rich, t } from "../i18n.js";
import { LoadFailure } from "../settings/lazy_states.js";
import { toast } from "../toast.js";
import { Button, Bytes, EmptyState, html, Skeleton, Time } from "../ui.js";
import { markersOf, uploadsPerPage } from "./upload_list.js";

/** @import { Failure } from "../settings/section.js" */
/** @import { Upload, UploadPage } from "./upload_list.js" */

/** Uploads whose parts are counted: one request each. */
const measured = 25;

/**
 * The unfinished uploads of a bucket: they cost space that no listing shows.
 * @param {{
 *   backend: string, bucket: string, canAbort: boolean, first: { data: UploadPage | null, error: Failure | null },
 *   now: number, onFailure: (error: Failure | null) => void
 * }} props `first`: as it came with the page; `onFailure`: hears why they are not there
 */
export function UnfinishedUploads({ backend, bucket, canAbort, first, now, onFailure }) {
  const url = `${bucketUrl(backend, bucket)}/multipart`;
  const [uploads, setUploads] = useState(
    /** @type {readonly Upload[] | null} */ (first.data?.uploads ?? null),
  );
  const [more, setMore] = useState(first.data === null ? null : markersOf(first.data));
  const [error, setError] = useState(first.error);
  useEffect(() => onFailure(error), [error]);
  const load = async (/** @type {typeof more} */ after = null) => {
    setError(null);
    try {
      const query = { max_uploads: uploadsPerPage, ...after };
      const page = await request("GET", url, { query, priority: "visible" });
      const shown = after === null ? page.uploads : [...uploads ?? [], ...page.uploads];
      setUploads(shown);
      setMore(markersOf(page));
      if (after === null) await measure(url, page.uploads.slice(0, measured), setUploads);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    }
  };
  useEffect(() => {
    if (first.data !== null) measure(url, first.data.uploads.slice(0, measured), setUploads);
    else if (first.error === null) load();
  }, []);
  const remove = (/** @type {Upload} */ { key, upload_id }) =>
    request("DELETE", url, { query: { key, upload_id } }).catch((failure) => {
      // Somebody else was faster.
      if (!(failure instanceof ApiError && failure.status === 404)) throw failure;
    });
  const abort = async (/** @type {Upload} */ upload) => {
    const done = await confirm({
      title: t("insights.abort_title"),
      body: html`
        <p class="mono break">${upload.key}</p>
        <p>${t("insights.abort_body")}</p>
      `,
      action: t("insights.abort"),
      danger: true,
      run: () => remove(upload),
    });
    if (!done) return;
    toast(t("insights.aborted", { n: 1 }));
    setUploads((shown) => shown && shown.filter(({ upload_id }) => upload_id !== upload.upload_id));
  };
  const abortAll = async () => {
    const all = uploads ?? [];
    const gone = new Set();
    const done = await confirm({
      title: t("insights.abort_all_title", { n: all.length }),
      body: t("insights.abort_body"),
      action: t("insights.abort_all", { n: all.length }),
      danger: true,
      typed: all.length > 100 ? bucket : undefined,
      run: async () => {
        for (const upload of all) {
          await remove(upload);
          gone.add(upload.upload_id);
        }
      },
    });
    if (gone.size > 0) toast(t("insights.aborted", { n: gone.size }));
    if (done && more !== null) return await load();
    setUploads((shown) => shown && shown.filter(({ upload_id }) => !gone.has(upload_id)));
  };
  const known = (uploads ?? []).filter(({ bytes }) => bytes !== undefined);
  const size = formatBytes(known.reduce((sum, { bytes = 0 }) => sum + bytes, 0));
  return html`
    <section class="card insight" aria-labelledby="uploads">
      <header class="insight-head">
        <h2 id="uploads">${t("insights.uploads")}</h2>
        ${canAbort && uploads !== null && uploads.length > 0 &&
          html`<${Button} small=${true} class="button-bad-text" icon="trash" onClick=${abortAll}>${
            t("insights.abort_all_short")
          }<//>`}
      </header>
      ${error !== null
        ? html`<${LoadFailure} error=${error} load=${() => load()} />`
        : uploads === null
        ? html`<${Skeleton} rows=${2} />`
        : uploads.length === 0
        ? html`<${EmptyState} icon="check" title=${t("insights.no_uploads")}>${
          t("insights.no_uploads_text")
        }<//>`
        : html`
          <p role="status">${rich("insights.uploads_words", {
            count: t("insights.upload_count", { n: uploads.length }),
            more: more === null ? "" : t("insights.and_more"),
            size: known.length === uploads.length && more === null
              ? size
              : t("insights.uploads_size", { size, n: known.length }),
            oldest: html`<${Time} at=${oldestOf(uploads)} now=${now} />`,
          })}</p>
          <${UploadTable} uploads=${uploads} abort=${canAbort ? abort : null} now=${now} />
          ${more !== null && html`
            <div class="row">
              <${Button} small=${true} onClick=${() => load(more)}>${t("common.load_more")}<//></div>
          `}
          <${ShowCommand} lines=${uploads.slice(0, 3).map(({ key, upload_id }) =>
            `aws s3api abort-multipart-upload --bucket ${shellWord(bucket)} --key ${
              shellWord(key)
            } --upload-id ${shellWord(upload_id)}`
          )} />
        `}
    </section>
  `;
}

/**
 * Counts what the first uploads hold, one after the other; one that cannot be asked stays unknown.
 * @param {string} url
 * @param {readonly Upload[]} uploads
 * @param {(change: (shown: readonly Upload[] | null) => readonly Upload[] | null) => void} setUploads
 */
async function measure(url, uploads, setUploads) {
  for (const { key, upload_id } of uploads) {
    const { parts } = await request("GET", `${url}/parts`, {
      query: { key, upload_id },
      priority: "prefetch",
    })
      .catch(() => ({ parts: null }));
    if (parts === null) continue;
    const bytes = parts.reduce(
      (/** @type {number} */ sum, /** @type {{ size: number }} */ part) => sum + part.size,
      0,
    );
    setUploads((shown) =>
      shown && shown.map((upload) => upload.upload_id === upload_id ? { ...upload, bytes } : upload)
    );
  }
}

/** @param {readonly Upload[]} uploads */
function oldestOf(uploads) {
  return uploads.map(({ initiated }) => initiated).sort()[0];
}

/** @param {{ uploads: readonly Upload[], abort: ((upload: Upload) => void) | null, now: number }} props */
function UploadTable({ uploads, abort, now }) {
  return html`
    <div class="upload-box">
      <table class="table table-cards">
        <thead>
          <tr>
            <th scope="col">${t("insights.key")}</th>
            <th scope="col" class="number">${t("common.size")}</th>
            <th scope="col">${t("insights.begun")}</th>
            ${abort && html`<th scope="col"><span class="visually-hidden">${t("common.actions")}</span></th>`}
          </tr>
        </thead>
        <tbody>${uploads.map((upload) =>
          html`
            <tr key=${upload.upload_id}>
              <td class="cell-head mono break">${upload.key}</td>
              <td class="number" data-label=${t("common.size")}>${upload.bytes === undefined
                ? html`<span class="faint">–</span>`
                : html`<${Bytes} value=${upload.bytes} />`}</td>
              <td data-label=${t("insights.begun")}><${Time} at=${upload.initiated} now=${now} /></td>
              ${abort && html`
                <td class="fit">
                  <${Button} small=${true} kind="quiet"
                    aria-label=${t("insights.abort_of", { key: upload.key })} onClick=${() =>
                      abort(upload)}>${t("insights.abort")}<//></td>
              `}
            </tr>
          `
        )}</tbody>
      </table>
    </div>
  `;
}
