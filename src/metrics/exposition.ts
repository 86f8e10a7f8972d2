/** Media type of the text format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** What a metric is to whoever reads it. */
export type MetricType = "counter" | "gauge" | "histogram";

/** A metric that can be scraped. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  /** Its lines of the text format, each with a line feed at its end. */
  lines(): Iterable<string>;
}

/** A metric in the text format, with its description. */
export function exposition(metric: Metric): string {
  const help = metric.help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  const head = `# HELP ${metric.name} ${help}\n# TYPE ${metric.name} ${metric.type}\n`;
  return head + [...metric.lines()].join("");
}

/** One sample; `labels` is what {@link labelText} makes, or empty. */
export function sampleLine(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${numberText(value)}\n`;
}

/** Labels and their values, of which the first stands beside the first name, as they are written between braces. */
export function labelText(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeValue(values[index])}"`).join(",");
}

/** A number as the format writes it: of JavaScript's way only the infinities differ. */
export function numberText(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

function escapeValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
