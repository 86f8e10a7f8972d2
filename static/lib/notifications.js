// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { DialogFrame, openDialog } from "./dialog.js";
import { t } from "./i18n.js";
import { loadStyles } from "./styles.js";
import { clearPastToasts, markToastsSeen, pastToasts, runAction } from "./toast.js";
import { CopyDetails, ToastText } from "./toast_region.js";
import { Button, EmptyState, html, Time } from "./ui.js";

/** Opens the list of what was said in this document, for those who read late. */
export async function openNotifications() {
  await loadStyles("lazy.css");
  await openDialog(
    ({ close, titleId }) => html`<${Notifications} close=${close} titleId=${titleId} />`,
    { size: "side" },
  );
}

/** @param {{ close: () => void, titleId: string }} props */
function Notifications({ close, titleId }) {
  const items = pastToasts.value;
  useEffect(markToastsSeen, [items]);
  const now = Date.now();
  const footer = items.length > 0 &&
    html`<${Button} onClick=${clearPastToasts}>${t("frame.clear_notifications")}</${Button}>`;
  return html`
    <${DialogFrame} title=${t("frame.notifications")} titleId=${titleId} onClose=${close} footer=${footer}>
      ${items.length === 0
        ? html`<${EmptyState} icon="bell" title=${t("frame.no_notifications")}>${
          t("frame.no_notifications_text")
        }<//>`
        : html`<ul class="notifications">${
          items.map((item) =>
            html`
              <li key=${item.id} class="notification toast-${item.kind}">
                <${ToastText} item=${item} />
                <span class="notification-time faint"><${Time} at=${item.at} now=${now} /></span>
                ${(item.action || item.kind === "error") && html`<div class="notification-actions">
                  ${
                  item.action && html`<${Button} small=${true} onClick=${() => {
                    close();
                    runAction(item);
                  }}>${item.action.label}</${Button}>`
                }
                  ${item.kind === "error" && html`<${CopyDetails} item=${item} />`}
                </div>`}
              </li>
            `
          )
        }</ul>`}
      <//>
  `;
}
