/**
 * Shows where the program's time goes in one case of the benchmark, by V8's sampling profiler: self time by module and
 * by function, as shares and as microseconds of processor time for a request. Native operations of the runtime are
 * called `op_…`; `(program)` is the runtime outside JavaScript. Lines are those of the JavaScript that the runtime makes
 * of the source.
 *
 *     deno run --allow-all bench/profile.ts [--case=get-1kib] [--upstream=minio] [--seconds=5] [--top=30] [--output=FILE]
 *
 * `--output` keeps the profile in the format that browsers' developer tools open.
 */
import { parseArgs } from "node:util";
import { freePorts } from "../tests/support/ports.ts";
import { programCommand } from "../tests/support/program.ts";
import type { UpstreamKind } from "../tests/support/upstreams.ts";
import { Inspector } from "./inspector.ts";
import { runLoad } from "./run_load.ts";
import { withStage } from "./stage.ts";

/** https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  /** The node that was on top of the stack at each sample. */
  readonly samples: readonly number[];
  /** Microseconds from one sample to the next. */
  readonly timeDeltas: readonly number[];
}

type CallFrame = Profile["nodes"][number]["callFrame"];

const samplingIntervalMicroseconds = 100;
const sourceRoot = new URL("../", import.meta.url).href;

const { values } = parseArgs({
  options: {
    case: { type: "string", default: "get-1kib" },
    upstream: { type: "string", default: "minio" },
    seconds: { type: "string", default: "5" },
    top: { type: "string", default: "30" },
    output: { type: "string" },
  },
});

/** Self time in microseconds, under the name that `nameOf` gives each function; without the time that nothing ran. */
function selfTimes({ nodes, samples, timeDeltas }: Profile, nameOf: (frame: CallFrame) => string) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? "";
    if (name !== "(idle)") times.set(name, (times.get(name) ?? 0) + timeDeltas[index]);
  }
  return times;
}

function moduleName({ functionName, url }: CallFrame): string {
  if (url === "") return functionName.startsWith("(") ? functionName : "(native)";
  return url.replace(sourceRoot, "");
}

function functionLabel(frame: CallFrame): string {
  if (frame.url === "") return frame.functionName;
  return `${frame.functionName || "(anonymous)"} ${moduleName(frame)}:${frame.lineNumber + 1}`;
}

function printTimes(title: string, times: Map<string, number>, microsecondsPerRequest: number, rows: number) {
  const total = times.values().reduce((sum, time) => sum + time, 0);
  console.log(`| ${title} | % | µs |\n| --- | ---: | ---: |`);
  for (const [name, time] of [...times].toSorted(([, a], [, b]) => b - a).slice(0, rows)) {
    const share = time / total;
    console.log(`| ${name} | ${(share * 100).toFixed(1)} | ${(share * microsecondsPerRequest).toFixed(1)} |`);
  }
  console.log();
}

const [inspectorPort] = freePorts(1);
const [executable, subcommand, ...rest] = programCommand();
const command = [executable, subcommand, `--inspect=127.0.0.1:${inspectorPort}`, ...rest];
await withStage({ upstream: values.upstream as UpstreamKind, command }, async (stage) => {
  using inspector = await Inspector.attach(inspectorPort);
  await inspector.call("Profiler.enable");
  await inspector.call("Profiler.setSamplingInterval", { interval: samplingIntervalMicroseconds });
  await inspector.call("Profiler.start");
  const [result] = await runLoad({
    name: values.case,
    sides: [stage.endpoint],
    upstream: stage.direct,
    concurrency: 16,
    rounds: 1,
    seconds: Number(values.seconds),
    programPid: stage.programPid,
    upstreamPid: stage.upstreamPid,
  });
  const { profile } = await inspector.call<{ profile: Profile }>("Profiler.stop");
  if (values.output !== undefined) await Deno.writeTextFile(values.output, JSON.stringify(profile));
  const { program } = result.processor;
  console.log(`${values.case}: ${program.toFixed(0)} µs of processor time for a request while profiled\n`);
  printTimes("module", selfTimes(profile, moduleName), program, Number(values.top));
  printTimes("function", selfTimes(profile, functionLabel), program, Number(values.top));
});
