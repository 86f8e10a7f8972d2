// @ts-check
import htm from "htm";
import { h } from "preact";

/**
 * Builds Preact nodes from a tagged template; the same components render on the server and in the browser.
 * @type {(strings: TemplateStringsArray, ...values: unknown[]) => import("preact").VNode<any>}
 */
export const html = /** @type {any} */ (htm).bind(h);
