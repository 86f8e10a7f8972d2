// @ts-check
import { html } from "./html.js";

let spriteUrl = "";

/**
 * Tells where browsers find the sprite: its address changes with what is in `static/`.
 * @param {string} url
 */
export function setSpriteUrl(url) {
  spriteUrl = url;
}

/**
 * One symbol of the sprite, 16 px, in the text's colour. It is hidden from assistive technology unless it has a label:
 * beside visible text it would only repeat it.
 * @param {{ name: string, label?: string, class?: string }} props
 */
export function Icon({ name, label, class: className }) {
  const classes = className ? `icon ${className}` : "icon";
  return label
    ? html`
      <svg class=${classes} role="img" aria-label=${label}>
        <use href=${`${spriteUrl}#${name}`} />
      </svg>
    `
    : html`
      <svg class=${classes} aria-hidden="true">
        <use href=${`${spriteUrl}#${name}`} />
      </svg>
    `;
}
