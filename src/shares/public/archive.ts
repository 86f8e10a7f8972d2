import type { BackendRegistry } from "../../backends/registry.ts";
import { addressKey } from "../../http/rate_limiter.ts";
import { tooMany } from "../../problem.ts";
import type { ReadAheadMemory } from "../../zip/read_ahead_memory.ts";
import { zipResponse } from "../../zip/routes.ts";
import { makeSelection, type Selection } from "../../zip/selection.ts";
import type { Share } from "../share.ts";
import { nameOf } from "./description.ts";
import { folderBelow, scopeOf, type SelectedKeys } from "./folder.ts";
import { orCancel, type ShareContext, type ShareGate } from "./gate.ts";
import { fromStorage, neutralProblem } from "./neutral_problem.ts";
import type { Places } from "./places.ts";
import { selectionName } from "./selection.ts";
import { watchedBody } from "./watched_body.ts";

/** What {@link answerArchive} works with. */
export interface ArchiveDeps {
  readonly registry: BackendRegistry;
  readonly keysOf: SelectedKeys;
  readonly gate: ShareGate;
  readonly memory: ReadAheadMemory;
  readonly places: Places;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** What a client is told to wait when too many archives are under way, in seconds. */
const retryAfter = 30;

/**
 * Answers a shared folder or selection, or the folder at `path` in it, as a zip file whose names are relative to the share. It counts as one
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
  const wanted = await fromStorage(() => wantedOf(share, path, deps.keysOf));
  if (request.method === "HEAD") return await beginArchive(deps, share, wanted, request);

  const leave = deps.places.take(addressKey(context.client.ip));
  if (leave === null) throw tooMany(retryAfter, "Too many archives are being downloaded. Try again later.");
  request.signal.addEventListener("abort", leave, { once: true });
  try {
    const { body, headers } = await beginArchive(deps, share, wanted, request);
    const answer = new Response(body && watchedBody(body, leave), { headers });
    await orCancel(answer, () => deps.gate.countDownload(context, share));
    return answer;
  } catch (error) {
    leave();
    throw error;
  }
}

/** What an archive is to hold, and its name without an ending. */
interface WantedArchive {
  readonly selection: Selection;
  readonly name: string;
}

function wantedOf(share: Share, path: string, keysOf: SelectedKeys): WantedArchive {
  if (share.kind === "selection" && path === "") {
    const all = keysOf(share);
    const keys = all.filter((key) => !key.endsWith("/"));
    return { selection: makeSelection(keys, all.filter((key) => key.endsWith("/"))), name: selectionName };
  }
  const prefix = folderBelow(share, path, keysOf);
  return { selection: makeSelection([], [prefix]), name: nameOf(prefix) };
}

async function beginArchive(
  { registry, memory, clock }: ArchiveDeps,
  share: Share,
  { selection, name }: WantedArchive,
  request: Request,
): Promise<Response> {
  const scope = scopeOf(share, registry);
  return await fromStorage(() =>
    zipResponse({
      scope,
      selection: { ...selection, folder: share.key },
      request,
      name,
      memory,
      now: new Date(clock()),
      redaction: { prefix: share.key, redact: neutralProblem },
    })
  );
}
