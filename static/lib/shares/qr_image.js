// @ts-check
/// <reference lib="dom" />
import { useMemo, useRef } from "preact/hooks";
import { t } from "../i18n.js";
import { saveFile } from "../save_file.js";
import { toastError } from "../toast.js";
import { Button, html } from "../ui.js";
import { qrCode } from "./qr.js";

/** Modules of light around a code, without which it cannot be read. */
const quietZone = 4;

/** Pixels of a module in the PNG: sharp on paper too. */
const pngScale = 16;

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
 * A QR code as a PNG, dark on white.
 *
 * @param {boolean[][]} modules
 * @returns {Promise<Blob>}
 */
async function qrPng(modules) {
  const size = (modules.length + 2 * quietZone) * pngScale;
  const canvas = new OffscreenCanvas(size, size);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error(t("shares.no_png"));
  context.fillStyle = "#fff";
  context.fillRect(0, 0, size, size);
  context.fillStyle = "#000";
  context.scale(pngScale, pngScale);
  context.fill(new Path2D(qrPath(modules)));
  return await canvas.convertToBlob({ type: "image/png" });
}

/**
 * The QR code of a link, and buttons that save it. Nothing for a link that is too long for one.
 * @param {{ text: string, fileName: string }} props `fileName` without its extension
 */
export function QrImage({ text, fileName }) {
  const modules = useMemo(() => qrCode(text), [text]);
  const image = useRef(/** @type {SVGElement | null} */ (null));
  if (modules === null) return null;
  const size = modules.length + 2 * quietZone;
  const saveSvg = () => {
    if (image.current === null) return;
    const source = new XMLSerializer().serializeToString(image.current);
    saveFile(`${fileName}.svg`, new Blob([source], { type: "image/svg+xml" }));
  };
  const savePng = async () => {
    try {
      saveFile(`${fileName}.png`, await qrPng(modules));
    } catch (error) {
      toastError(t("shares.png_failed"), error);
    }
  };
  // Dark on white in both themes: many readers cannot see it the other way round.
  return html`
    <div class="qr">
      <svg ref=${image} xmlns="http://www.w3.org/2000/svg" width="160" height="160"
        viewBox="0 0 ${size} ${size}"
        shape-rendering="crispEdges" role="img" aria-label=${t("shares.qr_label")}>
        <rect width=${size} height=${size} fill="#fff" />
        <path d=${qrPath(modules)} fill="#000" />
      </svg>
      <div class="qr-side">
        <p class="muted">${t("shares.qr_text")}</p>
        <div class="row">
          <${Button} small=${true} icon="download" onClick=${saveSvg}>${t("shares.qr_svg")}<//>
          <${Button} small=${true} icon="download" onClick=${savePng}>${t("shares.qr_png")}<//>
        </div>
      </div>
    </div>
  `;
}
