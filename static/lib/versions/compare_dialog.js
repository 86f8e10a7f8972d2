// @ts-check
/// <reference lib="dom" />
import { useEffect, useMemo, useState } from "preact/hooks";
import { contentUrl, nameOf } from "../details/addresses.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { formatBytes, formatDateTime } from "../format.js";
import { t } from "../i18n.js";
import { readHead } from "../preview/head.js";
import { indentedJson } from "../preview/json.js";
import { previewKind } from "../preview/kind.js";
import { textOf } from "../preview/text.js";
import { PreviewWait } from "../preview/unshown.js";
import { Segmented } from "../segmented.js";
import { countChanges, diffLines, withoutFarLines } from "../settings/line_diff.js";
import { loadStyles } from "../styles.js";
import { Button, html, Notice } from "../ui.js";
import { DiffTable } from "./diff_table.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { DialogControls } from "../dialog.js" */
/** @import { Version } from "./version_list.js" */

/** Bytes of each version that are compared. */
const maxBytes = 1024 * 1024;

/**
 * Shows what lies between two versions of a text.
 * @param {Browser} browser
 * @param {Version} older
 * @param {Version} newer
 */
export async function openComparison(browser, older, newer) {
  await loadStyles("lazy.css");
  await openDialog(
    /** @param {DialogControls<void>} controls */
    (controls) => html`<${Comparison} ...${controls} browser=${browser} older=${older} newer=${newer} />`,
  );
}

/** @param {DialogControls<void> & { browser: Browser, older: Version, newer: Version }} props */
function Comparison({ close, titleId, browser, older, newer }) {
  const [texts, setTexts] = useState(/** @type {[string, string] | null} */ (null));
  const [problem, setProblem] = useState("");
  const [layout, setLayout] = useState(/** @type {"unified" | "split"} */ ("unified"));
  useEffect(() => {
    const abort = new AbortController();
    Promise.all([older, newer].map((version) => readText(browser.api, version, abort.signal))).then(
      ([before, after]) => {
        if (before === null || after === null) setProblem(t("versions.not_text"));
        else setTexts([before, after]);
      },
      (error) => {
        if (!abort.signal.aborted) setProblem(error.message);
      },
    );
    return () => abort.abort();
  }, []);
  const lines = useMemo(() => texts && diffLines(...texts), [texts]);
  const changes = lines && countChanges(lines);
  const cut = Math.max(older.size, newer.size) > maxBytes;
  return html`
    <${DialogFrame} title=${t("versions.compare_title", {
      name: nameOf(newer.key),
    })} titleId=${titleId} onClose=${close}
      footer=${html`<${Button} onClick=${() => close()}>${t("common.close")}<//>`}>
      <div class="stack comparison">
        <div class="comparison-head">
          <p>${changes && t("versions.changes", {
            added: t("versions.lines_added", { n: changes.added }),
            removed: t("versions.lines_removed", { n: changes.removed }),
          })}</p>
          <${Segmented} label=${t("versions.layout")} value=${layout} onChange=${setLayout}
            options=${[["unified", t("versions.unified")], ["split", t("versions.side_by_side")]]} />
        </div>
        ${problem && html`<${Notice} kind="info" role="alert">${problem}<//>`}
        ${!lines && !problem && html`<${PreviewWait} />`}
        ${changes && changes.added + changes.removed === 0 && html`<${Notice}>${t("versions.same_text")}<//>`}
        ${lines && changes && changes.added + changes.removed > 0 && html`
          <${DiffTable} lines=${withoutFarLines(lines)} layout=${layout} before=${labelOf(
            older,
          )} after=${labelOf(newer)} />
        `}
        ${cut &&
          html`<p class="field-hint">${t("versions.compared_head", { size: formatBytes(maxBytes) })}</p>`}
      </div>
      <//>
  `;
}

/** @param {Version} version */
function labelOf({ last_modified }) {
  return formatDateTime(Date.parse(last_modified));
}

/**
 * The text of a version, JSON laid out so that its values can be told apart; `null` for bytes that are no text.
 *
 * @param {string} api
 * @param {Version} version
 * @param {AbortSignal} signal
 */
async function readText(api, { key, version_id, size }, signal) {
  const url = contentUrl(api, key, "inline", version_id);
  const { bytes, complete } = await readHead(url, { size, limit: maxBytes, signal });
  const text = textOf(bytes, complete)?.text ?? null;
  const oneLine = text !== null && !text.trim().includes("\n");
  return text !== null && oneLine && previewKind(key, "") === "json" ? indentedJson(text) : text;
}
