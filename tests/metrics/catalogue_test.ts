import assert from "node:assert/strict";
import { parse } from "yaml";
import { withEndpoint } from "../support/endpoint.ts";
import { json, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { parsePromql } from "./promql.ts";
import { type Scrape, scrape } from "./scrape.ts";

/** An entry of the catalogue. */
interface Entry {
  readonly type: string;
  readonly labels: readonly string[];
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

const readDocument = (path: string) => Deno.readTextFile(new URL(`../../docs/${path}`, import.meta.url));

/** The catalogue's tables, read by the names of their columns. */
async function readCatalogue(): Promise<Map<string, Entry>> {
  const catalogue = new Map<string, Entry>();
  let columns: string[] = [];
  for (const line of (await readDocument("metrics.md")).split("\n")) {
    if (!line.startsWith("|")) continue;
    const cells = line.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("`", ""));
    if (cells[0] === "name") columns = cells;
    if (!/^(service|process|nodejs)_/.test(cells[0])) continue;
    assert.ok(!catalogue.has(cells[0]), `${cells[0]} is in the catalogue twice`);
    const labels = cells[columns.indexOf("labels")].split(", ").filter(Boolean);
    catalogue.set(cells[0], { type: cells[columns.indexOf("type")], labels });
  }
  return catalogue;
}

/** Asserts that an expression is PromQL about metrics of the catalogue and labels that these have. */
function assertKnown(expression: string, catalogue: Map<string, Entry>): void {
  const { metrics, labels } = parsePromql(expression.replaceAll("$__rate_interval", "5m"));
  const known = new Set(["job", "instance"]);
  for (const metric of metrics) {
    const base = metric.replace(/_(bucket|sum|count)$/, "");
    const entry = catalogue.get(metric) ?? catalogue.get(base);
    // Prometheus makes this one itself.
    if (metric === "up") continue;
    assert.ok(entry !== undefined, `${metric} is not on /metrics: ${expression}`);
    assert.equal(base !== metric && !catalogue.has(metric), entry.type === "histogram", expression);
    for (const label of entry.labels) known.add(label);
    if (metric.endsWith("_bucket")) known.add("le");
  }
  for (const label of labels) assert.ok(known.has(label), `${label} is no label of these: ${expression}`);
}

/** A scrape of a program that has been used in every way that adds samples. */
async function scrapeUsedProgram(): Promise<Scrape> {
  return await withEndpoint("embedded", {}, async ({ client, program, url }) => {
    const bucket = "/api/backends/main/buckets/bucket";
    await json(client.put(`${bucket}/quota`, { json: { soft_bytes: 0, hard_bytes: 1_000_000 } }));
    await json(client.post(`${bucket}/quota/recompute`));
    await status(fetch(`${url}/bucket/key`));
    return await until(async () => {
      const metrics = await scrape(program);
      const has = (name: string) => (metrics.get(name)?.samples.length ?? 0) > 0;
      const isSettled = ["service_s3_request_total", "service_backend_up", "service_requests_total"].every(
        has,
      );
      return isSettled && metrics;
    }, { what: "the requests and a probe to be counted" });
  });
}

Deno.test("the catalogue has every metric of a running program, with its type and labels, and no other", async () => {
  const [metrics, catalogue] = await Promise.all([scrapeUsedProgram(), readCatalogue()]);
  assert.deepEqual([...metrics.keys()].sort(), [...catalogue.keys()].sort());
  let withSamples = 0;
  for (const [name, { type, help, samples }] of metrics) {
    assert.equal(type, catalogue.get(name)?.type, name);
    assert.match(help, /\.$/, name);
    for (const { labels: { le: _, ...labels } } of samples) {
      assert.deepEqual(Object.keys(labels), catalogue.get(name)?.labels, name);
    }
    if (samples.length > 0) withSamples++;
  }
  assert.ok(withSamples > 30, `${withSamples} metrics have samples`);
  const value = (name: string) => metrics.get(name)?.samples.map(({ value }) => value);
  assert.deepEqual(value("service_backend_up"), [1]);
  assert.deepEqual(value("service_backend_stored_bytes"), [0]);
  assert.deepEqual(value("service_build_info"), [1]);
  assert.deepEqual(value("service_jobs"), [0, 0, 0]);
});

Deno.test("every alert is a rule about metrics that exist", async () => {
  const [catalogue, text, page] = await Promise.all([
    readCatalogue(),
    readDocument("alerts.yaml"),
    readDocument("metrics.md"),
  ]);
  const { groups } = parse(text) as {
    groups: { name: string; rules: Record<string, unknown>[] }[];
  };
  const names = new Set<string>();
  for (
    const { alert, expr, labels, annotations, for: duration = "0s", ...rest } of groups.flatMap(({ rules }) =>
      rules
    )
  ) {
    assert.deepEqual(rest, {}, `keys that no rule has: ${alert}`);
    assertKnown(String(expr), catalogue);
    assert.match(String(duration), /^\d+[smh]$/);
    assert.ok(["warning", "critical"].includes((labels as { severity: string }).severity), String(alert));
    assert.ok((annotations as { summary: string }).summary.length > 0, String(alert));
    assert.ok(page.includes(`\`${alert}\``), `docs/metrics.md says what to do about ${alert}`);
    assert.ok(!names.has(String(alert)));
    names.add(String(alert));
  }
  assert.ok(names.size >= 10);
});

Deno.test("the dashboard for Grafana asks for metrics that exist, and for all that matter", async () => {
  const [catalogue, text] = await Promise.all([
    readCatalogue(),
    readDocument("grafana/storage-dashboard.json"),
  ]);
  const dashboard = JSON.parse(text);
  assert.ok(dashboard.schemaVersion >= 38, "of Grafana 10");
  assert.equal(dashboard.id, null);
  assert.deepEqual(dashboard.__inputs.map(({ name, pluginId }: Record<string, string>) => [name, pluginId]), [
    ["DS_PROMETHEUS", "prometheus"],
  ]);
  assert.deepEqual(dashboard.templating.list.map(({ name }: { name: string }) => name), ["job", "backend"]);
  const panels: Panel[] = dashboard.panels;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length, "ids are unique");
  const used = new Set<string>();
  for (const { type, title, targets = [], fieldConfig, datasource, gridPos } of panels) {
    assert.ok(gridPos.x >= 0 && gridPos.x + gridPos.w <= 24, title);
    if (type === "row") continue;
    assert.ok(fieldConfig?.defaults.unit, `${title} has a unit`);
    assert.equal(datasource?.uid, "${DS_PROMETHEUS}", title);
    assert.ok(targets.length > 0, title);
    for (const { expr, datasource } of targets) {
      assert.equal(datasource.uid, "${DS_PROMETHEUS}", title);
      assertKnown(expr, catalogue);
      for (const metric of parsePromql(expr.replaceAll("$__rate_interval", "5m")).metrics) used.add(metric);
    }
  }
  assertApart(panels);
  const spare = new Set(["process_cpu_seconds_total", "process_virtual_memory_bytes"]);
  for (const [name, { type }] of catalogue) {
    if (spare.has(name)) continue;
    const names = type === "histogram" ? [`${name}_bucket`, `${name}_sum`] : [name];
    assert.ok(names.some((name) => used.has(name)), `no panel shows ${name}`);
  }
});

/** Asserts that no two panels stand on the same place. */
function assertApart(panels: readonly Panel[]): void {
  const taken = new Set<string>();
  for (const { title, gridPos: { x, y, w, h } } of panels) {
    for (let column = x; column < x + w; column++) {
      for (let line = y; line < y + h; line++) {
        assert.ok(!taken.has(`${column} ${line}`), `${title} covers another panel`);
        taken.add(`${column} ${line}`);
      }
    }
  }
}
