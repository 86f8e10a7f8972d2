// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../lib/api.js";
import { formatNumber } from "../lib/format.js";
import { plural } from "../lib/i18n.js";
import { PageHead } from "../lib/page_head.js";
import { apiQuery, sharesPage, shareStates } from "../lib/shares/filter.js";
import { askRevoke } from "../lib/shares/revoke.js";
import { ShareTable } from "../lib/shares/share_table.js";
import { toastError } from "../lib/toast.js";
import { Button, EmptyState, html, IconButton } from "../lib/ui.js";

/** @import { Me } from "../lib/boot_data.js" */
/** @import { ShareFilter } from "../lib/shares/filter.js" */
/** @import { Share } from "../lib/shares/share.js" */

/** @typedef {{ shares: Share[], next_before: number | null, total: number }} SharePage */

/**
 * What one shares, or for an administrator what everyone does. The filter is the page's address: its links work without
 * script.
 * @param {{
 *   filter: ShareFilter, page: SharePage, backends: Array<{ id: string, name: string }>, me: Me, now: number
 * }} props
 */
export function Island({ filter, page, backends, me, now }) {
  const [shares, setShares] = useState(page.shares);
  const [before, setBefore] = useState(page.next_before);
  const [busy, setBusy] = useState(false);
  const [selected, setSelected] = useState(/** @type {ReadonlySet<number>} */ (new Set()));
  const loadMore = async () => {
    setBusy(true);
    try {
      const next = await request("GET", "/api/shares", { query: { ...apiQuery(filter, now), before } });
      setShares((shown) => [...shown, ...next.shares]);
      setBefore(next.next_before);
    } catch (error) {
      toastError("More shares could not be loaded", error);
    }
    setBusy(false);
  };
  const replace = (/** @type {Share} */ changed) =>
    setShares((shown) => shown.map((share) => share.id === changed.id ? changed : share));
  const revoke = async (/** @type {readonly Share[]} */ wanted) => {
    const revoked = new Set(await askRevoke(wanted));
    setShares((shown) =>
      shown.map((share) => revoked.has(share.id) ? { ...share, state: "revoked" } : share)
    );
    setSelected((chosen) => new Set([...chosen].filter((id) => !revoked.has(id))));
  };
  const chosen = shares.filter(({ id }) => selected.has(id));
  return html`
    <${PageHead} title="Shares">
      Links by which people without an account reach an object or a folder.
    <//>
    <div class="shares-filter">
      <${Filter} filter=${filter} me=${me} />
      ${chosen.length > 0
        ? html`
          <div class="toolbar">
            <p role="status"><strong>${plural(chosen.length, "link", "links")} selected</strong></p>
            <${Button} class="button-bad-text" icon="trash" onClick=${() => revoke(chosen)}>Revoke<//>
            <${IconButton} icon="close" label="Clear selection" onClick=${() => setSelected(new Set())} />
          </div>
        `
        : html`<${PlaceForm} filter=${filter} backends=${backends} />`}
    </div>
    <div class="table-box">
      ${shares.length === 0 ? html`<${NoShares} filter=${filter} me=${me} />` : html`
        <${ShareTable} shares=${shares} all=${filter.scope === "all"} backends=${backends} me=${me} now=${now}
          selected=${selected} onSelect=${setSelected} onRevoke=${revoke} onChange=${replace} />
      `}
      ${shares.length > 0 && html`<div class="table-foot">
        <span role="status">${formatNumber(shares.length)} of ${
        plural(page.total, "share", "shares")
      } shown</span>
        ${
        before !== null &&
        html`<${Button} small=${true} busy=${busy} onClick=${loadMore}>Load more<//>`
      }
      </div>`}
    </div>
  `;
}

/** @param {{ filter: ShareFilter, me: Me }} props */
function Filter({ filter, me }) {
  const admin = me.role === "admin";
  const states = shareStates.filter(([state]) => state !== "suspended" || admin || filter.state === state);
  const link = (/** @type {Partial<ShareFilter>} */ changes, /** @type {string} */ words) => {
    const current = Object.entries(changes).every(([name, value]) =>
      filter[/** @type {"state"} */ (name)] === value
    );
    return html`
      <a key=${words} href=${sharesPage({ ...filter, ...changes })} aria-current=${current
        ? "true"
        : undefined}>${words}</a>
    `;
  };
  return html`
    ${admin && html`
      <nav class="row choice" aria-label="Whose shares">
        ${link({ scope: "own" }, "Mine")}${link({ scope: "all" }, "Everyone’s")}
      </nav>
    `}
    <nav class="row choice" aria-label="Which shares">
      ${link({ state: "" }, "All")}${states.map(([state, words]) => link({ state }, words))}
    </nav>
  `;
}

/** @param {{ filter: ShareFilter, backends: Array<{ id: string, name: string }> }} props */
function PlaceForm({ filter, backends }) {
  const { scope, state, backend, bucket } = filter;
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    const fields = /** @type {any} */ (Object.fromEntries(new FormData(event.currentTarget)));
    location.assign(sharesPage({ scope, state, backend: fields.backend, bucket: fields.bucket.trim() }));
  };
  return html`
    <form class="toolbar" method="get" action="/shares" role="search" aria-label="Narrow the shares to a bucket"
      onSubmit=${submit}>
      ${scope === "all" && html`<input type="hidden" name="scope" value="all" />`}
      ${state !== "" && html`<input type="hidden" name="state" value=${state} />`}
      <select class="select toolbar-select" name="backend" aria-label="Backend">
        <option value="">Every backend</option>
        ${backends.map(({ id, name }) =>
          html`
            <option key=${id} value=${id} selected=${id === backend}>${name}</option>
          `
        )}
      </select>
      <input class="input shares-bucket" name="bucket" aria-label="Bucket" placeholder="Bucket" defaultValue=${bucket} />
      <${Button} type="submit" icon="filter">Filter<//>
      ${(backend !== "" || bucket !== "") &&
        html`<a class="button button-quiet" href=${
          sharesPage({ ...filter, backend: "", bucket: "" })
        }>Clear<//>`}
    </form>
  `;
}

/** @param {{ filter: ShareFilter, me: Me }} props */
function NoShares({ filter, me }) {
  const { state, backend, bucket, scope } = filter;
  if (state !== "" || backend !== "" || bucket !== "") {
    const all = sharesPage({ scope, state: "", backend: "", bucket: "" });
    return html`
      <${EmptyState} icon="share" title="No share matches"
        action=${html`<a class="button" href=${all}>Show all</a>`}>
        Take a filter away, or look among the others.<//>
    `;
  }
  if (!me.can.share_objects) {
    return html`<${EmptyState} icon="share" title="You share nothing">
      Your account may look at objects but not share them. An administrator can give it the right to.<//>`;
  }
  return html`
    <${EmptyState} icon="share" title=${scope === "all"
      ? "Nobody shares anything yet"
      : "You share nothing yet"}
      action=${html`<a class="button button-primary" href="/">Choose a bucket</a>`}>
      Open a bucket, choose an object or a folder, and press <kbd>s</kbd> or “Share”. Its link will be listed here.<//>
  `;
}
