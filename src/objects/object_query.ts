import { z } from "zod";

/** The id of a version: `null`, as text, or what the backend has made up, which S3 calls URL-ready. */
export const versionIdField = z.string().max(1024).regex(/^[\x21-\x7e]+$/, {
  error: "is not one that a version can have",
});

/** An object or one of its versions, as a query or a body names it. */
export const objectQuery = z.object({ key: z.string(), version_id: versionIdField.optional() });
