import type { BucketScope } from "../../backends/bucket_scope.ts";
import type { BackendRegistry } from "../../backends/registry.ts";
import { requireKey } from "../../backends/names.ts";
import { downloadObject } from "../../objects/download.ts";
import type { Disposition } from "../../objects/object_headers.ts";
import { badRequest } from "../../problem.ts";
import type { Share } from "../share.ts";
import { keyBelow, scopeOf, type SelectedKeys } from "./folder.ts";
import { orCancel, type ShareContext, type ShareGate } from "./gate.ts";
import { fromStorage, nothingThere } from "./neutral_problem.ts";
import type { SharePasses } from "./passes.ts";
import type { SelectedObjects } from "./selected_objects.ts";

/** Which content of a share is asked for, and how. */
export interface ContentQuery {
  /** The file in a shared folder or selection, relative to it. */
  readonly path?: string;
  /** `attachment` for a share that is shown inline; never the other way round. */
  readonly disposition?: Disposition;
}

/** What {@link answerContent} works with. */
export interface ContentDeps {
  readonly registry: BackendRegistry;
  readonly keysOf: SelectedKeys;
  readonly selected: SelectedObjects;
  readonly gate: ShareGate;
  readonly passes: SharePasses;
}

/**
 * Answers a GET or HEAD for the content of a share: 200, 206, 304. Throws what keeps the recipient from it, 404 `not_found`,
 * 412 `precondition_failed`, 416 `bad_range`, 502 and 504.
 *
 * An answer with content counts as a download before its first byte is sent, whether or not the client stays to the end. It
 * sets a cookie for ten minutes, and what the same browser asks for by `Range` until then goes on with that download as long
 * as the object is the same: it does not count again, spends nothing of the limit by address, and is served although the cap
 * has been reached since. That holds for every range, also for one that begins at 0. Players ask for the first bytes, then for
 * all, then for the index at the end; download managers ask for many ranges at once: each would be cut off in the middle, and
 * whoever wanted more than one copy could ask for all but the first byte just as well. Without the cookie a range counts as
 * any other request, since the cap would mean nothing otherwise; and a request without a range always counts. Neither HEAD
 * nor 304 nor an error counts.
 */
export async function answerContent(
  { registry, keysOf, selected, gate, passes }: ContentDeps,
  context: ShareContext,
  { path = "", disposition }: ContentQuery,
): Promise<Response> {
  const { request, client } = context;
  const found = gate.find(context);
  if (path !== "") context.audit.detail.path = path.slice(0, 1024);
  const earlier = found !== null && request.method === "GET" && request.headers.has("range")
    ? passes.countedDownload(found, path, request.headers)
    : null;
  if (earlier === null) gate.limit(client, "access");
  const share = gate.requireOpen(found, request.headers, { evenExhausted: earlier !== null });
  const key = contentKey(share, path, keysOf);
  const scope = scopeOf(share, registry);
  const answer = await openContent(share, key, disposition, scope, request).catch((error) => {
    selected.forget(scope, key);
    throw error;
  });
  if (request.method !== "GET" || !answer.ok) return answer;

  const etag = answer.headers.get("etag") ?? "";
  if (answer.status === 206 && earlier?.isOf(etag)) return answer;
  await orCancel(answer, () => {
    if (earlier !== null) gate.limit(client, "access");
    gate.countDownload(context, share);
  });
  answer.headers.append("set-cookie", passes.download(share, path, etag, client.secure));
  return answer;
}

async function openContent(
  share: Share,
  key: string,
  disposition: Disposition | undefined,
  scope: BucketScope,
  request: Request,
): Promise<Response> {
  const answer = await fromStorage(() => {
    requireKey(key);
    return downloadObject(scope, {
      key,
      versionId: share.versionId ?? undefined,
      disposition: share.disposition === "attachment" ? "attachment" : disposition ?? "inline",
    }, request);
  });
  answer.headers.delete("x-amz-version-id");
  answer.headers.set("cache-control", "private, no-store, no-transform");
  return answer;
}

function contentKey(share: Share, path: string, keysOf: SelectedKeys): string {
  switch (share.kind) {
    case "object":
      if (path !== "") throw nothingThere();
      return share.key;
    case "folder":
    case "selection":
      if (path === "") throw badRequest("path: is missing", { field: "path" });
      return keyBelow(share, path, keysOf);
    case "upload":
      throw nothingThere();
  }
}
