import assert from "node:assert/strict";
import type { Program } from "../support/program.ts";
import { parseExposition, type ScrapedMetric } from "./exposition.ts";

/** What a scrape found, by the names of the metrics. */
export type Scrape = Map<string, ScrapedMetric>;

/** Scrapes a running program as Prometheus does. */
export async function scrape(program: Program): Promise<Scrape> {
  const response = await program.client().get("/metrics");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  return parseExposition(await response.text());
}

/** The sum of a metric's samples that have these labels. */
export function sum(metrics: Scrape, name: string, labels: Record<string, string> = {}): number {
  const base = name.replace(/_(count|sum)$/, "");
  const samples = (metrics.get(name) ?? metrics.get(base))?.samples ?? [];
  return samples.filter((sample) =>
    sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  ).reduce((total, { value }) => total + value, 0);
}
