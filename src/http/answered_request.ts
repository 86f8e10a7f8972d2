import type { AuditAction, AuditNote } from "../audit/event.ts";
import type { Principal } from "../auth/principal.ts";
import type { Route } from "./route.ts";

/** A request whose answer has been sent or cut off. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** Path of its route in OpenAPI form; empty for static files and paths that are none. */
  readonly route: string;
  readonly status: number;
  /** Code of the error, or empty. */
  readonly code: string;
  /** `detail.result` of its audit record, or empty. */
  readonly result: string;
  /** As it is audited; `none` when it is not. */
  readonly action: AuditAction | "none";
  /** Id of the backend in the path or in the body, which may be of no backend at all; empty for none. */
  readonly backend: string;
  /** As `backend`. */
  readonly bucket: string;
  /** Who is signed in, or whose password was tried; else empty. */
  readonly userId: string;
  readonly durationMs: number;
  /** Size of the request's body as its headers tell it; 0 where they do not. */
  readonly bytesIn: number;
  /** Size of the answer's body, where its headers tell it. */
  readonly bytes: number | undefined;
  /** Whether the answer goes on for as long as the client listens. */
  readonly isEventStream: boolean;
}

/** What the pipeline knows of a request by the time it has been answered. */
export interface AnsweredExchange {
  readonly request: Request;
  readonly requestId: string;
  readonly route: Route | null;
  readonly params: Readonly<Record<string, string>>;
  readonly principal: Principal | null;
  readonly audit: AuditNote;
}

/** Describes a request that was answered with `response` after `durationMs`. */
export function describeAnswered(
  { request, requestId, route, params, principal, audit }: AnsweredExchange,
  { status, headers }: Response,
  durationMs: number,
): AnsweredRequest {
  return {
    requestId,
    method: request.method,
    route: route?.path ?? "",
    status,
    code: textOf(audit.detail.code),
    result: textOf(audit.detail.result),
    action: auditedAction(route, audit),
    backend: audit.backend ?? params.bid ?? "",
    bucket: audit.bucket ?? params.bucket ?? "",
    userId: principal?.user.id ?? audit.userId ?? "",
    durationMs,
    bytesIn: announcedLength(request.headers) ?? 0,
    bytes: request.method === "HEAD" ? 0 : announcedLength(headers),
    isEventStream: headers.get("content-type") === "text/event-stream",
  };
}

/** The action under which a request is audited. */
export function auditedAction(route: Route | null, audit: AuditNote): AuditAction | "none" {
  return audit.action ?? route?.audit ?? "none";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function announcedLength(headers: Headers): number | undefined {
  const length = headers.get("content-length");
  return length === null ? undefined : Number(length);
}
