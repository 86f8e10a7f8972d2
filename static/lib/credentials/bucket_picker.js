// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";
import { t } from "../i18n.js";
import { html, Icon, Notice, Skeleton } from "../ui.js";

/** Buckets from which on there is a box to filter them. */
const many = 8;

/**
 * A choice among the buckets of a backend. One that is chosen already stays even if the backend does not name it.
 * @param {{
 *   backend: string, chosen: readonly string[], single?: boolean, error?: string, legend?: string,
 *   autofocus?: boolean, onChange: (buckets: string[]) => void
 * }} props `single` for one bucket only; `autofocus` is for all of it, since the buckets come later
 */
export function BucketPicker(
  { backend, chosen, single = false, error, legend, autofocus = false, onChange },
) {
  const { names, failure } = useBuckets(backend);
  const [query, setQuery] = useState("");
  const [typed, setTyped] = useState("");
  const all = names === null ? [] : [...new Set([...names, ...chosen])].sort();
  const shown = all.filter((name) => name.includes(query.trim().toLowerCase()));
  const toggle = (/** @type {string} */ name, /** @type {boolean} */ on) =>
    onChange(single ? [name] : on ? [...chosen, name] : chosen.filter((other) => other !== name));
  return html`
    <fieldset class="field bucket-picker" tabindex=${autofocus ? -1 : undefined}
      data-autofocus=${autofocus ? "" : undefined} data-invalid=${error ? "" : undefined}
      aria-describedby=${error ? "bucket-picker-error" : undefined}>
      <legend class="legend">${legend ?? t("credentials.buckets")}</legend>
      ${failure !== "" && html`
        <${Notice} kind="warn">${t("credentials.buckets_failed", { reason: failure })}<//>
        <input class="input mono" aria-label=${t("credentials.bucket_names")} value=${typed}
          placeholder=${t("credentials.bucket_names")} onInput=${(/** @type {any} */ event) => {
            setTyped(event.target.value);
            onChange(event.target.value.split(/[\s,]+/).filter(Boolean));
          }} />
      `}
      ${failure === "" && names === null && html`<${Skeleton} rows=${3} />`}
      ${all.length >= many && html`
        <div class="search-box"><${Icon} name="search" /><input class="input" type="search" value=${query}
          aria-label=${t("credentials.filter_buckets")} placeholder=${t("credentials.filter_buckets")}
          onInput=${(/** @type {any} */ event) => setQuery(event.target.value)} /></div>
      `}
      ${names !== null && html`
        <div class="bucket-list">
          ${all.length === 0 && html`<p class="muted">${t("credentials.no_buckets")}</p>`}
          ${all.length > 0 && shown.length === 0 &&
            html`<p class="muted">${t("credentials.no_bucket_matches")}</p>`}
          ${shown.map((name) =>
            html`
              <label class="check" key=${name}><input type=${single ? "radio" : "checkbox"} name="bucket"
                checked=${chosen.includes(name)} onChange=${(/** @type {any} */ event) =>
                  toggle(name, event.target.checked)} /><span class="break">${name}</span></label>
            `
          )}
        </div>
        ${!single &&
          html`<p class="field-hint" role="status">${
            t("credentials.buckets_chosen", { n: chosen.length })
          }</p>`}
      `}
      ${error && html`<p class="field-error" id="bucket-picker-error">${error}</p>`}
    </fieldset>
  `;
}

/**
 * The names of a backend's buckets: `null` until they are there.
 * @param {string} backend
 */
function useBuckets(backend) {
  const [names, setNames] = useState(/** @type {string[] | null} */ (null));
  const [failure, setFailure] = useState("");
  useEffect(() => {
    const abort = new AbortController();
    setNames(null);
    setFailure("");
    request("GET", `/api/backends/${encodeURIComponent(backend)}/buckets`, { signal: abort.signal }).then(
      ({ buckets }) => setNames(buckets.map((/** @type {{ name: string }} */ { name }) => name)),
      (error) => {
        if (!abort.signal.aborted) setFailure(error.message);
      },
    );
    return () => abort.abort();
  }, [backend]);
  return { names, failure };
}
