// @ts-check
/// <reference lib="dom" />
import { formatNumber } from "../format.js";
import { t } from "../i18n.js";
import { html, Notice } from "../ui.js";
import { exifHead, readExif } from "./exif.js";
import { readHead } from "./head.js";
import { useReading } from "./reading.js";

/** @import { Exif } from "./exif.js" */

/**
 * What the camera wrote into a photo.
 * @param {{ url: string, size: number }} props
 */
export function ExifView({ url, size }) {
  const { value, error } = useReading(
    async (signal) => readExif((await readHead(url, { size, limit: exifHead, signal })).bytes),
    [url],
  );
  if (error) return html`<${Notice} kind="bad" role="alert">${error}<//>`;
  if (value === undefined) return html`<p class="preview-note">${t("common.loading")}</p>`;
  if (value === null) return html`<p class="preview-note" role="status">${t("preview.no_exif")}</p>`;
  return html`
    <dl class="facts">${factsOf(value).map(([name, fact]) =>
      html`
        <dt key=${name}>${name}</dt>
        <dd class="break">${fact}</dd>
      `
    )}</dl>
  `;
}

/**
 * @param {Exif} exif
 * @returns {Array<[string, string]>}
 */
function factsOf({ camera, lens, taken, exposure, aperture, iso, focalLength, location, software }) {
  const settings = [
    exposure && `${exposureText(exposure)} s`,
    aperture && `f/${formatNumber(aperture)}`,
    iso && `ISO ${iso}`,
    focalLength && `${formatNumber(focalLength)} mm`,
  ].filter(Boolean);
  const place = location && `${location.latitude.toFixed(5)}, ${location.longitude.toFixed(5)}`;
  /** @type {Array<[string, string | undefined]>} */
  const facts = [
    [t("preview.exif_camera"), camera],
    [t("preview.exif_lens"), lens],
    [t("preview.exif_taken"), taken],
    [t("preview.exif_exposure"), settings.join(" · ")],
    [t("preview.exif_location"), place],
    [t("preview.exif_software"), software],
  ];
  return facts.flatMap(([name, fact]) => fact ? [/** @type {[string, string]} */ ([name, fact])] : []);
}

/**
 * An exposure time as cameras show it, without its unit: a fraction where it is short.
 * @param {number} seconds
 */
export function exposureText(seconds) {
  return seconds < 0.3 ? `1/${formatNumber(Math.round(1 / seconds))}` : formatNumber(seconds);
}
