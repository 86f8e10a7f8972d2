import type { ComponentChildren, VNode } from "preact";
import { withBase } from "../../static/lib/base.js";
import { iconOf } from "../../static/lib/browse/key_label.js";
import { formatBytes, formatRelative, formatUtc } from "../../static/lib/format.js";
import { html } from "../../static/lib/html.js";
import { type MessageKey, rich, t } from "../../static/lib/i18n.js";
import { Icon } from "../../static/lib/icons.js";
import type { ShareDescription } from "../shares/public/description.ts";
import type { ShareListing } from "../shares/public/folder.ts";
import { type PublicPreviewKind, publicPreviewKind } from "../shares/public/preview_kind.ts";

interface Words {
  readonly icon: string;
  readonly title: MessageKey;
  readonly text: MessageKey;
}

/** One file: what it is, a button that downloads it, and one that shows it here. */
export function ObjectView({ about, now }: { about: ShareDescription; now: number }): VNode {
  const { name, size, content_type: type, raw_url: url, preview_kind: kind } = about;
  const shows = canShow(kind, about);
  return html`
    <article class="card share-card">
      <${Head} icon=${iconOf({ folder: false, name })} name=${name}>
        ${size !== null && html`<span class="number">${formatBytes(size)}</span>`}
        ${type !== null && html`<span class="break">${type}</span>`}
        ${about.last_modified !== null &&
          html`<span>${
            rich("shares.page_changed", { time: html`<${Moment} at=${about.last_modified} now=${now} />` })
          }</span>`}
      <//>
      <div class="share-preview" id="preview" tabindex="-1" hidden></div>
      <div class="share-actions">
        <a class="button button-primary" href=${url} download><${Icon} name="download" />${t(
          "common.download",
        )}</a>
        ${shows && html`
          <button type="button" class="button needs-script" data-preview=${kind} data-url=${withBase(
            url ?? "",
          )}
            data-name=${name}><${Icon} name="eye" />${t("shares.page_show")}</button>
        `}
      </div>
      <${ShowFailure} />
      <${Limits} about=${about} now=${now} counts=${shows ? t("shares.page_show_counts") : ""} />
    </article>
  `;
}

/** One level of a folder, or a selection: its folders lead on, its files are downloaded, all of it comes as a zip file. */
export function FolderView(
  { about, listing, now }: { about: ShareDescription; listing: ShareListing; now: number },
): VNode {
  const { code, kind } = about;
  const isSelection = kind === "selection";
  const name = isSelection ? t("shares.page_selection") : about.name;
  const { path, folders, files, next_token: token } = listing;
  const page = `/s/${code}`;
  const zip = `${page}/zip${queryOf({ path })}`;
  const isEmpty = folders.length === 0 && files.length === 0;
  const shown = files.map(({ name }) => publicPreviewKind(name, "")).filter((kind) => canShow(kind, about));
  const counts = t("shares.page_folder_counts");
  return html`
    <article class="card share-card share-folder">
      <${Head} icon=${isSelection ? "list" : "folder"} name=${name}><span>${isSelection
        ? t("shares.page_selection_kind")
        : t("shares.page_folder_kind")}</span><//>
      <${FolderPath} page=${page} name=${name} path=${path} />
      ${isEmpty ? html`<p class="muted share-empty">${t("shares.page_empty")}</p>` : html`
        <div class="table-box">
          <table class="table share-table">
            <thead>
              <tr>
                <th scope="col">${t("common.name")}</th>
                <th scope="col" class="number">${t("common.size")}</th>
                <th scope="col" class="share-modified">${t("shares.page_changed_column")}</th>
              </tr>
            </thead>
            <tbody>
            ${folders.map((folder) =>
              html`
                <tr key=${`${folder}/`}>
                  <td><a class="share-name" href=${page +
                    queryOf({
                      path: `${path}${folder}/`,
                    })}><${Icon} name="folder" /><bdi class="break">${folder === ""
                    ? t("shares.page_no_name")
                    : breakable(folder)}</bdi></a></td>
                  <td class="number faint">${t("shares.page_folder_size")}</td>
                  <td class="share-modified"></td>
                </tr>
              `
            )}
            ${files.map((file) =>
              html`<${FileRow} key=${file.path} about=${about} file=${file} page=${page} now=${now} />`
            )}
          </tbody>
          </table>
        </div>
      `}
      <div class="share-actions">
        ${!isEmpty &&
          html`<a class="button button-primary" href=${zip} download><${Icon} name="download" />${
            path === "" ? t("shares.page_all") : t("shares.page_this")
          }</a>`}
        ${token !== null &&
          html`<a class="button" href=${page + queryOf({ path, token })}>${t("shares.page_next")}</a>`}
      </div>
      <${Limits} about=${about} now=${now}
        counts=${shown.length === 0 ? counts : `${counts} ${t("shares.page_show_counts")}`} />
      ${shown.length > 0 && html`<${ShowDialog} />`}
    </article>
  `;
}

/** A file of a folder: a link that downloads it, and a button that shows it over the page. */
function FileRow(
  { about, file, page, now }: {
    about: ShareDescription;
    file: ShareListing["files"][number];
    page: string;
    now: number;
  },
): VNode {
  const { name, path, size, last_modified: changed } = file;
  const kind = publicPreviewKind(name, "");
  const url = `${page}/raw${queryOf({ path })}`;
  return html`
    <tr>
      <td>
        <div class="share-entry">
          <a class="share-name" href=${url} download><${Icon} name=${iconOf({
            folder: false,
            name,
          })} /><bdi class="break">${breakable(name)}</bdi></a>
          ${canShow(kind, about) && html`
            <button type="button" class="icon-button icon-button-small needs-script" data-preview=${kind}
              data-url=${withBase(url)} data-name=${name} title=${t("shares.page_show")}
              aria-label=${t("shares.page_show_name", { name })}><${Icon} name="eye" /></button>
          `}
        </div>
      </td>
      <td class="number nowrap">${formatBytes(size)}</td>
      <td class="share-modified nowrap">
        <${Moment} at=${changed} now=${now} />
      </td>
    </tr>
  `;
}

/** Where the page's script shows a file of a folder. */
function ShowDialog(): VNode {
  return html`
    <dialog class="dialog share-show" id="show" aria-labelledby="show-name" closedby="any">
      <div class="dialog-frame">
        <header class="dialog-head">
          <h2 id="show-name"></h2>
          <button type="button" class="icon-button" id="show-close"
            aria-label=${t("common.close")}><${Icon} name="close" /></button>
        </header>
        <div class="dialog-body">
          <div class="share-preview" id="preview" tabindex="-1"></div>
          <${ShowFailure} />
        </div>
        <footer class="dialog-foot">
          <a class="button button-primary" id="show-download"
            download><${Icon} name="download" />${t(
              "common.download",
            )}</a>
        </footer>
      </div>
    </dialog>
  `;
}

/** Where the page's script says why a file cannot be shown, with the words for it. */
function ShowFailure(): VNode {
  return html`
    <p class="notice notice-bad" id="failure" role="alert" hidden data-no-preview=${t(
      "shares.page_no_preview",
    )}
      data-no-text=${t("shares.page_no_text")} data-limited=${t("shares.page_show_limited")}
      data-rest=${t("shares.page_rest")}></p>
  `;
}

/** Whether the page can show a file: one that is to be saved cannot be put into a frame. */
function canShow(kind: PublicPreviewKind, { disposition }: ShareDescription): boolean {
  return kind !== "none" && (kind !== "pdf" || disposition === "inline");
}

/** Why a password did not open a link. */
interface UnlockFailure {
  /** Of the problem; empty for none. */
  readonly code: string;
  /** Seconds to wait after too many tries. */
  readonly retryAfter: number;
  /** How many more tries there are for now. */
  readonly left: number;
}

/** The form for the password. It needs no script. */
export function LockedView({ code, failure }: { code: string; failure: UnlockFailure }): VNode {
  return html`
    <article class="card share-card">
      <${Head} icon="lock"
        name=${t("shares.page_locked_title")}><span>${t("shares.page_locked_text")}</span><//>
      ${failure.code !== "" && html`<p class="notice notice-bad" role="alert"><${Icon} name="alert" />
        <span class="notice-text">${unlockFailure(failure)}</span></p>`}
      <form class="stack" method="post" action=${`/s/${encodeURIComponent(code)}/unlock`}>
        <div class="field"><label for="password">${t("shares.page_password")}</label>
          <input class="input" id="password" name="password" type="password" autocomplete="off" required
            maxlength="256" autofocus /></div>
        <button type="submit" class="button button-primary button-wide">${t("shares.page_go_on")}</button>
      </form>
    </article>
  `;
}

/** Why there is nothing; after too many requests, how many seconds to wait and the page's own `path` to try again. */
export function GoneView(
  { code, retryAfter, path }: { code: string; retryAfter: number; path: string },
): VNode {
  const { icon, title, text } = wordsFor(code);
  const limited = code === "rate_limited";
  const time = limited && html`<${Countdown} seconds=${retryAfter || 60} />`;
  return html`
    <article class="card share-card">
      <${Head} icon=${icon} name=${t(title)}><span>${rich(text, { time })}</span><//>
      ${limited &&
        html`<div class="share-actions"><a class="button" href=${path}>${t("shares.page_again")}</a></div>`}
    </article>
  `;
}

/** A time that is left, which the page's script counts down. What is to be said at its end comes along. */
function Countdown({ seconds }: { seconds: number }): VNode {
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return html`
    <span class="number" role="timer" data-countdown=${seconds}
      data-over=${t("shares.page_wait_over")}>${clock}</span>
  `;
}

/** What a link is to, in the middle above everything else. */
export function Head(
  { icon, name, children }: { icon: string; name: string; children: ComponentChildren },
): VNode {
  return html`
    <header class="share-head">
      <span class="empty-icon"><${Icon} name=${icon} /></span>
      <h1 class="break">${name}</h1>
      <p class="muted share-facts">${children}</p>
    </header>
  `;
}

/** A path that is broken after its slashes, before it is anywhere else. */
function breakable(path: string): ComponentChildren {
  return path.split("/").map((part, index) => index === 0 ? part : html`/<wbr />${part}`);
}

function FolderPath({ page, name, path }: { page: string; name: string; path: string }): VNode | null {
  const folders = path.split("/").slice(0, -1);
  if (folders.length === 0) return null;
  return html`
    <nav class="share-path" aria-label=${t("shares.page_path")}>
      <ol>
      <li><a href=${page}><bdi>${name}</bdi></a></li>
      ${folders.map((folder, index) => {
        const label = folder === "" ? t("shares.page_no_name") : folder;
        return html`<li>${
          index === folders.length - 1
            ? html`<span aria-current="page"><bdi>${label}</bdi></span>`
            : html`<a href=${
              page + queryOf({ path: `${folders.slice(0, index + 1).join("/")}/` })
            }><bdi>${label}</bdi></a>`
        }</li>`;
      })}
      </ol>
    </nav>
  `;
}

/** How long and how often the link still works. */
function Limits(
  { about, now, counts }: { about: ShareDescription; now: number; counts: string },
): VNode | null {
  const { expires_at: expiry, downloads_left: left } = about;
  if (expiry === null && left === null) return null;
  return html`
    <p class="faint share-limits">
      ${expiry !== null &&
        html`<span>${
          rich("shares.page_until", { time: html`<${Moment} at=${expiry} now=${now} />` })
        }</span>`}
      ${left !== null &&
        html`<span>${" "}${t("shares.page_left", { n: left })} ${counts}</span>`}
    </p>
  `;
}

/** A moment; the page's script puts it into the reader's zone. */
export function Moment({ at, now }: { at: string; now: number }): VNode {
  const milliseconds = Date.parse(at);
  return html`<time datetime=${at} title=${formatUtc(milliseconds)}>${
    formatRelative(milliseconds, now)
  }</time>`;
}

function queryOf(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function unlockFailure({ code, retryAfter, left }: UnlockFailure): ComponentChildren {
  if (code === "password_mismatch") {
    const tries = left === 0 ? "" : t("shares.page_tries_left", { n: left });
    return `${t("shares.page_wrong")} ${tries}`;
  }
  if (code !== "rate_limited") return t("shares.page_failed");
  return rich("shares.page_wait", { time: html`<${Countdown} seconds=${retryAfter || 60} />` });
}

function wordsFor(code: string): Words {
  switch (code) {
    case "expired":
      return { icon: "clock", title: "shares.page_expired_title", text: "shares.page_ask" };
    case "revoked":
      return { icon: "lock", title: "shares.page_revoked_title", text: "shares.page_ask" };
    case "exhausted":
      return { icon: "check", title: "shares.page_exhausted_title", text: "shares.page_exhausted_text" };
    case "rate_limited":
      return { icon: "clock", title: "shares.page_limited_title", text: "shares.page_limited_text" };
    case "not_found":
    case "bad_request":
    case "method_not_allowed":
      return { icon: "search", title: "shares.page_nothing_title", text: "shares.page_nothing_text" };
    default:
      return { icon: "plug", title: "shares.page_down_title", text: "shares.page_down_text" };
  }
}
