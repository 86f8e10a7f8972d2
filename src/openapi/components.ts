import { z } from "zod";
import { csrfCookie, sessionCookie } from "../http/cookies.ts";
import { errorDescriptions } from "./errors.ts";
import { type JsonObject, jsonSchema } from "./schema.ts";

/** The headers of every answer. */
export const requestIdHeader = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };

const retryAfterHeader = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };

const problem = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    detail: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** Where the answer for an error of a status, or of any `Other`, is described. */
export function errorReference(status: number | "Other"): string {
  return `#/components/responses/Error${status}`;
}

/** What operations refer to: the Components Object (OpenAPI 3.1, section 4.8.7). */
export const components: JsonObject = {
  schemas: { Problem: jsonSchema(problem, "output") },
  responses: {
    ...Object.fromEntries(
      Object.entries(errorDescriptions).map((
        [status, description],
      ) => [`Error${status}`, errorResponse(description, tellsWhen(Number(status)))]),
    ),
    ErrorOther: errorResponse("Any other error.", false),
  },
  headers: {
    RequestId: {
      description: "Id of the request, which logs and the audit have too.",
      required: true,
      schema: { type: "string" },
    },
    RetryAfter: {
      description: "Seconds after which to try again.",
      schema: { type: "string", pattern: "^[0-9]+$" },
    },
  },
  securitySchemes: {
    session: { type: "apiKey", in: "cookie", name: sessionCookie, description: "Set by signing in." },
    csrf: {
      type: "apiKey",
      in: "header",
      name: "X-CSRF-Token",
      description: `The value of the cookie ${csrfCookie}, which signing in sets too.`,
    },
  },
};

/** The answer for an error of a status where browsers get a page. */
export function errorPageResponse(status: number): JsonObject {
  const { content, ...rest } = errorResponse(errorDescriptions[status], tellsWhen(status));
  return { ...rest, content: { ...content, "text/html": {} } };
}

function tellsWhen(status: number): boolean {
  return status === 429 || status === 503;
}

function errorResponse(description: string, retryAfter: boolean) {
  return {
    description,
    headers: retryAfter ? { ...requestIdHeader, ...retryAfterHeader } : requestIdHeader,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}
