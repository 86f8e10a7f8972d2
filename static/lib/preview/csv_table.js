// @ts-check
import { html } from "../html.js";
import { t } from "../i18n.js";
import { parseCsv } from "./csv.js";

/** Rows and columns shown at most. */
const maxRows = 500;
const maxColumns = 60;

/**
 * A CSV or TSV text as a table, its first row as the head.
 * @param {{ text: string, complete: boolean }} props
 */
export function CsvTable({ text, complete }) {
  const { rows, more } = parseCsv(text, maxRows + 1);
  const [head = [], ...body] = rows;
  const all = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const width = Math.min(maxColumns, all);
  const notes = [
    more || !complete ? t("preview.first_rows", { n: body.length }) : "",
    all > width ? t("preview.first_columns", { n: all, shown: width }) : "",
  ].filter(Boolean);
  const columns = Array.from({ length: width }, (_, column) => column);
  return html`
    <div class="preview preview-table preview-csv" tabindex="0" role="region" aria-label=${t(
      "preview.table",
    )}>
      <table>
        <thead>
          <tr>${columns.map((column) => html`<th key=${column} scope="col">${head[column] ?? ""}</th>`)}</tr>
        </thead>
        <tbody>${body.map((row, index) =>
          html`<tr key=${index}>${
            columns.map((column) => html`<td key=${column}>${row[column] ?? ""}</td>`)
          }</tr>`
        )}</tbody>
      </table>
    </div>
    ${notes.length > 0 && html`<p class="preview-note">${notes.join(" · ")}</p>`}
  `;
}
