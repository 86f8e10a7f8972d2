// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n.js";
import { toastError } from "../toast.js";
import { html } from "../ui.js";
import { transfers } from "./center.js";

/** @import { TransferSession } from "./session.js" */

/**
 * @typedef {object} Loaded
 * @property {TransferSession} session
 * @property {typeof import("./tray_body.js").TrayBody} TrayBody
 * @property {typeof import("./tray_words.js").trayTitle} title
 * @property {typeof import("./tray_words.js").trayRate} rate
 */

/** The uploads of this browser, in a page of their own: the tray is put away meanwhile. */
export function UploadsHere() {
  const [loaded, setLoaded] = useState(/** @type {Loaded | null} */ (null));
  useEffect(() => {
    let showTray = () => {};
    let gone = false;
    load().then(({ hideTray, ...rest }) => {
      if (gone) return;
      showTray = hideTray();
      setLoaded(rest);
    }, (error) => toastError(t("transfers.start_failed"), error));
    return () => {
      gone = true;
      showTray();
    };
  }, []);
  return html`
    <section class="transfers-section" aria-labelledby="transfers-here">
      <h2 id="transfers-here">${t("transfers.here")}</h2>
      <div class="table-box">${loaded === null
        ? html`<p class="transfers-none muted">${t("transfers.here_empty")}</p>`
        : html`<${Here} ...${loaded} />`}</div>
    </section>
  `;
}

/** @param {Loaded} props */
function Here({ session, TrayBody, title, rate }) {
  const figures = session.progress.figures.value;
  const isEmpty = transfers.uploads.value.length + session.unfinished.rows.value.length === 0;
  if (isEmpty) return html`<p class="transfers-none muted">${t("transfers.here_empty")}</p>`;
  return html`
    <header class="transfers-now">
      <strong>${title(session)}</strong><span class="muted">${rate(session)}</span>
    </header>
    ${figures?.busy && html`
      <progress class="transfers-total" max="1" value=${figures.fraction}
        aria-label=${t("transfers.all_uploads")}></progress>
    `}
    <${TrayBody} session=${session} page=${true} />
  `;
}

async function load() {
  const [session, { hideTray }, { TrayBody }, words] = await Promise.all([
    transfers.start(),
    import("./tray.js"),
    import("./tray_body.js"),
    import("./tray_words.js"),
  ]);
  return { session, hideTray, TrayBody, title: words.trayTitle, rate: words.trayRate };
}
