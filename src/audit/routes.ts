import { defineRoute, type Route } from "../http/route.ts";
import { auditPageSchema } from "./event_json.ts";
import { auditHistogramSchema } from "./histogram_json.ts";
import { auditFilter, auditFilterQuery, auditHistogramQuery, auditListQuery, decodeCursor } from "./query.ts";
import type { AuditService } from "./service.ts";

/** What the routes of the audit table need. */
export interface AuditRoutesDeps {
  readonly audit: AuditService;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The audit table: a list with filters, and the same as a CSV file, named after its day in UTC. */
export function auditRoutes({ audit, clock }: AuditRoutesDeps): Route[] {
  const userIdOf = (nameOrId: string) => audit.userIdOf(nameOrId);
  return [
    defineRoute({
      method: "GET",
      path: "/api/admin/audit",
      guard: "admin",
      summary: "List audit events, newest first",
      audit: "none",
      query: auditListQuery,
      answers: { 200: auditPageSchema },
      handler({ query: { limit, cursor, ...filter } }) {
        const position = cursor === undefined ? undefined : decodeCursor(cursor);
        return Response.json(audit.list(auditFilter(filter, userIdOf), limit, position));
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/admin/audit/histogram",
      guard: "admin",
      summary: "Count matching audit events in steps of time",
      audit: "none",
      query: auditHistogramQuery,
      answers: { 200: auditHistogramSchema },
      handler: ({ query: { steps, ...filter } }) =>
        Response.json(audit.histogram(auditFilter(filter, userIdOf), steps, clock())),
    }),
    defineRoute({
      method: "GET",
      path: "/api/admin/audit.csv",
      guard: "admin",
      summary: "All matching audit events as CSV",
      audit: "none",
      query: auditFilterQuery,
      answers: { 200: { contentType: "text/csv" } },
      handler({ query }) {
        const pieces = audit.csv(auditFilter(query, userIdOf));
        const day = new Date(clock()).toISOString().slice(0, 10);
        const body = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());
        return new Response(body, {
          headers: {
            "content-type": "text/csv; charset=utf-8",
            "content-disposition": `attachment; filename="audit-${day}.csv"`,
          },
        });
      },
    }),
  ];
}
