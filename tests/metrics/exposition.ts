import assert from "node:assert/strict";

/** A metric as it was scraped. */
export interface ScrapedMetric {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

/** One line of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const metricName = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const sampleLine = new RegExp(`^(${metricName})(?:\\{(${label}(?:,${label})*)\\})? (\\S+)$`);

/**
 * Parses the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/) and asserts what it
 * demands: every sample stands below the description of its metric, once, and histograms are whole.
 */
export function parseExposition(text: string): Map<string, ScrapedMetric> {
  assert.ok(text.endsWith("\n"), "the last line has no line feed");
  const metrics = new Map<string, ScrapedMetric>();
  let current = "";
  let help = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const description = line.match(new RegExp(`^# (HELP|TYPE) (${metricName}) (.+)$`));
    if (description?.[1] === "HELP") {
      [, , current, help] = description;
      assert.ok(!metrics.has(current), `${current} is described twice`);
    } else if (description !== null) {
      assert.equal(description[2], current, line);
      assert.match(description[3], /^(counter|gauge|histogram)$/);
      metrics.set(current, { type: description[3], help, samples: [] });
    } else {
      const metric = metrics.get(current);
      const sample = parseSample(line);
      assert.ok(metric !== undefined, line);
      const suffixes = metric.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      assert.ok(suffixes.some((suffix) => sample.name === current + suffix), line);
      metric.samples.push(sample);
    }
  }
  for (const [name, metric] of metrics) assertSound(name, metric);
  return metrics;
}

function parseSample(line: string): Sample {
  const match = line.match(sampleLine);
  assert.ok(match !== null, `not a sample: ${line}`);
  const value = match[3] === "+Inf" ? Infinity : Number(match[3]);
  assert.ok(!Number.isNaN(value), line);
  const labels: Record<string, string> = {};
  for (const [, name, text] of (match[2] ?? "").matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)) {
    labels[name] = text.replace(/\\(.)/g, (_, escaped) => escaped === "n" ? "\n" : escaped);
  }
  return { name: match[1], labels, value };
}

function assertSound(name: string, { type, samples }: ScrapedMetric): void {
  const seen = new Set(samples.map((sample) => JSON.stringify([sample.name, sample.labels])));
  assert.equal(seen.size, samples.length, `${name} has a sample twice`);
  if (type === "counter") {
    assert.ok(name.endsWith("_total"), name);
    assert.ok(samples.every(({ value }) => value >= 0), name);
  }
  if (type !== "histogram") return;
  for (const count of samples.filter((sample) => sample.name === `${name}_count`)) {
    const buckets = samples.filter(({ name: bucket, labels: { le: _, ...labels } }) =>
      bucket === `${name}_bucket` && JSON.stringify(labels) === JSON.stringify(count.labels)
    );
    const bounds = buckets.map(({ labels: { le } }) => le === "+Inf" ? Infinity : Number(le));
    assert.deepEqual(bounds, bounds.toSorted((a, b) => a - b), name);
    const values = buckets.map(({ value }) => value);
    assert.deepEqual(values, values.toSorted((a, b) => a - b), `${name} does not accumulate`);
    assert.equal(bounds.at(-1), Infinity, name);
    assert.equal(values.at(-1), count.value, name);
  }
}
