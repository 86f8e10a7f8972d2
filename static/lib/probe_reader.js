// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { Reader, tipPlace } from "./charts/reader.js";
import { html } from "./html.js";
import { t } from "./i18n.js";
import { describeProbe } from "./probe_words.js";

/**
 * What reads the cells of a strip, and the words for the one that is pointed at.
 * @param {{ probes: ReadonlyArray<import("./probe_strip.js").Probe | null>, name: string }} props
 */
export function ProbeReader({ probes, name }) {
  const [cursor, setCursor] = useState(-1);
  const steps = probes.map((probe) => ({
    title: probe === null ? t("frame.no_probe") : describeProbe(probe),
  }));
  return html`
    <${Reader} steps=${steps} cursor=${cursor} anchor=${-1} setCursor=${setCursor}
      setAnchor=${() => {}}
      label=${t("admin.probe_reader", { name })} />
    ${cursor >= 0 && html`
      <span class="chart-tip strip-tip" aria-hidden="true"
        style=${tipPlace((cursor + 0.5) / probes.length)}>${steps[cursor].title}</span>
    `}
  `;
}
