// @ts-check
import { html } from "../html.js";
import { useElementId } from "../ids.js";
import { Legend, PatternDefinitions, patternFill } from "./patterns.js";
import { Plot } from "./plot.js";
import { percent } from "./percent.js";
import { ticksOf } from "./scale.js";

/** Part of a step's width that its bar takes. */
const barWidth = 0.78;

/**
 * Bars side by side, each a stack of one part a series; the series differ by pattern and colour. Readers who do not see it
 * hear each bar; give them the figures as a table too (`ChartTable`).
 * @param {{
 *   label: string, series: readonly string[],
 *   bars: ReadonlyArray<{ title: string, parts: readonly number[] }>, format: (value: number) => string,
 *   from: string, to: string, bytes?: boolean, tall?: boolean, onChoose?: (index: number) => void
 * }} props `series` names the parts, for the legend, which is left out where there is one; `title` is what is said of a
 *   bar; `parts` are its values in the order of the series; `from` and `to` stand at the ends of the foot; `bytes` for
 *   sizes; `onChoose` is called for a bar that is clicked, or on which Enter is pressed
 */
export function BarChart(
  { label, series, bars, format, from, to, bytes = false, tall = false, onChoose },
) {
  const id = useElementId();
  const sums = bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0));
  const ticks = ticksOf(Math.max(...sums, 1), { bytes });
  const top = ticks.at(-1) ?? 1;
  return html`
    <${Plot} label=${label} titles=${bars.map(({ title }) => title)} ticks=${ticks} format=${format}
      from=${from} to=${to} centred=${true} tall=${tall} onChoose=${onChoose}>
      <${PatternDefinitions} id=${id} />
      ${bars.map(({ parts }, index) => {
        let below = 0;
        return parts.map((part, place) => {
          if (part <= 0) return null;
          below += part;
          return html`
            <rect key=${`${index} ${place}`} fill=${patternFill(id, place)}
              x=${percent((index + (1 - barWidth) / 2) / bars.length)} width=${percent(
                barWidth / bars.length,
              )}
              y=${percent(1 - below / top)} height=${percent(part / top)} />
          `;
        });
      })}
      <//>
    ${series.length > 1 && html`<${Legend} id=${id} labels=${series} />`}
  `;
}
