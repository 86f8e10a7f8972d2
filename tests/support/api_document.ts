import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** What the tests read of an OpenAPI document. */
interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, DocumentedAnswer>> };
}

interface Operation {
  readonly responses: Readonly<Record<string, DocumentedAnswer | { readonly $ref: string }>>;
}

interface DocumentedAnswer {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

/** The document of a program, to hold answers to. */
class ApiDocument {
  readonly #document: OpenApiDocument;
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<object, ValidateFunction>();
  readonly #paths: readonly { readonly segments: string[]; readonly operations: Record<string, Operation> }[];

  constructor(text: string) {
    this.#document = JSON.parse(text);
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
    addFormats.default(this.#ajv);
    this.#paths = Object.entries(this.#document.paths).map(([path, operations]) => ({
      segments: path.split("/"),
      operations,
    }));
  }

  /** The operation that answers a request; `undefined` for none. */
  find(method: string, pathname: string): Operation | undefined {
    const segments = pathname.split("/");
    const key = method === "HEAD" ? "get" : method.toLowerCase();
    const matches = this.#paths.filter((path) =>
      Object.hasOwn(path.operations, key) && path.segments.length === segments.length &&
      path.segments.every((part, place) =>
        isParameter(part) ? segments[place] !== "" : part === segments[place]
      )
    );
    matches.sort((a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length);
    return matches[0]?.operations[key];
  }

  /** What is said of an operation's answers of a status; `undefined` for nothing. */
  answer({ responses }: Operation, status: number): DocumentedAnswer | undefined {
    const found = responses[status];
    return found !== undefined && "$ref" in found
      ? this.#document.components.responses[found.$ref.replace("#/components/responses/", "")]
      : found as DocumentedAnswer | undefined;
  }

  /** What is said of every error. */
  get problem(): DocumentedAnswer {
    return this.#document.components.responses.ErrorOther;
  }

  /** Throws unless `value` is as `schema` says. */
  validate(schema: object, value: unknown, what: string): void {
    let validate = this.#validators.get(schema);
    if (validate === undefined) {
      // Its references are to the document's components.
      validate = this.#ajv.compile({ ...schema, components: this.#document.components });
      this.#validators.set(schema, validate);
    }
    if (validate(value)) return;
    const errors = (validate.errors ?? []).map(({ instancePath, message, params }) =>
      `${instancePath || "/"} ${message} ${JSON.stringify(params)}`
    );
    assert.fail(`${what} is not as documented:\n${errors.join("\n")}\n${JSON.stringify(value)}`);
  }
}

/** What the program at a URL was configured with; it has the document of all that were configured alike. */
const configurations = new Map<string, string>();

/** Documents by that, or by the URL; those with the same text are one, for what is compiled of it. */
const documents = new Map<string, Promise<ApiDocument>>();
const byText = new Map<string, ApiDocument>();

/** Says what a program was configured with: a document takes a tenth of a second to make, and is the same for the same. */
export function noteConfiguration(url: string, configuration: string): void {
  configurations.set(url, configuration);
}

/** Forgets a program that has ended: another one may come to listen there. */
export function forgetProgram(url: string): void {
  configurations.delete(url);
}

/**
 * Throws unless an answer is one that the OpenAPI document of the program at `url` has for the request: its status, its type
 * and, where that is JSON, its content to the last field. Returns the answer, to be read.
 */
export async function checkAnswer(
  url: string,
  method: string,
  path: string,
  answer: Response,
): Promise<Response> {
  const document = await documentOf(url);
  const { pathname } = new URL(url + path);
  const operation = document.find(method, pathname);
  const what = `${method} ${pathname}: ${answer.status}`;
  if (operation === undefined && !/^\/(api|auth)(\/|$)/.test(pathname)) return answer;
  if (operation === undefined) assert.ok(answer.status >= 400, `${what} is not documented`);
  const documented = operation === undefined ? document.problem : document.answer(operation, answer.status);
  assert.ok(documented, `${what} is not documented`);
  assert.ok(answer.headers.has("x-request-id"), `${what} has no X-Request-Id`);
  if (method === "HEAD") return answer;
  const type = answer.headers.get("content-type")?.split(";")[0] ?? null;
  const { content } = documented;
  if (content === undefined) {
    assert.equal(type, null, `${what} has no body as documented`);
    return answer;
  }
  const media = content[type ?? ""] ?? content["*/*"];
  assert.ok(media, `${what} is documented as ${Object.keys(content)}, not as ${type}`);
  if (type !== "application/json" || media.schema === undefined) return answer;
  const text = await answer.text();
  document.validate(media.schema, JSON.parse(text), what);
  return new Response(text, answer);
}

function documentOf(url: string): Promise<ApiDocument> {
  const configuration = configurations.get(url) ?? url;
  let document = documents.get(configuration);
  if (document === undefined) {
    document = load(url);
    documents.set(configuration, document);
    document.catch(() => documents.delete(configuration));
  }
  return document;
}

async function load(url: string): Promise<ApiDocument> {
  const answer = await fetch(`${url}/api/openapi.json`);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  const document = byText.get(text) ?? new ApiDocument(text);
  byText.set(text, document);
  return document;
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}
