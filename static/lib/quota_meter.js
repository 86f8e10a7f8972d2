// @ts-check
import { percent } from "./charts/percent.js";
import { html } from "./html.js";

/**
 * How full something is: a track, what is used of it, and ticks at its caps. Say the same in words beside it, or as its
 * `label`.
 * @param {{
 *   used: number, full: number, ticks: readonly number[], state: "ok" | "near" | "over", label?: string
 * }} props bytes; `full` is the end of the track; ticks are drawn within it
 */
export function QuotaMeter({ used, full, ticks, state, label }) {
  return html`
    <svg class="quota-meter" role=${label && "img"} aria-label=${label} aria-hidden=${label
      ? undefined
      : "true"}>
      <rect class="quota-track" width="100%" height="100%" rx="2" />
      <rect class="quota-${state}" width=${percent(Math.min(1, used / full))} height="100%" rx="2" />
      ${ticks.filter((bytes) => bytes > 0 && bytes < full).map((bytes) =>
        html`
          <line key=${bytes} class="quota-tick" x1=${percent(bytes / full)} x2=${percent(bytes / full)} y1="0"
            y2="100%" />
        `
      )}
    </svg>
  `;
}
