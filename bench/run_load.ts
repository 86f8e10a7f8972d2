import { fileURLToPath } from "node:url";
import { startChild } from "../tests/support/child.ts";
import type { LoadPlan, SideResult } from "./load.ts";

/** Drives a case in a process of its own. */
export async function runLoad(plan: LoadPlan): Promise<SideResult[]> {
  const script = fileURLToPath(new URL("./load.ts", import.meta.url));
  const load = startChild([Deno.execPath(), "run", "--quiet", "--allow-all", script], {
    stdin: JSON.stringify(plan),
  });
  const { success } = await load.exited;
  if (!success) throw new Error(`the load for ${plan.name} failed:\n${load.stderr.join("\n")}`);
  return JSON.parse(load.stdout.join("\n"));
}
