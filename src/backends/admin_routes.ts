import { z } from "zod";
import { endpoint } from "../config/fields.ts";
import { flagField } from "../http/query_fields.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { badRequest, conflict } from "../problem.ts";
import type { Backend, BackendCredentials } from "./backend.ts";
import { stepSchema, testStepByStep } from "./connection_steps.ts";
import { type BackendReferences, referenceWords } from "./references.ts";
import type { BackendInput, RegisteredBackend } from "./registry.ts";
import type { BackendRoutesDeps } from "./routes.ts";
import { S3Connection } from "./s3_client.ts";
import { adminSchema, adminView } from "./views.ts";

/** Region that requests are signed for when none is given. */
const defaultRegion = "us-east-1";

/** Ids that would hide a route of the same path. */
const reservedIds = ["health", "test"];

const id = z.string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, {
    error: "is not 1 to 63 lower-case letters, digits and hyphens, the first a letter or digit",
  })
  .refine((text) => !reservedIds.includes(text), "is reserved");
const keyText = (max: number) =>
  z.string().max(max).regex(/^[\x21-\x7e]*$/, { error: "must be printable ASCII without spaces" });

const fields = {
  name: z.string().trim().max(100),
  type: z.literal("s3v4"),
  endpoint: endpoint.refine((text) => text !== "", "must not be empty").meta({ type: "string" }),
  region: z.string().max(64).regex(/^[A-Za-z0-9_-]*$/, { error: "is not letters, digits and hyphens" }),
  path_style: z.boolean(),
  presign: z.boolean(),
  enabled: z.boolean(),
  access_key: keyText(128),
  secret_key: keyText(256),
};

const changeSchema = z.object(fields).partial();
const createSchema = z.object({ ...fields, id }).partial().required({ id: true, endpoint: true });
const testSchema = z.object({ ...fields, id: z.string() }).partial();

const referenceSchema = z.strictObject({
  kind: z.string().meta({ description: "In the singular: `share`, `S3 credential`, `anonymous binding`" }),
  count: z.int(),
});

type Changes = z.output<typeof changeSchema>;

/** What the routes that change backends need. */
export interface BackendAdminRoutesDeps extends BackendRoutesDeps {
  readonly references: BackendReferences;
}

/** Routes by which administrators register, change, remove and test backends. */
export function backendAdminRoutes({ registry, references, clock }: BackendAdminRoutesDeps): Route[] {
  const path = "/api/admin/backends";
  return [
    defineRoute({
      method: "GET",
      path,
      guard: "admin",
      summary: "List every backend with its definition",
      audit: "none",
      answers: { 200: z.strictObject({ backends: z.array(adminSchema) }) },
      handler: () => Response.json({ backends: registry.list().map(adminView) }),
    }),
    defineRoute({
      method: "POST",
      path,
      guard: "admin",
      summary: "Register a backend",
      audit: "backend.create",
      body: createSchema,
      answers: { 201: adminSchema },
      errors: [409],
      handler: ({ body, audit }) => {
        audit.backend = body.id;
        const backend = registry.create(body.id, inputOf(body));
        return Response.json(adminView(backend), { status: 201 });
      },
    }),
    defineRoute({
      method: "GET",
      path: `${path}/{bid}`,
      guard: "admin",
      summary: "Get a backend with its definition, and what would be removed with it",
      audit: "none",
      answers: { 200: adminSchema.extend({ references: z.array(referenceSchema) }) },
      handler: ({ params }) =>
        Response.json({
          ...adminView(registry.describe(params.bid)),
          references: references.describe(params.bid),
        }),
    }),
    defineRoute({
      method: "PATCH",
      path: `${path}/{bid}`,
      guard: "admin",
      summary: "Change a backend; fields that are left out stay as they are",
      audit: "backend.update",
      body: changeSchema,
      answers: { 200: adminSchema },
      errors: [409],
      handler: ({ params, body, audit }) => {
        audit.backend = params.bid;
        audit.detail.fields = Object.keys(body);
        const changes = changesOf(body, registry.describe(params.bid));
        return Response.json(adminView(registry.update(params.bid, changes)));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/{bid}`,
      guard: "admin",
      summary: "Remove a backend, with `force` also what points at it; its buckets are left as they are",
      audit: "backend.delete",
      query: z.object({ force: flagField.optional() }),
      answers: { 204: null },
      errors: [409],
      handler: ({ params, query, audit }) => {
        audit.backend = params.bid;
        const { source } = registry.describe(params.bid);
        const found = source === "ui" ? references.describe(params.bid).map(referenceWords) : [];
        if (found.length > 0 && !query.force) {
          const message = `${found.join(" and ")} would go with this backend: repeat with force=true.`;
          throw conflict(message, "conflict", { references: found });
        }
        registry.delete(params.bid);
        references.remove(params.bid);
        if (found.length > 0) audit.detail.removed = found;
        return new Response(null, { status: 204 });
      },
    }),
    defineRoute({
      method: "POST",
      path: `${path}/test`,
      guard: "admin",
      summary: "Test a backend definition, or a registered backend with changes",
      audit: "backend.test",
      body: testSchema,
      answers: {
        200: z.strictObject({
          ok: z.boolean(),
          latency_ms: z.number(),
          buckets: z.array(z.string()).optional(),
          error: z.string().optional(),
          steps: z.array(stepSchema),
        }),
      },
      handler: async ({ body: { id, ...body }, audit }) => {
        audit.backend = id;
        const registered = registry.list().find((backend) => backend.id === id);
        const backend = testedBackend(body, registered);
        const connection = new S3Connection(backend, clock);
        try {
          const { healthy, latencyMs, buckets, error, steps } = await testStepByStep(connection, clock);
          if (!healthy) audit.status = "error";
          return Response.json({ ok: healthy, latency_ms: latencyMs, buckets, error, steps });
        } finally {
          connection.close();
        }
      },
    }),
  ];
}

function inputOf(body: Changes & { id?: string; endpoint: string }): BackendInput {
  return {
    name: body.name || body.id || "",
    endpoint: body.endpoint,
    region: body.region || defaultRegion,
    pathStyle: body.path_style ?? false,
    presign: body.presign ?? false,
    enabled: body.enabled ?? true,
    credentials: credentialsOf(body, undefined),
  };
}

function changesOf(body: Changes, current: RegisteredBackend): Partial<BackendInput> {
  const changes = {
    name: body.name === "" ? current.id : body.name,
    endpoint: body.endpoint,
    region: body.region === "" ? defaultRegion : body.region,
    pathStyle: body.path_style,
    presign: body.presign,
    enabled: body.enabled,
  };
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (body.access_key === undefined && body.secret_key === undefined) return given;
  return { ...given, credentials: credentialsOf(body, current.credentials) };
}

/** The key pair after a change. An empty access key takes the pair away: requests are then not signed. */
function credentialsOf(
  body: Changes,
  current: BackendCredentials | undefined,
): BackendCredentials | undefined {
  const accessKey = body.access_key ?? current?.accessKey ?? "";
  const secretKey = body.secret_key || current?.secretKey || "";
  if (accessKey === "" && body.secret_key) {
    throw badRequest("access_key: is missing", { field: "access_key" });
  }
  if (accessKey === "") return undefined;
  if (secretKey === "") throw badRequest("secret_key: is missing", { field: "secret_key" });
  return { accessKey, secretKey };
}

/** The definition to test: the registered one, if there is one of this id, with the draft's fields in place of its own. */
function testedBackend(body: Changes, registered: RegisteredBackend | undefined): Backend {
  const base = { id: "draft", type: "s3v4", source: "ui" } as const;
  if (registered !== undefined) return { ...registered, ...changesOf(body, registered), ...base };
  if (body.endpoint === undefined) throw badRequest("endpoint: is missing", { field: "endpoint" });
  return { ...inputOf({ ...body, endpoint: body.endpoint }), ...base };
}
