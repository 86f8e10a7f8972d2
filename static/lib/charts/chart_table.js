// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { html } from "../html.js";

/**
 * The figures of a chart as a table, folded away: for readers who do not see the chart, and those who want the numbers.
 * @param {{
 *   label: string, title?: string, columns: readonly string[], rows: () => ReadonlyArray<readonly [string, ...any[]]>
 * }} props `label` is the line to unfold it by, `title` what the table is called, `label` unless given; the first cell of each
 *   row is its heading, the others are figures: they are made when somebody wants them
 */
export function ChartTable({ label, title = label, columns, rows }) {
  const [open, setOpen] = useState(false);
  const toggle = (/** @type {any} */ event) => setOpen(event.currentTarget.open);
  return html`
    <details class="plot-table needs-script" onToggle=${toggle}>
      <summary>${label}</summary>
      ${open && html`
        <div class="plot-scroll" tabindex="0" role="region" aria-label=${title}>
          <table class="table">
            <thead>
              <tr>${columns.map((column, index) =>
                html`<th key=${column} scope="col" class=${index === 0 ? "" : "number"}>${column}</th>`
              )}</tr>
            </thead>
            <tbody>${rows().map(([head, ...cells], row) =>
              html`
                <tr key=${row}>
                  <th scope="row">${head}</th>
                  ${cells.map((cell, index) => html`<td key=${index} class="number nowrap">${cell}</td>`)}
                </tr>
              `
            )}</tbody>
          </table>
        </div>
      `}
    </details>
  `;
}
