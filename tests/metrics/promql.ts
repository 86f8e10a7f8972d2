import assert from "node:assert/strict";
import { parser } from "@prometheus-io/lezer-promql";

/** What a PromQL expression is about. */
export interface PromqlNames {
  readonly metrics: ReadonlySet<string>;
  /** Of selectors and of `by` clauses. */
  readonly labels: ReadonlySet<string>;
}

/** Parses a PromQL expression with the grammar of Prometheus' own editor, and asserts that it is one. */
export function parsePromql(expression: string): PromqlNames {
  const metrics = new Set<string>();
  const labels = new Set<string>();
  parser.parse(expression).iterate({
    enter({ type, name, from, to }) {
      assert.ok(!type.isError, `no PromQL at ${from}: ${expression}`);
      if (name === "Identifier") metrics.add(expression.slice(from, to));
      if (name === "LabelName") labels.add(expression.slice(from, to));
    },
  });
  assert.ok(metrics.size > 0, `no metric: ${expression}`);
  return { metrics, labels };
}
