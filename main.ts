import type { CommandIo } from "./src/cli/command.ts";
import { runProgram } from "./src/cli/run_program.ts";

const encoder = new TextEncoder();

/** Writes one line, all of it at once: what is not written when the process exits is lost. */
function writeLine(stream: typeof Deno.stdout, line: string): void {
  let rest = encoder.encode(`${line}\n`);
  try {
    while (rest.length > 0) rest = rest.subarray(stream.writeSync(rest));
  } catch (error) {
    // The reader of a pipe may go away, as `head` does; that is no reason to fail.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

const io: CommandIo = {
  stdin: Deno.stdin.readable,
  stdout: (line) => writeLine(Deno.stdout, line),
  stderr: (line) => writeLine(Deno.stderr, line),
  env: Deno.env,
  cwd: Deno.cwd(),
};

Deno.exit(await runProgram(Deno.args, io));
