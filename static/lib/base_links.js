// @ts-check
import { options } from "preact";
import { withBase } from "./base.js";

/** Attributes whose values are addresses. */
const addresses = ["href", "src", "action", "formaction", "poster"];

/** Has the addresses in all markup completed from now on: there, no module has to think of the path. */
export function completeLinks() {
  const next = options.vnode;
  options.vnode = (vnode) => {
    const { type, props } = vnode;
    if (typeof type === "string") complete(props);
    next?.(vnode);
  };
}

/** @param {Record<string, any>} props */
function complete(props) {
  for (const name of addresses) {
    if (typeof props[name] === "string") props[name] = withBase(props[name]);
  }
}
