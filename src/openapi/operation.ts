import type { z } from "zod";
import type { AnswerShape, BodyShape, Guard, Route } from "../http/route.ts";
import { errorPageResponse, errorReference, requestIdHeader } from "./components.ts";
import { errorDescriptions, errorStatuses } from "./errors.ts";
import { operationId, pathParameters, tagOf } from "./names.ts";
import { type JsonObject, jsonSchema } from "./schema.ts";

/** What the document tells of a route. */
export type DescribedRoute = Omit<Route, "handler" | "audit">;

const roles: Record<Exclude<Guard, "public">, string> = {
  session: "For everyone who is signed in.",
  user: "For the roles user and admin.",
  admin: "For the role admin.",
};

const successDescriptions: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Made.",
  202: "Begun; it goes on without the client.",
  204: "Done; there is nothing to tell.",
  206: "A part, as it was asked for.",
  303: "The browser is sent elsewhere.",
  304: "What the client has is still right.",
};

const parameterDescriptions: Readonly<Record<string, string>> = {
  bid: "Id of the backend",
  bucket: "Name of the bucket",
  akid: "Access key id of the credential",
  code: "Code of the share, as its link has it",
  id: "Id, as lists show it",
  n: "Number of the part, from 1 to 10000",
};

/** The Operation Object (OpenAPI 3.1, section 4.8.10) of a route. */
export function operation(route: DescribedRoute): JsonObject {
  const { method, path, guard, summary } = route;
  const isProtected = guard !== "public";
  const parameters = [...parametersOfPath(path), ...parametersOfQuery(route.query), ...headersOf(route)];
  return {
    operationId: operationId(method, path),
    summary,
    ...(isProtected ? { description: roles[guard] } : {}),
    tags: [tagOf(path)],
    security: isProtected ? [method === "GET" ? { session: [] } : { session: [], csrf: [] }] : [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(route),
    responses: { ...failures(route), ...successes(route), default: { $ref: errorReference("Other") } },
  };
}

function parametersOfPath(path: string): JsonObject[] {
  return pathParameters(path).map((name) => ({
    name,
    in: "path",
    required: true,
    description: parameterDescriptions[name] ?? name,
    schema: { type: "string", minLength: 1 },
  }));
}

function parametersOfQuery(query: z.ZodType | undefined): JsonObject[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(query, "input") as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function headersOf({ headers = {} }: DescribedRoute): JsonObject[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  }));
}

function requestBody({ body, bodies = {}, form }: DescribedRoute): JsonObject {
  const content: Record<string, JsonObject> = {};
  if (body !== undefined) {
    content["application/json"] = { schema: jsonSchema(body, "input") };
    if (form) content["application/x-www-form-urlencoded"] = { schema: jsonSchema(body, "input") };
  }
  for (const [type, schema] of Object.entries(bodies)) {
    content[type] = {
      schema: schema === null ? { type: "string", format: "binary" } : jsonSchema(schema, "input"),
    };
  }
  if (Object.keys(content).length === 0) return {};
  // A request without a body counts as an empty object.
  return { requestBody: { required: body === undefined || !body.safeParse({}).success, content } };
}

function successes({ answers = {} }: DescribedRoute): JsonObject {
  return Object.fromEntries(
    Object.entries(answers).map(([status, shape]) => [status, {
      description: successDescriptions[Number(status)] ?? errorDescriptions[Number(status)] ?? "Done.",
      headers: requestIdHeader,
      ...contentOf(shape),
    }]),
  );
}

function contentOf(shape: AnswerShape): JsonObject {
  if (shape === null) return {};
  const shapes: readonly BodyShape[] = Array.isArray(shape) ? shape : [shape];
  const content = shapes.map((body) =>
    "contentType" in body
      ? [body.contentType, {}] as const
      : ["application/json", { schema: jsonSchema(body, "output") }] as const
  );
  return { content: Object.fromEntries(content) };
}

function failures(route: DescribedRoute): JsonObject {
  return Object.fromEntries(
    errorStatuses(route).map((status) => [
      status,
      route.errorPages ? errorPageResponse(status) : { $ref: errorReference(status) },
    ]),
  );
}
