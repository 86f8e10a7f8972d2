/**
 * Measures the S3 endpoint against its upstream driven directly, in the same run: a closed loop over keep-alive
 * connections with requests signed beforehand, one case after the other. Prints a table in Markdown; a figure that
 * misses its target is bold.
 *
 *     deno run --allow-all bench/s3_endpoint.ts [--upstream=minio] [--cases=get-1kib,put-1kib] [--seconds=1]
 *         [--rounds=5] [--concurrency=16] [--json=FILE] [--noise]
 *
 * `--noise` drives the upstream in place of the endpoint too: how far the ratios are from 1 then is what the machine's
 * noise does to them.
 */
import { parseArgs } from "node:util";
import type { UpstreamKind } from "../tests/support/upstreams.ts";
import { type BenchCase, benchCases } from "./cases.ts";
import { peakResidentBytes } from "./process_stats.ts";
import { type CaseResult, formatReport, type RunResult } from "./report.ts";
import { runLoad } from "./run_load.ts";
import { type Stage, withStage } from "./stage.ts";

const { values } = parseArgs({
  options: {
    upstream: { type: "string", default: "minio" },
    cases: { type: "string", default: benchCases.map(({ name }) => name).join() },
    seconds: { type: "string", default: "1" },
    rounds: { type: "string", default: "5" },
    concurrency: { type: "string", default: "16" },
    json: { type: "string" },
    noise: { type: "boolean", default: false },
  },
});

/** The cases whose latency is measured with one request at a time, too. */
const aloneCases = ["get-1kib", "put-1kib"];

function findCase(name: string): BenchCase {
  const benchCase = benchCases.find((candidate) => candidate.name === name);
  if (benchCase === undefined) throw new Error(`--cases: there is no case ${name}`);
  return benchCase;
}

async function measure(stage: Stage, name: string, concurrency: number): Promise<CaseResult> {
  const benchCase = findCase(name);
  const { direct, endpoint, programPid, upstreamPid } = stage;
  console.error(`${name}, concurrency ${concurrency}`);
  const results = await runLoad({
    name,
    sides: benchCase.endpointOnly ? [endpoint] : [direct, endpoint],
    upstream: direct,
    concurrency,
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    programPid,
    upstreamPid,
  });
  const { title, targets } = benchCase;
  return {
    benchCase: { name, title, targets },
    direct: results.find(({ side }) => side === "direct"),
    endpoint: results.find(({ side }) => side === "endpoint") ?? results[0],
  };
}

const options = { upstream: values.upstream as UpstreamKind, withoutProgram: values.noise };
const result = await withStage(options, async (stage): Promise<RunResult> => {
  const names = values.cases.split(",").filter((name) =>
    !values.noise || findCase(name).endpointOnly === undefined
  );
  const cases: CaseResult[] = [];
  for (const name of names) cases.push(await measure(stage, name, Number(values.concurrency)));
  const alone: CaseResult[] = [];
  for (const name of aloneCases) if (names.includes(name)) alone.push(await measure(stage, name, 1));
  return { cases, alone, peakResident: peakResidentBytes(stage.programPid) };
});
if (values.json !== undefined) await Deno.writeTextFile(values.json, JSON.stringify(result, undefined, 2));
console.log(formatReport(result));
