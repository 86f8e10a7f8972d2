import { z } from "zod";
import { type Principal, roleIncludes } from "../auth/principal.ts";
import type { UserDirectory } from "../auth/user_directory.ts";
import { integerField } from "../http/query_fields.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { forbidden, notFound } from "../problem.ts";
import { shownFailures } from "./answer.ts";
import { jobEvents } from "./events.ts";
import type { Job } from "./job.ts";
import { acceptedJobSchema, failureJson, jobJson, jobSchema, jobWithFailuresSchema } from "./json.ts";
import { neededRole } from "./rules.ts";
import type { JobService } from "./service.ts";

/** What {@link jobRoutes} needs. */
export interface JobRoutesDeps {
  readonly jobs: JobService;
  readonly users: UserDirectory;
}

const listQuery = z.object({
  scope: z.enum(["own", "all"]).default("own"),
  after: z.string().min(1).max(64).optional(),
  limit: integerField(1, 100).default(50),
});

/** Routes that list, follow, stop and retry jobs. */
export function jobRoutes({ jobs, users }: JobRoutesDeps): Route[] {
  const one = "/api/jobs/{id}";
  const withFailures = (job: Job) => ({
    ...jobJson(job),
    errors: jobs.failures(job.id, shownFailures).map(failureJson),
    failed_by_code: jobs.failedByCode(job.id),
  });
  return [
    defineRoute({
      method: "GET",
      path: "/api/jobs",
      guard: "session",
      summary: "List one's own jobs, or those of everyone, newest first",
      audit: "none",
      query: listQuery,
      answers: { 200: z.strictObject({ jobs: z.array(jobSchema), next: z.string().optional() }) },
      errors: [404],
      handler: ({ principal, query: { scope, after, limit } }) => {
        const isForAll = scope === "all";
        if (isForAll && !roleIncludes(principal.user.role, "admin")) throw forbidden();
        if (after !== undefined) visibleJob(jobs, after, principal);
        const found = jobs.list({ userId: isForAll ? undefined : principal.user.id, after, limit });
        const next = found.length < limit ? undefined : found.at(-1)?.id;
        return Response.json({ jobs: found.map(jobJson), next });
      },
    }),
    defineRoute({
      method: "GET",
      path: one,
      guard: "session",
      summary: "A job, with the first objects that it failed at",
      audit: "none",
      answers: { 200: jobWithFailuresSchema },
      handler: ({ params, principal }) => Response.json(withFailures(visibleJob(jobs, params.id, principal))),
    }),
    defineRoute({
      method: "GET",
      path: `${one}/events`,
      guard: "session",
      summary: "Follow a job by server-sent events",
      audit: "none",
      answers: { 200: { contentType: "text/event-stream" } },
      handler: ({ params: { id }, principal, request }) => {
        const job = visibleJob(jobs, id, principal);
        const headers = {
          "content-type": "text/event-stream",
          "cache-control": "no-store, no-transform",
          "x-accel-buffering": "no",
        };
        if (request.method === "HEAD") return new Response(null, { headers });
        const events = jobEvents({
          job,
          isAllowed: () => {
            const user = users.find(principal.user.id);
            return !jobs.isClosing && user !== null && user.enabled && maySee(user, job);
          },
          toJson: (job) => job.finishedAt === undefined ? jobJson(job) : withFailures(job),
          subscribe: (listener) => jobs.subscribe(id, listener),
        });
        return new Response(events, { headers });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: one,
      guard: "session",
      summary: "Stop a job after the objects under way; a second time, break these off too",
      audit: "job.stop",
      answers: { 202: acceptedJobSchema },
      errors: [409],
      handler: ({ params: { id }, principal, audit }) => {
        audit.detail.job_id = id;
        visibleJob(jobs, id, principal);
        return Response.json({ job: jobJson(jobs.stop(id)) }, { status: 202 });
      },
    }),
    defineRoute({
      method: "POST",
      path: `${one}/retry`,
      guard: "session",
      summary: "Do again what failed in a job, and go on where it has ended",
      audit: "job.retry",
      answers: { 202: acceptedJobSchema },
      errors: [409],
      handler: ({ params: { id }, principal, audit }) => {
        audit.detail.job_id = id;
        const job = visibleJob(jobs, id, principal);
        if (!roleIncludes(principal.user.role, neededRole(job.kind))) throw forbidden();
        return Response.json({ job: jobJson(jobs.retry(id)) }, { status: 202 });
      },
    }),
  ];
}

/** A job of one's own, or any for an administrator. Throws 404 `not_found` for every other. */
function visibleJob(jobs: JobService, id: string, { user }: Principal): Job {
  const job = jobs.get(id);
  if (!maySee(user, job)) throw notFound("There is no such job.");
  return job;
}

function maySee({ id, role }: Principal["user"], { userId }: Job): boolean {
  return userId === id || roleIncludes(role, "admin");
}
