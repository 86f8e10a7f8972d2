import { errorTitle, Island as ErrorIsland } from "../../static/islands/error.js";
import type { Principal } from "../auth/principal.ts";
import type { Problem } from "../problem.ts";
import { pathOf, type Shell } from "./shell.ts";

/** The request that failed. */
export interface ErrorPageRequest {
  readonly request: Request;
  readonly requestId: string;
  /** Who is signed in: they keep the navigation around the error. */
  readonly principal: Principal | null;
}

/** A problem as a page: what happened, what to do next, and the request id. */
export function errorPage(
  shell: Shell,
  problem: Problem,
  { request, requestId, principal }: ErrorPageRequest,
): Response {
  const { status, code, message, detail, headers } = problem;
  const path = pathOf(request);
  const props = {
    status,
    code,
    message,
    cause: reasonOf(detail),
    path: URL.canParse(request.url) ? path + new URL(request.url).search : "/",
    retryAfter: Number(headers?.["retry-after"]) || 0,
    requestId,
  };
  return shell.respond({ request, principal }, () => ({
    title: errorTitle(props),
    island: { name: "error", component: ErrorIsland, props },
    status,
    headers,
  }));
}

/** The part of a problem's detail that its page has words for. */
function reasonOf(detail: Problem["detail"]): string | undefined {
  return typeof detail?.reason === "string" ? detail.reason : undefined;
}
