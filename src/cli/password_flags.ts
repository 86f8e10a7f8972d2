import { maxPasswordLength } from "../auth/passwords.ts";
import { type CommandIo, type Flags, type FlagValues, UsageError } from "./command.ts";

/** The two ways to hand over a password, of which one must be used. */
export const passwordFlags = {
  password: {
    value: "PASSWORD",
    summary: "The password; other users of the machine can see it while the command runs",
  },
  "password-stdin": { summary: "Read the password from the first line of standard input" },
} as const satisfies Flags;

/** The password that {@link passwordFlags} give. Throws {@link UsageError} for none, both, or one that is no password. */
export async function readPassword(
  flags: FlagValues<typeof passwordFlags>,
  io: CommandIo,
): Promise<string> {
  const { password, "password-stdin": fromStdin } = flags;
  if (fromStdin === (password !== undefined)) {
    throw new UsageError("give the password with either --password or --password-stdin");
  }
  const text = password ?? await readFirstLine(io.stdin);
  if (text === "") throw new UsageError("the password is empty");
  if (text.length > maxPasswordLength) {
    throw new UsageError(`the password is longer than ${maxPasswordLength} characters`);
  }
  return text;
}

/** Reads up to the first line break, and stops early when no password is that long. */
async function readFirstLine(stdin: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for await (const chunk of stdin) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes("\n") || text.length > maxPasswordLength + 2) break;
    }
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError("standard input is not UTF-8 text");
    throw error;
  }
  return text.split(/\r?\n/, 1)[0];
}
