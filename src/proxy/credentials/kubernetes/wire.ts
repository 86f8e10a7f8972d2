import { z } from "zod";

const texts = z.record(z.string(), z.string()).nullish().transform((value) => value ?? {});

/**
 * A Secret as the API server sends it:
 * https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/secret-v1/
 */
export const secretSchema = z.object({
  metadata: z.object({
    name: z.string().min(1),
    uid: z.string().prefault(""),
    resourceVersion: z.string().min(1),
    creationTimestamp: z.string().nullish(),
    /** Set while finalizers hold up the deletion. */
    deletionTimestamp: z.string().nullish(),
    labels: texts,
    annotations: texts,
  }),
  /** Values are base64; one without content is `null` or empty. */
  data: z.record(z.string(), z.string().nullable()).nullish().transform((value) => value ?? {}),
});

/** A Secret as the API server sends it. */
export type SecretObject = z.output<typeof secretSchema>;

/** One page of a list. */
export const secretListSchema = z.object({
  metadata: z.object({
    resourceVersion: z.string().min(1),
    continue: z.string().nullish(),
  }),
  items: z.array(secretSchema).nullish().transform((value) => value ?? []),
});

/** What the API server says when a request fails. */
export const statusSchema = z.object({
  code: z.int(),
  message: z.string().prefault(""),
});

/** A line of a watch: https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes */
export const watchLineSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["ADDED", "MODIFIED", "DELETED"]), object: secretSchema }),
  z.object({
    type: z.literal("BOOKMARK"),
    object: z.object({ metadata: z.object({ resourceVersion: z.string().min(1) }) }),
  }),
  z.object({ type: z.literal("ERROR"), object: statusSchema }),
]);

/** What a watch tells: a change of one Secret, or only how far it has come. */
export type WatchEvent = Exclude<z.output<typeof watchLineSchema>, { type: "ERROR" }>;
