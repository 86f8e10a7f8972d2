// @ts-check
/// <reference lib="dom" />
import { useRef, useState } from "preact/hooks";
import { iconOf, KeyLabel } from "../browse/key_label.js";
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { toastError } from "../toast.js";
import { WrongFile } from "../upload/unfinished.js";
import { Button, html, Icon, IconButton } from "../ui.js";

/** @import { MessageKey } from "../i18n.js" */
/** @import { UploadRow } from "../upload/store.js" */
/** @import { Difference } from "../upload/unfinished.js" */
/** @import { TransferSession } from "./session.js" */

/** @type {Readonly<Record<Difference, MessageKey>>} */
const differences = {
  name: "transfers.wrong_name",
  size: "transfers.wrong_size",
  content: "transfers.wrong_content",
  date: "transfers.wrong_date",
};

/**
 * An upload that an earlier page has begun: it goes on with the same file, which the browser finds again or the user picks.
 * @param {{ session: TransferSession, row: UploadRow }} props
 */
export function UnfinishedRow({ session, row }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [error, setError] = useState("");
  const { name, size, bucket, key } = row;
  const takeUp = async (/** @type {File} */ file) => {
    setError("");
    try {
      await session.takeUp(row, file);
    } catch (failure) {
      if (failure instanceof WrongFile) {
        setError(t(differences[failure.difference], { name, size: formatBytes(size) }));
      } else toastError(t("transfers.take_up_failed"), failure);
    }
  };
  const resume = async () => {
    const file = await session.unfinished.findFile(row);
    if (file === null) input.current?.click();
    else await takeUp(file);
  };
  const discard = async () => {
    try {
      await session.unfinished.discard(row);
    } catch (failure) {
      toastError(t("transfers.discard_failed"), failure);
    }
  };
  const pick = (/** @type {any} */ event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (file) takeUp(file);
  };
  return html`
    <li class="transfer transfer-unfinished">
      <${Icon} name=${iconOf({ folder: false, name })} />
      <div class="transfer-text">
        <p class="transfer-path" title="${bucket}/${key}"><${KeyLabel} name=${name} /></p>
        <p class="transfer-state">${row.handle === null
          ? t("transfers.pick_same", { size: formatBytes(size) })
          : t("transfers.can_go_on", { size: formatBytes(size) })}</p>
        ${error && html`<p class="transfer-error" role="alert">${error}</p>`}
      </div>
      <${Button} small=${true} onClick=${resume}>${row.handle === null
        ? t("transfers.pick")
        : t("transfers.resume")}<//>
      <${IconButton} icon="trash" class="icon-button-small" label=${t("transfers.discard_name", { name })}
        onClick=${discard} />
      <input ref=${input} type="file" hidden aria-label=${t("transfers.pick_label", {
        name,
      })} onChange=${pick} />
    </li>
  `;
}
