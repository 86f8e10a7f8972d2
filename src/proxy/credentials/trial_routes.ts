import { z } from "zod";
import { defineRoute, type RequestContext, type Route } from "../../http/route.ts";
import { badRequest, notFound } from "../../problem.ts";
import type { CredentialRoutesDeps } from "./routes.ts";
import type { VirtualCredential } from "./source.ts";
import { type Trial, trialSchema, tryCredential } from "./trial.ts";

const trialBody = z.strictObject({
  bucket: z.string().optional().meta({ description: "One in its scope; the first of them when absent" }),
});

type TrialContext = RequestContext<unknown, z.output<typeof trialBody>, "session" | "admin">;

/**
 * Routes by which users try whether a credential works, from the S3 endpoint to the backend. The endpoint records the
 * request as one of the credential's owner: who has tried it is in a record of its own.
 */
export function trialRoutes(deps: CredentialRoutesDeps): Route[] {
  const { service, stored, all } = deps;
  const shape = {
    method: "POST",
    audit: "s3_credential.test",
    body: trialBody,
    answers: { 200: trialSchema },
  } as const;
  return [
    defineRoute({
      ...shape,
      path: "/api/me/s3-credentials/{akid}/test",
      guard: "session",
      summary: "Try one's own S3 credential: list an object with it through the S3 endpoint",
      handler: (context) => {
        service.get(context.params.akid, context.principal.user.id);
        return answerTrial(deps, context, stored.find(context.params.akid));
      },
    }),
    defineRoute({
      ...shape,
      path: "/api/admin/s3-credentials/{akid}/test",
      guard: "admin",
      summary: "Try an S3 credential of any source: list an object with it through the S3 endpoint",
      handler: (context) => {
        const credential = all.find(context.params.akid);
        if (credential === undefined) service.get(context.params.akid);
        return answerTrial(deps, context, credential);
      },
    }),
  ];
}

async function answerTrial(
  { ownEndpointUrl, clock }: CredentialRoutesDeps,
  { audit, body, params, request: { signal } }: TrialContext,
  credential: VirtualCredential | undefined,
): Promise<Response> {
  audit.detail.access_key_id = params.akid;
  if (credential === undefined) return answer(unusable);
  const bucket = body.bucket ?? [...credential.buckets.keys()][0];
  if (bucket === undefined) throw notFound("The credential reaches no bucket.");
  if (!credential.buckets.has(bucket)) {
    throw badRequest("bucket: the credential does not reach it", { field: "bucket" });
  }
  audit.bucket = bucket;
  audit.backend = credential.buckets.get(bucket) ?? "";
  return answer(await tryCredential(credential, { url: ownEndpointUrl, bucket, signal, clock }));

  function answer(trial: Trial): Response {
    if (!trial.ok) {
      audit.status = "error";
      audit.detail.code = trial.code;
    }
    return Response.json(trial);
  }
}

const unusable: Trial = {
  ok: false,
  bucket: "",
  status: 0,
  code: "SecretUnreadable",
  message: "The secret was sealed with another root key.",
  request_id: "",
  duration_ms: 0,
};
