/**
 * Drives one case in a process of its own, so that its work does not count as the program's. Reads a {@link LoadPlan} as
 * JSON from standard input and writes a {@link SideResult} for each side as JSON.
 */
import { benchCases } from "./cases.ts";
import { Connection } from "./connection.ts";
import { machineMicroseconds, processorMicroseconds, residentBytes } from "./process_stats.ts";
import { RequestFactory, type Side } from "./signed_exchange.ts";
import { sendChecked, type Workload } from "./workload.ts";

/** What is driven, and how long. */
export interface LoadPlan {
  /** Name of the case. */
  readonly name: string;
  /** Driven in turn, so that what else the machine does meets all of them. */
  readonly sides: readonly Side[];
  /** The upstream itself, where what was written is read back. */
  readonly upstream: Side;
  readonly concurrency: number;
  readonly rounds: number;
  /** Length of a round; steps under way at its end are finished and count. */
  readonly seconds: number;
  /** Process ids of the program under test and of the upstream. */
  readonly programPid: number;
  readonly upstreamPid: number;
}

/** What one side did in all rounds together, unless told. */
export interface SideResult {
  readonly side: Side["name"];
  readonly steps: number;
  /** Steps a second of each round. */
  readonly rates: readonly number[];
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time for a step, in microseconds. */
  readonly processor: { readonly program: number; readonly upstream: number; readonly load: number };
  /** Share of the machine's processor time that other processes took. */
  readonly disturbance: number;
  /** The largest resident set of the program at the end of a round, in bytes. */
  readonly resident: number;
  /** How many steps failed, and the messages of the first few. */
  readonly failures: number;
  readonly messages: readonly string[];
}

const warmUpSeconds = 0.5;
const keptMessages = 3;
const readBackObjects = 32;

/** One side of a case and what it has done so far. */
class DrivenSide {
  readonly #plan: LoadPlan;
  readonly #side: Side;
  readonly #workload: Workload;
  #nextIndex = 0;
  #rates: number[] = [];
  #latencies: number[] = [];
  #processor = { program: 0, upstream: 0, load: 0, others: 0 };
  #capacity = 0;
  #resident = 0;
  #failures = 0;
  #messages: string[] = [];

  constructor(plan: LoadPlan, side: Side, workload: Workload) {
    this.#plan = plan;
    this.#side = side;
    this.#workload = workload;
  }

  /** Compares the content of answers. */
  async check(): Promise<void> {
    using connection = await this.#connect();
    try {
      this.#nextIndex = await this.#workload.check(connection);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Drives the side for one round, after `warmUp` seconds that do not count. */
  async round(warmUp: number): Promise<void> {
    const { concurrency, seconds } = this.#plan;
    const connections = await Promise.all(Array.from({ length: concurrency }, () => this.#connect()));
    await this.#drive(connections, warmUp);
    const before = this.#readProcessorTimes();
    const start = performance.now();
    const latencies = await this.#drive(connections, seconds);
    const elapsedSeconds = (performance.now() - start) / 1000;
    const after = this.#readProcessorTimes();
    const program = after.program - before.program;
    const upstream = after.upstream - before.upstream;
    const load = after.load - before.load;
    this.#processor.program += program;
    this.#processor.upstream += upstream;
    this.#processor.load += load;
    this.#processor.others += after.machine - before.machine - program - upstream - load;
    this.#capacity += elapsedSeconds * 1e6 * navigator.hardwareConcurrency;
    this.#resident = Math.max(this.#resident, residentBytes(this.#plan.programPid));
    this.#rates.push(latencies.length / elapsedSeconds);
    this.#latencies = this.#latencies.concat(latencies);
    for (const connection of connections) connection[Symbol.dispose]();
  }

  /** Reads objects that were written back from the upstream itself and compares them. */
  async readBack(): Promise<void> {
    const { written } = this.#workload;
    if (written === undefined) return;
    const { upstream } = this.#plan;
    const factory = new RequestFactory(upstream);
    using connection = await Connection.open(upstream.hostname, upstream.port);
    const stride = Math.max(1, Math.floor(this.#nextIndex / readBackObjects));
    for (let index = 0; index < this.#nextIndex; index += stride) {
      const { path, content } = written.call(this.#workload, index);
      const get = factory.signed({ method: "GET", path, status: 200, content }, Date.now());
      await sendChecked(connection, get).catch((error) => this.#fail(error));
    }
  }

  result(): SideResult {
    const steps = this.#latencies.length;
    const sorted = this.#latencies.toSorted((a, b) => a - b);
    const quantile = (share: number) => sorted[Math.floor((steps - 1) * share)];
    const { program, upstream, load, others } = this.#processor;
    return {
      side: this.#side.name,
      steps,
      rates: this.#rates,
      p50: quantile(0.5),
      p99: quantile(0.99),
      processor: { program: program / steps, upstream: upstream / steps, load: load / steps },
      disturbance: Math.max(0, others / this.#capacity),
      resident: this.#resident,
      failures: this.#failures,
      messages: this.#messages,
    };
  }

  /** Lets a worker on each connection do steps until time is up. Returns the milliseconds that each step took. */
  async #drive(connections: Connection[], seconds: number): Promise<number[]> {
    const latencies: number[] = [];
    const deadline = performance.now() + seconds * 1000;
    await Promise.all(connections.map(async (_, worker) => {
      for (let start = performance.now(); start < deadline;) {
        try {
          await this.#workload.step(connections[worker], this.#nextIndex++);
          if (connections[worker].isClosing) await this.#reconnect(connections, worker);
        } catch (error) {
          this.#fail(error);
          await this.#reconnect(connections, worker);
        }
        const end = performance.now();
        latencies.push(end - start);
        start = end;
      }
    }));
    return latencies;
  }

  #connect(): Promise<Connection> {
    return Connection.open(this.#side.hostname, this.#side.port);
  }

  async #reconnect(connections: Connection[], worker: number): Promise<void> {
    connections[worker][Symbol.dispose]();
    connections[worker] = await this.#connect();
  }

  #fail(error: unknown): void {
    this.#failures++;
    if (this.#messages.length < keptMessages) this.#messages.push(String(error));
  }

  #readProcessorTimes() {
    return {
      program: processorMicroseconds(this.#plan.programPid),
      upstream: processorMicroseconds(this.#plan.upstreamPid),
      load: processorMicroseconds(Deno.pid),
      machine: machineMicroseconds(),
    };
  }
}

async function runPlan(plan: LoadPlan): Promise<SideResult[]> {
  const benchCase = benchCases.find(({ name }) => name === plan.name);
  if (benchCase === undefined) throw new Error(`there is no case ${plan.name}`);
  const sides = plan.sides.map((side) => new DrivenSide(plan, side, benchCase.prepare(side, Date.now())));
  for (const side of sides) await side.check();
  for (let round = 0; round < plan.rounds; round++) {
    // Every other round goes backwards, so that a machine that grows slower or faster favours neither side.
    const order = round % 2 === 0 ? sides : sides.toReversed();
    for (const side of order) await side.round(benchCase.coldStart ? 0 : warmUpSeconds);
  }
  for (const side of sides) await side.readBack();
  return sides.map((side) => side.result());
}

if (import.meta.main) {
  const plan: LoadPlan = JSON.parse(await new Response(Deno.stdin.readable).text());
  console.log(JSON.stringify(await runPlan(plan)));
  Deno.exit(0);
}
