// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { AuditRow } from "./audit_row.js";

/** @typedef {import("../../islands/audit.js").AuditEvent} AuditEvent */

/** Pixels above and below what is in sight in which rows are drawn. */
const drawnAround = 6000;

/**
 * The rows of the audit log. However many were loaded, only those around what is in sight are drawn.
 * @param {{ pages: ReadonlyArray<AuditEvent[]>, filter: Record<string, string>, isUtc: boolean }} props `pages` as they came
 */
export function AuditTable({ pages, filter, isUtc }) {
  const opened = useRef(/** @type {Set<AuditEvent["id"]>} */ (new Set()));
  return html`
    <table class="table table-cards audit-table">
      <thead>
        <tr>
          <th scope="col" class="audit-toggle"><span class="visually-hidden">${t("audit.details")}</span></th>
          <th scope="col">${t("audit.time")}</th>
          <th scope="col">${t("common.user")}</th>
          <th scope="col">${t("audit.action")}</th>
          <th scope="col">${t("audit.target")}</th>
          <th scope="col">${t("audit.status")}</th>
          <th scope="col">${t("audit.address")}</th>
        </tr>
      </thead>
      ${pages.map((events, index) =>
        html`
          <${RowGroup} key=${index} events=${events} filter=${filter} isUtc=${isUtc} opened=${opened
            .current} />
        `
      )}
    </table>
  `;
}

/**
 * A page of rows; as long as it is far from what is in sight, a gap of its height.
 * @param {{
 *   events: AuditEvent[], filter: Record<string, string>, isUtc: boolean, opened: Set<AuditEvent["id"]>
 * }} props
 */
function RowGroup({ events, filter, isUtc, opened }) {
  const body = useRef(/** @type {HTMLElement | null} */ (null));
  const [gap, setGap] = useState(0);
  useEffect(() => {
    const group = /** @type {HTMLElement} */ (body.current);
    const observer = new IntersectionObserver((entries) => {
      const { isIntersecting, boundingClientRect } = entries[entries.length - 1];
      // What has the focus stays.
      const isFar = !isIntersecting && !group.contains(document.activeElement);
      setGap(isFar ? boundingClientRect.height : 0);
    }, { root: document.querySelector("main"), rootMargin: `${drawnAround}px` });
    observer.observe(group);
    return () => observer.disconnect();
  }, []);
  return html`
    <tbody ref=${body}>${gap > 0
      ? html`
        <tr aria-hidden="true">
          <td colspan="7" style=${{ height: `${gap}px` }}></td>
        </tr>
      `
      : events.map((event) =>
        html`
          <${AuditRow} key=${event.id} event=${event} filter=${filter} isUtc=${isUtc} opened=${opened} />
        `
      )}</tbody>
  `;
}
