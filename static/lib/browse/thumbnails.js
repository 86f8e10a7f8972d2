// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { Button, html, Icon } from "../ui.js";
import { iconOf, KeyLabel } from "./key_label.js";
import { kindOf } from "./kinds.js";
import { renameField } from "./lazy_parts.js";
import { objectUrl } from "./object_urls.js";
import { focusTile, tileKeys, tileView } from "./tile_keys.js";
import { TilePicture } from "./tile_picture.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */

/** Images above so many bytes are not fetched for their small pictures. */
const maxImageBytes = 2 << 20;

/** Tiles that are drawn before one asks for more. */
const tileStep = 400;

/** Images that browsers draw, by the endings of their names. */
const drawable = /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i;

/**
 * The folder as pictures: small images themselves, an icon for everything else. One of the tiles is in the tab order, and the
 * arrow keys lead from it to the others.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function Thumbnails({ browser, actions }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [limit, setLimit] = useState(tileStep);
  const { loader, rows, place, activeIndex } = browser;
  const { prefix, filter } = place.value;
  useEffect(() => setLimit(tileStep), [prefix, filter]);
  useEffect(() => {
    if (box.current === null) return;
    browser.view = tileView(box.current);
    return () => browser.view = null;
  }, []);
  const shown = rows.value.slice(0, limit);
  const inOrder = Math.min(Math.max(0, activeIndex.value), shown.length - 1);
  const showMore = () => {
    if (limit + tileStep > rows.value.length && !loader.listing.value.ended) loader.more();
    setLimit(limit + tileStep);
  };
  return html`
    <div id="objects" class="thumbnails" tabindex="-1" ref=${box} onFocus=${(/** @type {any} */ event) =>
      focusTile(event.currentTarget)}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => tileKeys(browser, event)}>
      <ul aria-label=${t("browse.objects")}>${shown.map((entry, index) =>
        html`
          <${Tile} key=${entry.key} browser=${browser} actions=${actions} entry=${entry} index=${index}
            order=${index === inOrder ? 0 : -1} />
        `
      )}</ul>
      ${(rows.value.length > limit || !loader.listing.value.ended) && html`
        <p class="thumbnails-more">
          <${Button} busy=${loader.loading.value === "more"} onClick=${showMore}>${t(
            "common.load_more",
          )}<//></p>
      `}
    </div>
  `;
}

/**
 * @param {{ browser: Browser, actions: BrowserActions, entry: Entry, index: number, order: 0 | -1 }} props `order` is that of
 *   what can be focused in it, as `tabindex` has it
 */
function Tile({ browser, actions, entry, index, order }) {
  const { key, name, folder } = entry;
  const shown = name || t("browse.no_name");
  const selected = browser.isSelected(key);
  const select = (/** @type {MouseEvent} */ event) =>
    browser.select(index, { toggle: true, range: event.shiftKey });
  const openMenu = (/** @type {any} */ { currentTarget }) => {
    browser.activeKey.value = key;
    actions.openMenu(entry, currentTarget);
  };
  return html`
    <li class="tile" data-selected=${selected ? "" : undefined} data-folder=${folder ? key : undefined}>
      <label class="tile-check"><input type="checkbox" checked=${selected} tabindex=${order}
        aria-label=${t("browse.select_row", { name: shown })} onClick=${select} /></label>
      ${browser.renaming.value === key
        ? html`
          <div class="tile-face">
            <${Picture} browser=${browser} entry=${entry} />
            <${renameField.View} browser=${browser} entry=${entry} />
          </div>
        `
        : html`<${Face} browser=${browser} actions=${actions} entry=${entry} index=${index} order=${order} />`}
      <button type="button" class="icon-button icon-button-small tile-more" tabindex=${order}
        aria-haspopup="menu" aria-label=${t("browse.actions_for", { name: shown })}
        onClick=${openMenu}><${Icon} name="more" /></button>
    </li>
  `;
}

/**
 * What a tile shows, as a link to it.
 * @param {{ browser: Browser, actions: BrowserActions, entry: Entry, index: number, order: 0 | -1 }} props
 */
function Face({ browser, actions, entry, index, order }) {
  const { key, name, folder, size } = entry;
  const { prefix, filter } = browser.place.value;
  const href = browser.href(folder ? { prefix: key } : { prefix, filter, open: key });
  const click = (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    const toggle = event.ctrlKey || event.metaKey;
    if (toggle || event.shiftKey) browser.select(index, { toggle, range: event.shiftKey });
    else actions.open(entry);
  };
  return html`
    <a class="tile-face" href=${href} tabindex=${order} draggable="false" onClick=${click}
      onFocus=${() => browser.activeKey.value = key}>
      <${Picture} browser=${browser} entry=${entry} />
      <span class="tile-name"><${KeyLabel} name=${name} /></span>
      <span class="tile-size faint">${folder ? t("common.folder") : formatBytes(size)}</span>
    </a>
  `;
}

/** @param {{ browser: Browser, entry: Entry }} props */
function Picture({ browser, entry }) {
  const { key, name, folder, size } = entry;
  const icon = html`<${Icon} name=${iconOf(entry)} class=${folder ? "icon-folder" : "icon-file"} />`;
  const isDrawn = kindOf(entry) === "image" && drawable.test(name) && size <= maxImageBytes;
  return html`
    <span class="tile-picture">${isDrawn
      ? html`<${TilePicture} address=${objectUrl(browser.api, key, "inline")} icon=${icon} />`
      : icon}</span>
  `;
}
