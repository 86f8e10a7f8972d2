// @ts-check
import { signal } from "@preact/signals";
import { html } from "./html.js";

/**
 * @template Props
 * @typedef {import("preact").FunctionComponent<Props>} Component
 */

/**
 * A component whose module is loaded when it is needed. Until then it draws nothing.
 * @template Props
 */
export class LazyComponent {
  /** @type {import("@preact/signals").Signal<Component<Props> | null>} */
  #loaded = signal(null);
  #fetch;

  /** @param {() => Promise<Component<Props>>} fetch imports it */
  constructor(fetch) {
    this.#fetch = fetch;
  }

  /** Loads it, unless it is there. Rejects when that fails; it may be tried again. */
  async load() {
    if (this.#loaded.peek() === null) this.#loaded.value = await this.#fetch();
  }

  /**
   * Draws it.
   * @param {Props} props
   */
  View = (props) => this.#loaded.value && html`<${this.#loaded.value} ...${props} />`;
}
