// @ts-check
/// <reference lib="dom" />
import { h } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { whenIdle } from "./when_idle.js";

/** @import { LazyComponent } from "./lazy_component.js" */

/**
 * Whether the page has an element of this id, and with it what a {@link Kept} part shows at first. The server has no page,
 * and draws all parts.
 * @param {string} id
 */
export function isDrawn(id) {
  return globalThis.document?.getElementById(id) != null;
}

/**
 * A part that the server has drawn and that can wait: it stays as it was drawn until its module is there, which is loaded
 * once the page can be used.
 * @param {{ in: string, part: LazyComponent<any>, props: object }} props `in`: the id of the element that holds it alone
 */
export function Kept({ in: id, part, props }) {
  const drawn = useMemo(() => isDrawn(id) ? [...contentOf(id)].map(copyOf) : null, []);
  useEffect(() => {
    const load = () => part.load().catch(() => {});
    if (drawn === null) load();
    else whenIdle(load);
  }, []);
  return part.View(props) ?? drawn;
}

/** @param {string} id */
function contentOf(id) {
  return document.getElementById(id)?.childNodes ?? [];
}

/**
 * An element or a text of the page as a component would have drawn it.
 * @param {Node} node
 * @returns {import("preact").ComponentChild}
 */
function copyOf(node) {
  if (!(node instanceof Element)) return node.textContent;
  const attributes = [...node.attributes].map(({ name, value }) => [name, value]);
  return h(node.localName, Object.fromEntries(attributes), [...node.childNodes].map(copyOf));
}
