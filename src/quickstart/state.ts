import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";

const stateSchema = z.strictObject({
  access_key: z.string().min(1),
  secret_key: z.string().min(1),
  /** Key pair for programs that use the S3 endpoint, by the upstream it is for. */
  credentials: z.record(z.string(), z.strictObject({ access_key: z.string(), secret_key: z.string() }))
    .default({}),
  /** Upstreams that have been given the sample data. */
  sample_data_in: z.array(z.string()),
});

/** What quickstart remembers from start to start. */
export type QuickstartState = z.output<typeof stateSchema>;

/** The state file exists but cannot be used. */
export class StateError extends Error {
  override readonly name = "StateError";
}

/** Reads the state in `directory`, or makes it, with a random key pair for the S3 server. Throws {@link StateError}. */
export async function loadState(directory: string): Promise<QuickstartState> {
  const path = statePath(directory);
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const state = {
      access_key: randomBytes(10).toString("hex"),
      secret_key: randomBytes(30).toString("base64url"),
      credentials: {},
      sample_data_in: [],
    };
    await saveState(directory, state);
    return state;
  }
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    throw new StateError(`${path} is damaged: restore it, or start anew with another --data-dir`);
  }
}

/** Writes the state so that a start at any moment finds either the old or the new one. Only its owner can read it. */
export async function saveState(directory: string, state: QuickstartState): Promise<void> {
  const path = statePath(directory);
  const temporary = `${path}.new`;
  await Deno.writeTextFile(temporary, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await Deno.rename(temporary, path);
}

function statePath(directory: string): string {
  return join(directory, "quickstart.json");
}
