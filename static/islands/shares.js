// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../lib/api.js";
import { useFilterKey } from "../lib/filter_key.js";
import { rich, t } from "../lib/i18n.js";
import { visit } from "../lib/navigation.js";
import { PageHead } from "../lib/page_head.js";
import { anyShare, apiQuery, shareKinds, sharesPage, shareStates } from "../lib/shares/filter.js";
import { askRevoke } from "../lib/shares/revoke.js";
import { ShareTable } from "../lib/shares/share_table.js";
import { toastError } from "../lib/toast.js";
import { Badge, Button, EmptyState, html, IconButton } from "../lib/ui.js";

/** @import { Me } from "../lib/boot_data.js" */
/** @import { ShareFilter } from "../lib/shares/filter.js" */
/** @import { Share } from "../lib/shares/share.js" */

/** @typedef {{ shares: Share[], next_before: number | null, total: number }} SharePage */

/**
 * What one shares, or for an administrator what everyone does. The filter is the page's address: its links work without
 * script.
 * @param {{
 *   filter: ShareFilter, page: SharePage, creator: string | null, backends: Array<{ id: string, name: string }>, me: Me,
 *   now: number
 * }} props `creator` is the name of whose shares are asked for
 */
export function Island({ filter, page, creator, backends, me, now }) {
  const [shares, setShares] = useState(page.shares);
  const [before, setBefore] = useState(page.next_before);
  const [busy, setBusy] = useState(false);
  const [selected, setSelected] = useState(/** @type {ReadonlySet<number>} */ (new Set()));
  useFilterKey(t("shares.title"));
  const loadMore = async () => {
    setBusy(true);
    try {
      const next = await request("GET", "/api/shares", { query: { ...apiQuery(filter, now), before } });
      setShares((shown) => [...shown, ...next.shares]);
      setBefore(next.next_before);
    } catch (error) {
      toastError(t("shares.more_not_loaded"), error);
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
  const open = async (/** @type {Share} */ share) => {
    const { openAccessDialog } = await import("../lib/shares/access_dialog.js");
    const wish = await openAccessDialog({ share, me, now });
    if (wish === "revoke") await revoke([share]);
    if (wish !== "edit") return;
    const { openEditDialog } = await import("../lib/shares/edit_dialog.js");
    const changed = await openEditDialog(share);
    if (changed !== undefined) replace(changed);
  };
  const chosen = shares.filter(({ id }) => selected.has(id));
  return html`
    <${PageHead} title=${t("shares.title")}>${t("shares.intro")}<//>
    <div class="shares-filter">
      <${Filter} filter=${filter} me=${me} />
      ${chosen.length > 0
        ? html`
          <div class="toolbar">
            <p role="status"><strong>${t("shares.selected", { n: chosen.length })}</strong></p>
            <${Button} class="button-bad-text" icon="trash" onClick=${() => revoke(chosen)}>${t(
              "shares.revoke",
            )}<//>
            <${IconButton} icon="close" label=${t("common.clear_selection")} onClick=${() =>
              setSelected(new Set())} />
          </div>
        `
        : html`<${NarrowForm} filter=${filter} creator=${creator} backends=${backends} />`}
    </div>
    <div class="table-box">
      ${shares.length === 0 ? html`<${NoShares} filter=${filter} me=${me} />` : html`
        <${ShareTable} shares=${shares} filter=${filter} backends=${backends} me=${me} now=${now}
          selected=${selected} onSelect=${setSelected} onRevoke=${revoke} onChange=${replace} onOpen=${open} />
      `}
      ${shares.length > 0 && html`<div class="table-foot">
        <span role="status">${t("shares.shown", { count: shares.length, n: page.total })}</span>
        ${
        before !== null &&
        html`<${Button} small=${true} busy=${busy} onClick=${loadMore}>${t("common.load_more")}<//>`
      }
      </div>`}
    </div>
  `;
}

/** @param {{ filter: ShareFilter, me: Me }} props */
function Filter({ filter, me }) {
  const admin = me.can.manage_users;
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
      <nav class="row choice" aria-label=${t("shares.whose")}>
        ${link({ scope: "own", by: "" }, t("shares.mine"))}${link(
          { scope: "all", by: "" },
          t("shares.everyones"),
        )}
      </nav>
    `}
    <nav class="row choice" aria-label=${t("shares.which")}>
      ${link({ state: "" }, t("common.all"))}${states.map(([state, key]) => link({ state }, t(key)))}
    </nav>
  `;
}

/** @param {{ filter: ShareFilter, creator: string | null, backends: Array<{ id: string, name: string }> }} props */
function NarrowForm({ filter, creator, backends }) {
  const { scope, state, kind, by, backend, bucket } = filter;
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    const fields = /** @type {any} */ (Object.fromEntries(new FormData(event.currentTarget)));
    const { kind, backend, bucket } = fields;
    visit(sharesPage({ ...filter, kind, backend, bucket: bucket.trim() }));
  };
  return html`
    <form class="toolbar" method="get" action="/shares" role="search" aria-label=${t("shares.narrow")}
      onSubmit=${submit}>
      ${by === ""
        ? scope === "all" && html`<input type="hidden" name="scope" value="all" />`
        : html`<input type="hidden" name="by" value=${by} />`}
      ${state !== "" && html`<input type="hidden" name="state" value=${state} />`}
      ${by !== "" &&
        html`<${Badge} kind="neutral">${
          t("shares.made_by", { name: creator ?? t("shares.deleted_user") })
        }<//>`}
      <select class="select toolbar-select" name="kind" aria-label=${t("shares.kind")}>
        <option value="">${t("shares.every_kind")}</option>
        ${shareKinds.map(([value, key]) =>
          html`
            <option key=${value} value=${value} selected=${value === kind}>${t(key)}</option>
          `
        )}
      </select>
      <select class="select toolbar-select" name="backend" aria-label=${t("common.backend")}>
        <option value="">${t("shares.every_backend")}</option>
        ${backends.map(({ id, name }) =>
          html`
            <option key=${id} value=${id} selected=${id === backend}>${name}</option>
          `
        )}
      </select>
      <input id="filter" class="input shares-bucket" name="bucket" aria-label=${t(
        "common.bucket",
      )} placeholder=${t(
        "common.bucket",
      )} defaultValue=${bucket} />
      <${Button} type="submit" icon="filter">${t("common.filter")}<//>
      ${kind + by + backend + bucket !== "" &&
        html`<a class="button button-quiet" href=${sharesPage({ ...anyShare, scope, state })}>${
          t("common.clear")
        }</a>`}
    </form>
  `;
}

/** @param {{ filter: ShareFilter, me: Me }} props */
function NoShares({ filter, me }) {
  const { scope, ...narrowed } = filter;
  if (Object.values(narrowed).some((value) => value !== "")) {
    const all = sharesPage({ ...anyShare, scope });
    return html`
      <${EmptyState} icon="share" title=${t("shares.no_match")}
        action=${html`<a class="button" href=${all}>${t("shares.show_all")}</a>`}>
        ${t("shares.no_match_text")}<//>
    `;
  }
  if (!me.can.share_objects) {
    return html`<${EmptyState} icon="share" title=${t("shares.none")}>${t("shares.none_may_not")}<//>`;
  }
  return html`
    <${EmptyState} icon="share" title=${scope === "all" ? t("shares.none_yet_all") : t("shares.none_yet")}
      action=${html`<a class="button button-primary" href="/">${t("shares.choose_bucket")}</a>`}>
      ${rich("shares.none_yet_text", { key: html`<kbd>s</kbd>` })}<//>
  `;
}
