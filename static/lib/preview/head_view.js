// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { Button, html, Notice } from "../ui.js";
import { ContentView } from "./content_view.js";
import { headLimit, hexLimit, readHead, readRange, textStep } from "./head.js";
import { isPlainText } from "./text.js";
import { PreviewWait } from "./unshown.js";

/** @import { PreviewKind } from "./kind.js" */
/** @import { PreviewProps } from "./preview.js" */

/** Bytes of a text that are read at most: more would make the page slow. */
const textLimit = 16 * textStep;

/**
 * The beginning of an object, by what it is made of; more of a text on demand. What nobody has told the kind of is text where
 * it reads as such.
 * @param {PreviewProps & { kind: PreviewKind }} props
 */
export function HeadPreview({ url, name, contentType, size, etag, kind: expected }) {
  const [kind, setKind] = useState(expected);
  const [bytes, setBytes] = useState(/** @type {Uint8Array<ArrayBuffer> | null} */ (null));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const [binary, setBinary] = useState(expected === "hex");
  const abort = useRef(new AbortController());
  const read = (/** @type {() => Promise<Uint8Array<ArrayBuffer>>} */ reading) => {
    const { signal } = abort.current;
    setBusy(true);
    setError("");
    reading().then(setBytes, (failure) => {
      if (!signal.aborted) setError(failure.message);
    }).finally(() => setBusy(false));
  };
  useEffect(() => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    const readAs = (/** @type {PreviewKind} */ kind) =>
      readHead(url, { size, etag, limit: headLimit(kind), signal });
    read(async () => {
      const { bytes, complete } = await readAs(expected);
      const isText = expected === "hex" && isPlainText(bytes, complete);
      const shown = isText && !complete ? (await readAs("text")).bytes : bytes;
      setKind(isText ? "text" : expected);
      setBinary(expected === "hex" && !isText);
      return shown;
    });
    return () => abort.current.abort();
  }, [url]);
  if (bytes === null) return error ? html`<${Notice} kind="bad">${error}<//>` : html`<${PreviewWait} />`;
  const readMore = () =>
    read(async () => {
      const to = Math.min(size, bytes.length + textStep);
      const next = await readRange(url, { from: bytes.length, to, signal: abort.current.signal });
      const joined = new Uint8Array(bytes.length + next.length);
      joined.set(bytes);
      joined.set(next, bytes.length);
      return joined;
    });
  const shown = binary ? Math.min(bytes.length, hexLimit) : bytes.length;
  const canReadMore = !binary && bytes.length < Math.min(size, textLimit);
  return html`
    <${ContentView} bytes=${bytes} complete=${bytes.length >=
      size} name=${name} contentType=${contentType} kind=${kind}
      onBinary=${() => setBinary(true)} />
    ${error && html`<${Notice} kind="bad" role="alert">${error}<//>`}
    ${shown < size && html`
      <div class="preview-bar">
        <p>${t("preview.first_bytes", { shown: formatBytes(shown), size: formatBytes(size) })}</p>
        ${canReadMore &&
          html`<${Button} small=${true} busy=${busy} onClick=${readMore}>${
            t("preview.next_part", { size: formatBytes(textStep) })
          }<//>`}
      </div>
    `}
  `;
}
