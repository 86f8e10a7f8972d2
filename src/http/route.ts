import type { z } from "zod";
import type { Principal } from "../auth/principal.ts";
import type { AuditAction, AuditNote } from "../audit/event.ts";
import type { ClientAddress } from "./client_address.ts";

/** Methods a route can be declared for. HEAD is answered by the GET route of the same path. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call a route: anyone (`public`), anyone signed in (`session`), a writer (`user`: role user or admin) or an
 * administrator (`admin`).
 */
export type Guard = "public" | "session" | "user" | "admin";

/** What a handler gets of one request. */
export interface RequestContext<Query = unknown, Body = unknown, G extends Guard = Guard> {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  readonly client: ClientAddress;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query string as the route's schema parsed it. */
  readonly query: Query;
  /** The JSON body as the route's schema parsed it; `undefined` for routes without one. */
  readonly body: Body;
  /** Who is signed in; never `null` behind a guard other than `public`. */
  readonly principal: G extends "public" ? Principal | null : Principal;
  /** What the request's audit record will say besides the facts of the request itself. */
  readonly audit: AuditNote;
}

/** A body of one type: the schema of JSON, or the type of any other. */
export type BodyShape = z.ZodType | { readonly contentType: string };

/** How a successful answer's body is described: several when the client chooses by `Accept`, `null` for no body. */
export type AnswerShape = BodyShape | readonly BodyShape[] | null;

interface RouteShape<G extends Guard> {
  readonly method: Method;
  /** Path in OpenAPI form, such as `/api/backends/{bid}`; a parameter is a whole segment. */
  readonly path: string;
  readonly guard: G;
  /** One line for the OpenAPI document. */
  readonly summary: string;
  /** The answers when all goes well, by status, for the OpenAPI document. */
  readonly answers?: Readonly<Record<number, AnswerShape>>;
  /** Statuses of errors, for the OpenAPI document, besides those that every route of its guard and its kind may answer. */
  readonly errors?: readonly number[];
  /** Request headers that the route heeds and what each says, for the OpenAPI document. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Bodies that the handler reads by itself, by media type, for the OpenAPI document: `null` for bytes as they are. One of
   * type `application/json` describes more closely what `body` lets through.
   */
  readonly bodies?: Readonly<Record<string, z.ZodType | null>>;
  /**
   * The action under which each matching request is audited, denials included; `none` for reads and for mutations the
   * specification leaves out (tags and metadata). The handler may still name one for a request that is audited.
   */
  readonly audit: AuditAction | "none";
  /** What the detail of each audit record holds unless the handler puts something else in its place. */
  readonly auditDetail?: Readonly<Record<string, unknown>>;
  /** Reachable while the user must change their password first. */
  readonly duringPasswordChange?: true;
  /** The body may also be what a browser's form sends without scripts. */
  readonly form?: true;
  /** Answers without a session get a redirect to the sign-in page in place of a JSON error. */
  readonly page?: true;
  /**
   * At the host's root alone, and not below the path of `server.public_url` too: a proxy that takes that path away can refuse
   * one address, but not all that lead to the same.
   */
  readonly atRoot?: true;
  /** Browsers come here by themselves: who accepts HTML gets errors as pages, everybody else as JSON. */
  readonly errorPages?: true;
}

/** A route as capabilities declare it; see {@link defineRoute}. */
export interface RouteDefinition<Q extends z.ZodType, B extends z.ZodType, G extends Guard>
  extends RouteShape<G> {
  readonly query?: Q;
  readonly body?: B;
  handler(context: RequestContext<z.output<Q>, z.output<B>, G>): Response | Promise<Response>;
}

/** A route as the router holds it, its schema types erased. */
export interface Route extends RouteShape<Guard> {
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  handler(context: RequestContext): Response | Promise<Response>;
}

/** Declares one route. The handler's `query`, `body` and `principal` are typed by the schemas and the guard beside it. */
export function defineRoute<
  G extends Guard,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
>(definition: RouteDefinition<Q, B, G>): Route {
  return {
    ...definition,
    // The pipeline parses with these very schemas and enforces this very guard before it calls the handler.
    handler: (context) => definition.handler(context as RequestContext<z.output<Q>, z.output<B>, G>),
  };
}
