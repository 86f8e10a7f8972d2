import type { BackendRegistry } from "../../backends/registry.ts";
import { addressKey } from "../../http/rate_limiter.ts";
import { tooMany } from "../../problem.ts";
import type { ReadAheadMemory } from "../../zip/read_ahead_memory.ts";
import { zipResponse } from "../../zip/routes.ts";
import { makeSelection } from "../../zip/selection.ts";
import type { Share } from "../share.ts";
import { type ArchivePlaces, watchedBody } from "./archive_places.ts";
import { nameOf } from "./description.ts";
import { folderBelow, scopeOf } from "./folder.ts";
import { orCancel, type ShareContext, type ShareGate } from "./gate.ts";
import { fromStorage, neutralProblem } from "./neutral_problem.ts";

/** What {@link answerArchive} works with. */
export interface ArchiveDeps {
  readonly registry: BackendRegistry;
  readonly gate: ShareGate;
  readonly memory: ReadAheadMemory;
  readonly places: ArchivePlaces;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** What a client is told to wait when too many archives are under way, in seconds. */
const retryAfter = 30;

/**
 * Answers a shared folder, or the one at `path` in it, as a zip file whose names are relative to the share. It counts as one
 * download. Throws what keeps the recipient from it, 404 `not_found` when there is nothing to send, 429 `rate_limited` when
 * too many are under way, 502 and 504.
 */
export async function answerArchive(
  deps: ArchiveDeps,
  context: ShareContext,
  path: string,
): Promise<Response> {
  const { request, audit } = context;
  const share = deps.gate.admit(context, "access");
  if (path !== "") audit.detail.path = path.slice(0, 1024);
  const prefix = folderBelow(share, path);
  if (request.method === "HEAD") return await beginArchive(deps, share, prefix, request);

  const leave = deps.places.take(addressKey(context.client.ip));
  if (leave === null) throw tooMany(retryAfter, "Too many archives are being downloaded. Try again later.");
  request.signal.addEventListener("abort", leave, { once: true });
  try {
    const { body, headers } = await beginArchive(deps, share, prefix, request);
    const answer = new Response(body && watchedBody(body, leave), { headers });
    await orCancel(answer, () => deps.gate.countDownload(context, share));
    return answer;
  } catch (error) {
    leave();
    throw error;
  }
}

async function beginArchive(
  { registry, memory, clock }: ArchiveDeps,
  share: Share,
  prefix: string,
  request: Request,
): Promise<Response> {
  const scope = scopeOf(share, registry);
  return await fromStorage(() =>
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
}
