import type { ComponentChildren, VNode } from "preact";
import { iconOf } from "../../static/lib/browse/key_label.js";
import { formatBytes, formatNumber, formatRelative, formatUtc } from "../../static/lib/format.js";
import { html } from "../../static/lib/html.js";
import { Icon } from "../../static/lib/icons.js";
import type { ShareDescription } from "../shares/public/description.ts";
import type { ShareListing } from "../shares/public/folder.ts";

interface Words {
  readonly icon: string;
  readonly title: string;
  readonly text: string;
}

/** One file: what it is, a button that downloads it, and one that shows it here. */
export function ObjectView({ about, now }: { about: ShareDescription; now: number }): VNode {
  const { name, size, content_type: type, raw_url: url, preview_kind: kind, disposition } = about;
  // A file that is to be saved cannot be put into a frame.
  const shows = kind !== "none" && (kind !== "pdf" || disposition === "inline");
  return html`
    <article class="card share-card">
      <${Head} icon=${iconOf({ folder: false, name })} name=${name}>
        ${size !== null && html`<span class="number">${formatBytes(size)}</span>`}
        ${type !== null && html`<span class="break">${type}</span>`}
        ${about.last_modified !== null && html`<span>changed <${Moment} at=${about.last_modified}
          now=${now} /></span>`}
      <//>
      <div class="share-preview" id="preview" hidden></div>
      <div class="share-actions">
        <a class="button button-primary" href=${url} download><${Icon} name="download" />Download</a>
        ${shows && html`
          <button type="button" class="button needs-script" data-preview=${kind} data-url=${url}
            data-name=${name}><${Icon} name="eye" />Show it here</button>
        `}
      </div>
      <p class="notice notice-bad" id="failure" role="alert" hidden></p>
      <${Limits} about=${about} now=${now} counts=${shows ? "Showing it counts too." : ""} />
    </article>
  `;
}

/** One level of a folder: its folders lead on, its files are downloaded, all of it comes as a zip file. */
export function FolderView(
  { about, listing, now }: { about: ShareDescription; listing: ShareListing; now: number },
): VNode {
  const { code, name } = about;
  const { path, folders, files, next_token: token } = listing;
  const page = `/s/${code}`;
  const zip = `${page}/zip${queryOf({ path })}`;
  const isEmpty = folders.length === 0 && files.length === 0;
  return html`
    <article class="card share-card share-folder">
      <${Head} icon="folder" name=${name}><span>Shared folder</span><//>
      <${FolderPath} page=${page} name=${name} path=${path} />
      ${isEmpty ? html`<p class="muted share-empty">There is nothing in this folder.</p>` : html`
        <div class="table-box">
          <table class="table share-table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" class="number">Size</th>
                <th scope="col" class="share-modified">Changed</th>
              </tr>
            </thead>
            <tbody>
            ${folders.map((folder) =>
              html`
                <tr key=${`${folder}/`}>
                  <td><a class="share-name" href=${page +
                    queryOf({
                      path: `${path}${folder}/`,
                    })}><${Icon} name="folder" /><bdi class="break">${folder || "(no name)"}</bdi></a></td>
                  <td class="number faint">folder</td>
                  <td class="share-modified"></td>
                </tr>
              `
            )}
            ${files.map((file) =>
              html`
                <tr key=${file.path}>
                  <td><a class="share-name" href=${`${page}/raw${
                    queryOf({ path: file.path })
                  }`} download><${Icon} name=${iconOf({
                    folder: false,
                    name: file.name,
                  })} /><bdi class="break">${file.name}</bdi></a></td>
                  <td class="number nowrap">${formatBytes(file.size)}</td>
                  <td class="share-modified nowrap">
                    <${Moment} at=${file.last_modified} now=${now} />
                  </td>
                </tr>
              `
            )}
          </tbody>
          </table>
        </div>
      `}
      <div class="share-actions">
        <a class="button button-primary" href=${zip} download><${Icon} name="download" />${path === ""
          ? "Download all"
          : "Download this folder"} (zip)</a>
        ${token !== null && html`<a class="button" href=${page + queryOf({ path, token })}>Next files</a>`}
      </div>
      <${Limits} about=${about} now=${now} counts="Each file and each zip file is one download." />
    </article>
  `;
}

/** The form for the password. It needs no script. */
export function LockedView(
  { code, error, retryAfter }: { code: string; error: string; retryAfter: number },
): VNode {
  return html`
    <article class="card share-card">
      <${Head} icon="lock"
        name="Password needed"><span>Whoever gave you this link has its password.</span><//>
      ${error !== "" && html`<p class="notice notice-bad" role="alert"><${Icon} name="alert" />
        <span class="notice-text">${unlockFailure(error, retryAfter)}</span></p>`}
      <form class="stack" method="post" action=${`/s/${encodeURIComponent(code)}/unlock`}>
        <div class="field"><label for="password">Password</label>
          <input class="input" id="password" name="password" type="password" autocomplete="off" required
            maxlength="256" autofocus /></div>
        <button type="submit" class="button button-primary button-wide">Go on</button>
      </form>
    </article>
  `;
}

/** Why there is nothing. */
export function GoneView({ code }: { code: string }): VNode {
  const { icon, title, text } = wordsFor(code);
  return html`
    <article class="card share-card">
      <${Head} icon=${icon} name=${title}><span>${text}</span><//>
    </article>
  `;
}

function Head({ icon, name, children }: { icon: string; name: string; children: ComponentChildren }): VNode {
  return html`
    <header class="share-head">
      <span class="empty-icon"><${Icon} name=${icon} /></span>
      <h1 class="break">${name}</h1>
      <p class="muted share-facts">${children}</p>
    </header>
  `;
}

function FolderPath({ page, name, path }: { page: string; name: string; path: string }): VNode | null {
  const folders = path.split("/").slice(0, -1);
  if (folders.length === 0) return null;
  return html`
    <nav class="share-path" aria-label="Path">
      <ol>
      <li><a href=${page}><bdi>${name}</bdi></a></li>
      ${folders.map((folder, index) => {
        const label = folder === "" ? "(no name)" : folder;
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
      ${expiry !== null && html`<span>This link works until <${Moment} at=${expiry} now=${now} />.</span>`}
      ${left !== null &&
        html`<span>${" "}${
          left === 1 ? "One download is left." : `${formatNumber(left)} downloads are left.`
        } ${counts}</span>`}
    </p>
  `;
}

/** A moment; the page's script puts it into the reader's zone. */
function Moment({ at, now }: { at: string; now: number }): VNode {
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

function unlockFailure(code: string, retryAfter: number): string {
  if (code === "password_mismatch") return "This password is not right.";
  if (code !== "rate_limited") return "This did not work. Try again.";
  const minutes = Math.ceil(retryAfter / 60);
  return `Too many tries. Try again ${minutes <= 1 ? "in a minute" : `in ${minutes} minutes`}.`;
}

function wordsFor(code: string): Words {
  switch (code) {
    case "expired":
      return {
        icon: "clock",
        title: "This link has expired",
        text: "Ask whoever gave it to you for a new one.",
      };
    case "revoked":
      return {
        icon: "lock",
        title: "This link is no longer in force",
        text: "Ask whoever gave it to you for a new one.",
      };
    case "exhausted":
      return {
        icon: "check",
        title: "This link has been used up",
        text: "It was good for a number of downloads. Ask whoever gave it to you for a new one.",
      };
    case "rate_limited":
      return { icon: "clock", title: "Too many requests", text: "Wait a minute, then load the page again." };
    case "not_found":
    case "bad_request":
    case "method_not_allowed":
      return {
        icon: "search",
        title: "There is nothing at this link",
        text: "What it led to is gone, or the link was cut off on its way to you. Check that it is whole.",
      };
    default:
      return {
        icon: "plug",
        title: "This cannot be shown right now",
        text: "Load the page again in a while. If it stays, tell whoever gave you the link.",
      };
  }
}
