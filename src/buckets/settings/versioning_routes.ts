import { z } from "zod";
import { type BucketScope, bucketScope } from "../../backends/bucket_scope.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import { type SettingsDocuments, settingsPath, type SettingsRoutesDeps } from "./documents.ts";
import { editVersioning, readVersioning, type Versioning, versioningDocument } from "./versioning.ts";

const path = settingsPath("versioning");

const versioningSchema = z.strictObject({
  enabled: z.boolean(),
  status: z.enum(["enabled", "suspended", "off"]),
  mfa_delete: z.boolean().optional(),
});

/** Routes that show and set whether a bucket keeps versions. */
export function versioningRoutes({ registry, documents }: SettingsRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path,
      guard: "session",
      summary: "Whether a bucket keeps versions",
      answers: { 200: versioningSchema },
      audit: "none",
      handler: async (context) =>
        Response.json(await describeVersioning(documents, bucketScope(context, registry))),
    }),
    defineRoute({
      method: "PUT",
      path,
      guard: "user",
      summary: "Enable or suspend versioning of a bucket",
      answers: { 200: versioningSchema },
      audit: "bucket.versioning.set",
      body: z.object({ enabled: z.boolean() }),
      handler: async (context) => {
        const scope = bucketScope(context, registry);
        const { enabled } = context.body;
        context.audit.detail.enabled = enabled;
        const text = await documents.change(scope, versioningDocument, {
          ifMatch: null,
          edit: (stored) => editVersioning(stored.text, enabled),
        });
        return Response.json(versioningJson(readVersioning(text)));
      },
    }),
  ];
}

/** Whether a bucket keeps versions, as the API answers it. Throws what the backend's refusal is translated to. */
export async function describeVersioning(documents: SettingsDocuments, scope: BucketScope) {
  const { text } = await documents.read(scope, versioningDocument);
  return versioningJson(readVersioning(text));
}

function versioningJson({ status, mfaDelete }: Versioning) {
  return { enabled: status === "enabled", status, mfa_delete: mfaDelete };
}
