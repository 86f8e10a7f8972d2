// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { html } from "./html.js";
import { t } from "./i18n.js";
import { LazyComponent } from "./lazy_component.js";

const probeReader = new LazyComponent(async () => (await import("./probe_reader.js")).ProbeReader);

/** Milliseconds after which strips can be read one by one. */
const readerPause = 300;

/** Probes that the server remembers of a backend. */
const cells = 20;

/**
 * @typedef {object} Probe
 * @property {string} at
 * @property {boolean} healthy
 * @property {number} latency_ms
 * @property {string | null} [error]
 * @property {string | null} [reason] the error as a code
 */

/**
 * The last probes of a backend, oldest first: filled when it answered, cut in two when it did not, hollow for those that
 * have not been made yet. With the backend's `name` a pointer or the arrow keys read them one by one; with `describe` each
 * has a title.
 * @param {{ history: readonly Probe[], name?: string, describe?: (probe: Probe) => string }} props
 */
export function ProbeStrip({ history, name, describe }) {
  const shown = history.slice(-cells);
  const failed = shown.filter(({ healthy }) => !healthy).length;
  const isRead = name !== undefined && shown.length > 0;
  useEffect(() => {
    if (!isRead) return;
    const timer = setTimeout(() => probeReader.load().catch(() => {}), readerPause);
    return () => clearTimeout(timer);
  }, [isRead]);
  const summary = shown.length === 0
    ? t("frame.no_probe")
    : failed === 0
    ? t("frame.probes_passed", { n: shown.length })
    : t("frame.probes_failed", { n: shown.length, failed });
  const probes = [...Array.from({ length: cells - shown.length }, () => null), ...shown];
  const strip = html`<span class="strip" role="img" aria-label=${summary}>${
    probes.map((probe, index) =>
      html`
        <span key=${index} class="cell ${probe === null ? "" : probe.healthy ? "cell-ok" : "cell-bad"}"
          title=${probe === null ? undefined : describe?.(probe)}></span>
      `
    )
  }</span>`;
  if (!isRead) return strip;
  return html`<span class="strip-box">${strip}<${probeReader.View} probes=${probes} name=${name} /></span>`;
}
