// @ts-check
/// <reference lib="dom" />
import { html } from "../html.js";
import { useElementId } from "../ids.js";
import { percent } from "./percent.js";
import { treemapTiles } from "./treemap_layout.js";

/** The drawing's width by its height, as the style sheet has it. */
const aspect = 3.6;

/** The smallest shares of the drawing at which a tile has room for its name. */
const roomForName = { width: 0.1, height: 0.1 };

/**
 * The parts of a whole as rectangles with names on them, the largest first; a part with an address is a link to it. Give
 * the figures as a table too (`ChartTable`): small tiles have no room for their names.
 * @param {{
 *   label: string, parts: ReadonlyArray<{ name: string, value: number, title: string, href?: string }>,
 *   format: (value: number) => string
 * }} props `title` is what is said of a part
 */
export function Treemap({ label, parts, format }) {
  const id = useElementId();
  const sorted = [...parts].sort((one, other) => other.value - one.value);
  const tiles = treemapTiles(sorted.map(({ value }) => value), aspect);
  return html`
    <div class="treemap" role="group" aria-label=${label}>
      <svg class="treemap-svg">
        ${tiles.map((tile) => {
          const part = sorted[tile.index];
          const content =
            html`<${TileBox} id=${`${id}-${tile.index}`} tile=${tile} part=${part} format=${format} />`;
          return part.href === undefined
            ? html`<g key=${part.name}>${content}</g>`
            : html`<a key=${part.name} href=${part.href} aria-label=${part.title}>${content}</a>`;
        })}
      </svg>
    </div>
  `;
}

/**
 * @param {{
 *   id: string, tile: import("./treemap_layout.js").Tile, part: { name: string, value: number, title: string },
 *   format: (value: number) => string
 * }} props
 */
function TileBox({ id, tile, part, format }) {
  const { x, y, width, height } = tile;
  const named = width >= roomForName.width && height >= roomForName.height;
  return html`
    <svg x=${percent(x)} y=${percent(y)} width=${percent(width)} height=${percent(height)}>
      <title id=${id}>${part.title}</title>
      <rect class="treemap-tile treemap-tile-${Math.min(
        3,
        tile.index,
      )}" x="1" y="1" width="100%" height="100%" rx="3" />
      ${named && html`
        <text class="treemap-name" x="8" y="18">${part.name}</text>
        ${height >= 2 * roomForName.height &&
          html`<text class="treemap-value" x="8" y="34">${format(part.value)}</text>`}
      `}
    </svg>
  `;
}
