// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { t } from "../i18n.js";
import { Button, html, Icon } from "../ui.js";

/** @import { JsonNode } from "./json_nodes.js" */

/** Children of a value that are drawn at once. */
const childStep = 100;

/** Characters of a text that are drawn. */
const maxText = 2000;

/**
 * A JSON document as a tree whose objects and arrays open on demand.
 * @param {{ root: JsonNode, name: string }} props
 */
export function JsonTree({ root, name }) {
  return html`
    <div class="preview preview-tree" tabindex="0" role="region" aria-label=${t("preview.tree_of", { name })}>
      <ul>
        <${JsonItem} node=${root} label="" open=${true} />
      </ul>
    </div>
  `;
}

/** @param {{ node: JsonNode, label: string, open?: boolean }} props */
function JsonItem({ node, label, open: first = false }) {
  const [open, setOpen] = useState(first);
  const [limit, setLimit] = useState(childStep);
  const { kind, children } = node;
  const title = label !== "" && html`<span class="code-name">${label}</span>`;
  if (kind !== "object" && kind !== "array") {
    return html`<li class="tree-leaf">${title}<span class="code-${kind}">${shortened(node.raw)}</span></li>`;
  }
  const [start, end] = kind === "object" ? ["{", "}"] : ["[", "]"];
  if (children.length === 0) {
    return html`<li class="tree-leaf">${title}<span class="faint">${start}${end}</span></li>`;
  }
  return html`
    <li>
      <button type="button" class="tree-toggle" aria-expanded=${open ? "true" : "false"} onClick=${() =>
        setOpen(!open)}>
        <${Icon} name=${open
          ? "chevron-down"
          : "chevron-right"} />${title}<span class="faint">${start} ${kind === "object"
          ? t("preview.members", { n: children.length })
          : t("preview.elements", { n: children.length })} ${end}</span>
      </button>
      ${open &&
        html`<ul>${
          children.slice(0, limit).map((child, index) =>
            html`<${JsonItem} key=${index} node=${child} label=${child.name ?? String(index)} />`
          )
        }${
          children.length > limit && html`
            <li>
              <${Button} small=${true} kind="quiet" onClick=${() => setLimit(limit * 4)}>${t(
                "preview.more_values",
                { n: children.length - limit },
              )}<//></li>
          `
        }</ul>`}
    </li>
  `;
}

/** @param {string} raw */
function shortened(raw) {
  return raw.length > maxText ? `${raw.slice(0, maxText)}…` : raw;
}
