/** A child process whose output is read line by line as it comes, so that it never blocks on a full pipe. */
export interface Child {
  readonly pid: number;
  /** Lines of standard output so far. */
  readonly stdout: readonly string[];
  /** Lines of standard error so far. */
  readonly stderr: readonly string[];
  /** Resolves when the process has ended and all of its output was read. */
  readonly exited: Promise<Deno.CommandStatus>;
  /** Whether the process has ended. */
  hasExited(): boolean;
  /** Sends a signal; does nothing once the process has ended. */
  signal(name: Deno.Signal): void;
  /** Ends the process: SIGTERM, and SIGKILL when it has not ended `graceMs` (5,000 unless told) later. */
  stop(graceMs?: number): Promise<Deno.CommandStatus>;
}

/** What {@link startChild} takes besides the command line. */
export interface ChildOptions {
  readonly cwd?: string;
  /** Added to the environment of the tests, or in place of it with `clearEnv`. */
  readonly env?: Record<string, string>;
  readonly clearEnv?: boolean;
  /** Text for standard input, which is closed after it; nothing to read unless told. */
  readonly stdin?: string;
}

/** Starts `command[0]` with the remaining arguments. */
export function startChild(command: readonly string[], options: ChildOptions = {}): Child {
  const [executable, ...args] = command;
  const process = new Deno.Command(executable, {
    args,
    cwd: options.cwd,
    env: options.env,
    clearEnv: options.clearEnv,
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stdout: string[] = [];
  const stderr: string[] = [];
  let ended = false;
  const output = Promise.all([collectLines(process.stdout, stdout), collectLines(process.stderr, stderr)]);
  const input = options.stdin === undefined ? undefined : writeText(process.stdin, options.stdin);
  const exited = (async () => {
    const status = await process.status;
    ended = true;
    await input;
    await output;
    return status;
  })();
  const signal = (name: Deno.Signal) => {
    if (ended) return;
    try {
      process.kill(name);
    } catch (error) {
      // It has ended already, which `status` will tell in a moment.
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
  };
  return {
    pid: process.pid,
    stdout,
    stderr,
    exited,
    hasExited: () => ended,
    signal,
    async stop(graceMs = 5_000) {
      signal("SIGTERM");
      const timer = setTimeout(() => signal("SIGKILL"), graceMs);
      try {
        return await exited;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Runs a command to its end and returns its exit code and output. */
export async function runChild(
  command: readonly string[],
  options: ChildOptions = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = startChild(command, options);
  const { code } = await child.exited;
  return { code, stdout: child.stdout.join("\n"), stderr: child.stderr.join("\n") };
}

async function collectLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>, lines: string[]): Promise<void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  }
  if (rest !== "") lines.push(rest);
}

async function writeText(stream: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stream.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The process ended without reading its input; its exit status says why.
  }
}
