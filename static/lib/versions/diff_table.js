// @ts-check
/// <reference lib="dom" />
import { useMemo, useState } from "preact/hooks";
import { t } from "../i18n.js";
import { Button, html } from "../ui.js";
import { sideBySide } from "./side_by_side.js";

/** @import { DiffLine } from "../settings/line_diff.js" */

/** Lines that are drawn at once. */
const lineStep = 1000;

const signs = { same: " ", added: "+", removed: "−" };

/**
 * A comparison of two texts, one below the other or side by side.
 * @param {{ lines: Array<DiffLine | null>, layout: "unified" | "split", before: string, after: string }} props
 */
export function DiffTable({ lines, layout, before, after }) {
  const [limit, setLimit] = useState(lineStep);
  const pairs = useMemo(() => layout === "split" ? sideBySide(lines) : [], [lines, layout]);
  const count = layout === "split" ? pairs.length : lines.length;
  return html`
    <div class="preview diff" tabindex="0" role="region" aria-label=${t("versions.difference")}>
      <table data-layout=${layout}>
        <thead>
          <tr>${layout === "split"
            ? html`
              <th scope="col" colspan="2">${before}</th>
              <th scope="col" colspan="2">${after}</th>
            `
            : html`<th scope="col" colspan="4">${t("versions.from_to", { before, after })}</th>`}</tr>
        </thead>
        <tbody>${layout === "split"
          ? pairs.slice(0, limit).map((pair, index) =>
            pair === null ? html`<${Gap} key=${index} />` : html`
              <tr key=${index}>
                <${Half} line=${pair[0]} number=${pair[0]?.before} />
                <${Half} line=${pair[1]} number=${pair[1]?.after} />
              </tr>
            `
          )
          : lines.slice(0, limit).map((line, index) =>
            line === null ? html`<${Gap} key=${index} />` : html`<${Line} key=${index} line=${line} />`
          )}</tbody>
      </table>
    </div>
    ${count > limit && html`
      <${Button} small=${true} onClick=${() => setLimit(limit + lineStep)}>${t("versions.more_lines", {
        n: count - limit,
      })}<//>
    `}
  `;
}

function Gap() {
  return html`
    <tr class="diff-gap">
      <td colspan="4"><span aria-hidden="true">⋯</span></td>
    </tr>
  `;
}

/** @param {{ line: DiffLine }} props */
function Line({ line }) {
  return html`
    <tr class="diff-${line.kind}">
      <td class="diff-number">${line.before}</td>
      <td class="diff-number">${line.after}</td>
      <td class="diff-sign">${signs[line.kind]}</td>
      <td><code>${line.text}</code></td>
    </tr>
  `;
}

/** @param {{ line: DiffLine | null, number?: number | null }} props */
function Half({ line, number }) {
  const kind = line?.kind ?? "none";
  return html`
    <td class="diff-number diff-${kind}">${number}</td>
    <td class="diff-half diff-${kind}"><code>${line && `${signs[line.kind]} ${line.text}`}</code></td>
  `;
}
