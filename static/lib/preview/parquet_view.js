// @ts-check
/// <reference lib="dom" />
import { formatNumber } from "../format.js";
import { t } from "../i18n.js";
import { html, Notice } from "../ui.js";
import { readRange } from "./head.js";
import { HeadPreview } from "./head_view.js";
import { footerLength, parquetFooter, parquetTail } from "./parquet.js";
import { useReading } from "./reading.js";
import { PreviewWait } from "./unshown.js";

/** @import { PreviewProps } from "./preview.js" */

/** Bytes of a footer that are read; a file with a longer one is shown as bytes. */
const maxFooter = 8 * 1024 * 1024;

/** Columns that are listed. */
const maxColumns = 500;

/**
 * The columns of a Parquet file and how many rows it has; only its end is read.
 * @param {PreviewProps} props
 */
export function ParquetPreview(props) {
  const { url, name, size } = props;
  const { value, error } = useReading(async (signal) => {
    if (size < parquetTail) return null;
    const length = footerLength(await readRange(url, { from: size - parquetTail, to: size, signal }));
    const from = size - parquetTail - (length ?? 0);
    if (length === null || length > maxFooter || from < 0) return null;
    return parquetFooter(await readRange(url, { from, to: size - parquetTail, signal }));
  }, [url]);
  if (error) return html`<${Notice} kind="bad">${error}<//>`;
  if (value === undefined) return html`<${PreviewWait} />`;
  if (value === null) return html`<${HeadPreview} ...${props} kind="hex" />`;
  return html`
    <div class="preview preview-table" tabindex="0" role="region" aria-label=${t("preview.columns_of", {
      name,
    })}>
      <table>
        <thead>
          <tr>
            <th scope="col">${t("preview.column")}</th>
            <th scope="col">${t("preview.type")}</th>
          </tr>
        </thead>
        <tbody>${value.columns.slice(0, maxColumns).map((column, index) =>
          html`
            <tr key=${index}>
              <td><bdi class="mono">${"\u00a0\u00a0".repeat(Math.min(column.depth, 10))}${column
                .name}</bdi></td>
              <td class="mono">${column.type}${column.optional && "?"}</td>
            </tr>
          `
        )}</tbody>
      </table>
    </div>
    <p class="preview-note">${t("preview.parquet", {
      n: value.rows,
      groups: formatNumber(value.rowGroups),
    })}${value.columns.length > maxColumns &&
      ` · ${t("preview.first_columns", { n: value.columns.length, shown: maxColumns })}`}${value.createdBy &&
      ` · ${value.createdBy.slice(0, 120)}`}</p>
  `;
}
