// @ts-check
/// <reference lib="dom" />
import { useMemo, useRef } from "preact/hooks";
import { Button, html } from "../ui.js";
import { qrCode } from "./qr.js";

/** Modules of light around a code, without which it cannot be read. */
const quietZone = 4;

/**
 * A QR code as the data of one SVG path, in modules, with the quiet zone around it.
 *
 * @param {boolean[][]} modules
 */
export function qrPath(modules) {
  return modules.flatMap((line, row) => {
    const text = line.map((dark) => dark ? "1" : "0").join("");
    return [...text.matchAll(/1+/g)].map(({ index, 0: { length } }) =>
      `M${index + quietZone} ${row + quietZone}h${length}v1h-${length}z`
    );
  }).join("");
}

/**
 * The QR code of a link, and a button that saves it. Nothing for a link that is too long for one.
 * @param {{ text: string, fileName: string }} props `fileName` without its extension
 */
export function QrImage({ text, fileName }) {
  const modules = useMemo(() => qrCode(text), [text]);
  const image = useRef(/** @type {SVGElement | null} */ (null));
  if (modules === null) return null;
  const size = modules.length + 2 * quietZone;
  const save = () => {
    if (image.current === null) return;
    const source = new XMLSerializer().serializeToString(image.current);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
    link.download = `${fileName}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  // Dark on white in both themes: many readers cannot see it the other way round.
  return html`
    <div class="row">
      <svg ref=${image} xmlns="http://www.w3.org/2000/svg" width="160" height="160"
        viewBox="0 0 ${size} ${size}"
        shape-rendering="crispEdges" role="img" aria-label="QR code of the link">
        <rect width=${size} height=${size} fill="#fff" />
        <path d=${qrPath(modules)} fill="#000" />
      </svg>
      <${Button} small=${true} icon="download" onClick=${save}>QR code as SVG<//>
    </div>
  `;
}
