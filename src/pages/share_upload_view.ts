import type { VNode } from "preact";
import { formatBytes } from "../../static/lib/format.js";
import { html } from "../../static/lib/html.js";
import { type MessageKey, rich, t } from "../../static/lib/i18n.js";
import { Icon } from "../../static/lib/icons.js";
import type { ShareDescription } from "../shares/public/description.ts";
import { Head, Moment } from "./share_views.ts";

/** What became of a form that a browser without script has sent. */
export interface FormOutcome {
  /** How many of its files have arrived. */
  readonly sent: number;
  /** Code of the problem that kept the others from it; empty for none. */
  readonly error: string;
}

/** What the page asks for, as its heading and title. */
export function uploadTitle({ upload }: ShareDescription): string {
  return upload?.title || t("shares.page_send_title");
}

/** Asks for files: a place to drop them on, and a form that works without script. */
export function UploadView(
  { about, outcome, now }: { about: ShareDescription; outcome: FormOutcome; now: number },
): VNode | null {
  const { code, upload } = about;
  if (upload === undefined) return null;
  return html`
    <article class="card share-card">
      <${Head} icon="upload" name=${uploadTitle(about)}><span>${t("shares.page_send_text")}</span><//>
      ${upload.message !== "" && html`<p class="share-message">${upload.message}</p>`}
      <${Outcome} ...${outcome} />
      <form class="share-sending" id="sending" method="post" enctype="multipart/form-data"
        action=${`/s/${encodeURIComponent(code)}/files`} data-max=${upload.max_file_bytes}
        data-files=${upload.files_left} data-bytes=${upload.bytes_left} ...${scriptTexts()}>
        <label class="share-drop">
          <${Icon} name="plus" />
          <strong>${t("shares.page_send_choose")}</strong>
          <span class="muted needs-script">${t("shares.page_send_drop")}</span>
          <input type="file" name="file" multiple required />
        </label>
        <button type="button" class="button needs-script" id="folder"><${Icon} name="folder" />${t(
          "shares.page_send_folder",
        )}</button>
        <button type="submit" class="button button-primary button-wide without-script">${t(
          "shares.page_send",
        )}</button>
      </form>
      <${Total} />
      <p class="share-sum" id="sum" role="status"></p>
      <button type="button" class="button" id="again" hidden><${Icon} name="refresh" />${t(
        "shares.page_send_again_all",
      )}</button>
      <ol class="share-files" id="files" hidden aria-label=${t("shares.page_send_list")}></ol>
      <template id="file"><${FileRow} /></template>
      <p class="faint share-limits">
        <span id="room">${t("shares.page_send_files", {
          n: upload.files_left,
          size: formatBytes(upload.bytes_left),
        })}</span>
        ${upload.max_file_bytes < upload.bytes_left &&
          html`<span>${" "}${
            t("shares.page_send_each", { size: formatBytes(upload.max_file_bytes) })
          }</span>`}
        ${about.expires_at !== null &&
          html`<span>${" "}${
            rich("shares.page_until", { time: html`<${Moment} at=${about.expires_at} now=${now} />` })
          }</span>`}
      </p>
    </article>
  `;
}

/** That a form's files have arrived, where the link takes no more after them. */
export function AllSentView({ sent }: { sent: number }): VNode {
  return html`
    <article class="card share-card">
      <${Head} icon="check" name=${t("shares.page_sent", { n: sent })}><span>${t(
        "shares.page_sent_last",
      )}</span><//>
    </article>
  `;
}

function Outcome({ sent, error }: FormOutcome): VNode {
  return html`
    ${sent > 0 && html`<p class="notice notice-ok" role="status"><${Icon} name="check" />
      <span class="notice-text">${t("shares.page_sent", { n: sent })}</span></p>`}
    ${error !== "" && html`<p class="notice notice-bad" role="alert"><${Icon} name="alert" />
      <span class="notice-text">${sent > 0 ? t("shares.page_send_rest") : t("shares.page_send_none")} ${
      t(
        Object.hasOwn(failures, error) ? failures[error] : "shares.page_send_failed",
      )
    }</span></p>`}
  `;
}

/** Why a file was not sent, by the code of the problem. */
const failures: Readonly<Record<string, MessageKey>> = {
  too_large: "shares.page_send_too_large",
  invalid_key: "shares.page_send_bad_name",
  quota_exceeded: "shares.page_send_full",
  exhausted: "shares.page_send_used_up",
  expired: "shares.page_send_over",
  revoked: "shares.page_send_over",
};

/** How far all files together are, which the page's script fills in. */
function Total(): VNode {
  return html`
    <div class="share-total" id="total" hidden>
      <p><span></span> <span class="number"></span></p>
      <progress max="1" value="0" aria-label=${t("shares.page_send_list")}></progress>
      <p class="visually-hidden" role="status"></p>
    </div>
  `;
}

/** The row of a file, which the page's script fills in. */
function FileRow(): VNode {
  return html`
    <li class="share-file">
      <${Icon} name="file" />
      <span class="share-file-name"><bdi class="break"></bdi></span>
      <span class="share-file-state faint number"></span>
      <button type="button" class="button button-small"></button>
      <progress max="1" value="0"></progress>
    </li>
  `;
}

/** The texts of the page's script, in the language of the page, as attributes. */
function scriptTexts(): Record<string, string> {
  return {
    "data-waiting": t("shares.page_send_waiting"),
    "data-done": t("shares.page_send_done"),
    "data-cancel": t("common.cancel"),
    "data-again": t("shares.page_send_again"),
    "data-remove": t("shares.page_send_remove"),
    "data-failed": t("shares.page_send_failed"),
    "data-offline": t("shares.page_send_offline"),
    // The script fills these in.
    "data-count": t("shares.page_send_count", { done: "{done}", all: "{all}" }),
    "data-unread": t("shares.page_send_unread"),
    "data-empty": t("shares.page_send_empty"),
    "data-too-much": t("shares.page_send_too_much"),
    "data-bad-name": t("shares.page_send_bad_name"),
    "data-all": t("shares.page_send_all"),
    "data-some": t("shares.page_send_some"),
    "data-too-large": t("shares.page_send_too_large"),
    "data-full": t("shares.page_send_full"),
    "data-used-up": t("shares.page_send_used_up"),
    "data-over": t("shares.page_send_over"),
  };
}
