import type { BackendRegistry } from "../../backends/registry.ts";
import type { ReadAheadMemory } from "../../zip/read_ahead_memory.ts";
import { zipResponse } from "../../zip/routes.ts";
import { makeSelection } from "../../zip/selection.ts";
import { nameOf } from "./description.ts";
import { folderBelow, scopeOf } from "./folder.ts";
import { orCancel, type ShareContext, type ShareGate } from "./gate.ts";
import { fromStorage, neutralProblem } from "./neutral_problem.ts";

/** What {@link answerArchive} works with. */
export interface ArchiveDeps {
  readonly registry: BackendRegistry;
  readonly gate: ShareGate;
  readonly memory: ReadAheadMemory;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/**
 * Answers a shared folder, or the one at `path` in it, as a zip file whose names are relative to the share. It counts as one
 * download. Throws what keeps the recipient from it, 404 `not_found` when there is nothing to send, 502 and 504.
 */
export async function answerArchive(
  { registry, gate, memory, clock }: ArchiveDeps,
  context: ShareContext,
  path: string,
): Promise<Response> {
  const { request, audit } = context;
  const share = gate.admit(context, "access");
  if (path !== "") audit.detail.path = path.slice(0, 1024);
  const prefix = folderBelow(share, path);
  const scope = await scopeOf(share, registry);
  const answer = await fromStorage(() =>
    zipResponse({
      scope,
      selection: { ...makeSelection([], [prefix]), folder: share.key },
      request,
      name: nameOf(prefix),
      memory,
      now: new Date(clock()),
      redaction: { prefix: share.key, redact: neutralProblem },
    })
  );
  if (request.method === "GET") await orCancel(answer, () => gate.countDownload(context, share));
  return answer;
}
