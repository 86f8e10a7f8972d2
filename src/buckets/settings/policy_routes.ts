import { z } from "zod";
import { type BucketScope, bucketScope } from "../../backends/bucket_scope.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import { sha256Hex } from "../../sigv4/canonical.ts";
import { byteLength } from "../rule_list.ts";
import { type SettingsDocuments, settingsPath, type SettingsRoutesDeps } from "./documents.ts";
import { ifMatchHeader } from "./entity_tag.ts";
import { parsePolicy, policyDocument, readPolicy } from "./policy.ts";

const path = settingsPath("policy");

const policySchema = z.strictObject({ policy: z.string() });

/** Routes that show, set and remove the policy of a bucket. */
export function policyRoutes({ registry, documents }: SettingsRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path,
      guard: "session",
      summary: "The policy of a bucket as JSON text, empty for none",
      answers: { 200: policySchema },
      audit: "none",
      handler: async (context) => {
        const { answer, etag } = await describePolicy(documents, bucketScope(context, registry));
        return Response.json(answer, { headers: { etag } });
      },
    }),
    defineRoute({
      method: "PUT",
      path,
      guard: "user",
      summary: "Set the policy of a bucket, given as JSON text or as an object",
      answers: { 200: policySchema },
      audit: "bucket.policy.set",
      headers: ifMatchHeader,
      body: z.object({ policy: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
      handler: async (context) => {
        const scope = bucketScope(context, registry);
        const { text, statements, allowsEveryone } = parsePolicy(context.body.policy, scope.bucket);
        // Enough to tell one policy from another; the text itself may be 20 KiB.
        Object.assign(context.audit.detail, {
          bytes: byteLength(text),
          sha256: sha256Hex(text),
          statements,
          allows_everyone: allowsEveryone,
        });
        const ifMatch = context.request.headers.get("if-match");
        await documents.change(scope, policyDocument, { ifMatch, edit: () => text });
        return Response.json({ policy: text });
      },
    }),
    defineRoute({
      method: "DELETE",
      path,
      guard: "user",
      summary: "Remove the policy of a bucket",
      answers: { 204: null },
      audit: "bucket.policy.delete",
      headers: ifMatchHeader,
      handler: async (context) => {
        const ifMatch = context.request.headers.get("if-match");
        await documents.change(bucketScope(context, registry), policyDocument, { ifMatch, edit: () => "" });
        return new Response(null, { status: 204 });
      },
    }),
  ];
}

/**
 * The policy of a bucket as the API answers it, with its entity tag. Throws what the backend's refusal is translated to.
 */
export async function describePolicy(documents: SettingsDocuments, scope: BucketScope) {
  const { text, tag } = await documents.read(scope, policyDocument);
  return { answer: { policy: readPolicy(text) }, etag: tag };
}
