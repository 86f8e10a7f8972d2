import { z } from "zod";
import { withListsInOrder } from "../../../static/lib/settings/policy_order.js";
import { foreignAnswerProblem } from "../../backends/upstream_error.ts";
import { Problem } from "../../problem.ts";
import { byteLength } from "../rule_list.ts";
import type { DocumentKind } from "./documents.ts";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketPolicy.html */
export const policyDocument: DocumentKind = {
  name: "policy",
  contentType: "application/json",
  missing: "NoSuchBucketPolicy",
  invalid: "invalid_policy",
  canonical: canonicalPolicy,
};

/** Largest policy, in bytes of UTF-8, as at S3. */
const maxPolicyBytes = 20 * 1024;

const texts = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: "must be a text or a list of texts",
});
const principal = z.union([
  z.literal("*"),
  z.partialRecord(z.enum(["AWS", "Service", "Federated", "CanonicalUser"]), texts)
    .refine((value) => Object.keys(value).length > 0),
], { error: 'must be "*" or an object such as {"AWS": "*"}' });

const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(["Allow", "Deny"]),
  Principal: principal.optional(),
  NotPrincipal: principal.optional(),
  Action: texts.optional(),
  NotAction: texts.optional(),
  Resource: texts.optional(),
  NotResource: texts.optional(),
  Condition: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

const policySchema = z.strictObject({
  Version: z.enum(["2012-10-17", "2008-10-17"]).optional(),
  Id: z.string().optional(),
  Statement: z.array(statement).min(1),
});

type Statement = z.output<typeof statement>;

/** What matters of a statement that was not checked here. */
const storedStatement = z.object({
  Effect: z.unknown(),
  Principal: z.unknown(),
  NotPrincipal: z.unknown(),
  Condition: z.unknown(),
}).partial();

const storedPolicy = z.object({ Statement: z.array(storedStatement) });

/** Elements of which a statement has exactly one. */
const alternatives = [["Principal", "NotPrincipal"], ["Action", "NotAction"], [
  "Resource",
  "NotResource",
]] as const;

/** A policy that was checked. */
export interface Policy {
  /** As it was sent. */
  readonly text: string;
  readonly statements: number;
  /** Whether a statement allows something to everyone, be it under conditions. */
  readonly allowsEveryone: boolean;
}

/**
 * Checks the policy that a client sent for a bucket, as JSON text or as an object, by S3's rules
 * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-policy-language-overview.html): its size, its shape, and
 * that every resource is the bucket or in it. Which actions and conditions there are, the backend knows. Throws 400
 * `invalid_policy`, which names the field.
 */
export function parsePolicy(value: unknown, bucket: string): Policy {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (byteLength(text) > maxPolicyBytes) {
    throw invalidPolicy(`A policy must not be larger than ${maxPolicyBytes} bytes.`);
  }
  if (!text.isWellFormed()) throw invalidPolicy("A policy must be valid Unicode.");
  const statements = parseStatements(parseJson(text));
  for (const [place, one] of statements.entries()) checkStatement(one, place, bucket);
  return { text, statements: statements.length, allowsEveryone: statements.some(allowsEveryone) };
}

/** The stored policy as text; empty for none. Throws 502 `backend_error` for what is no JSON. */
export function readPolicy(text: string): string {
  if (text === "") return text;
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw foreignAnswerProblem(200);
  }
}

function canonicalPolicy(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, withListsInOrder));
  } catch {
    return text;
  }
}

/** What a policy allows to everyone: something, something under conditions, or nothing. */
export type PublicAccess = "public" | "conditional" | "private";

/** What a stored policy allows to everyone. What is no policy by the rules of {@link parsePolicy} is read as far as it goes. */
export function publicAccess(text: string): PublicAccess {
  const open = storedStatements(text).filter(allowsEveryone);
  if (open.length === 0) return "private";
  return open.every(({ Condition: condition }) => demands(condition)) ? "conditional" : "public";
}

/** Whether a condition demands anything: one without operators, or whose operators have no keys, always holds. */
function demands(condition: unknown): boolean {
  if (typeof condition !== "object") return condition !== undefined;
  return Object.values(condition ?? {}).some((keys) => Object.keys(keys ?? {}).length > 0);
}

function storedStatements(text: string): z.output<typeof storedStatement>[] {
  try {
    return storedPolicy.parse(withStatementList(JSON.parse(text))).Statement;
  } catch {
    return [];
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidPolicy("The policy is not valid JSON. To have none, delete it.");
  }
}

function parseStatements(document: unknown): Statement[] {
  const result = policySchema.safeParse(withStatementList(document));
  if (result.success) return result.data.Statement;
  const [{ path, message }] = result.error.issues;
  throw path.length === 0 ? invalidPolicy(`The policy is wrong: ${message}`) : invalidField(path, message);
}

/** A policy may have its only statement without a list around it. */
function withStatementList(document: unknown): unknown {
  if (typeof document !== "object" || document === null || !("Statement" in document)) return document;
  const { Statement: only } = document;
  const isSingle = typeof only === "object" && only !== null && !Array.isArray(only);
  return isSingle ? { ...document, Statement: [only] } : document;
}

function checkStatement(one: Statement, place: number, bucket: string): void {
  const path = ["Statement", place];
  for (const [name, opposite] of alternatives) {
    if ((one[name] === undefined) === (one[opposite] === undefined)) {
      throw invalidField(path, `needs either ${name} or ${opposite}`);
    }
  }
  for (const field of ["Resource", "NotResource"] as const) {
    for (const resource of listOf(one[field])) {
      if (!isWithin(resource, bucket)) {
        const example = `arn:aws:s3:::${bucket}/*`;
        throw invalidField([...path, field], `has to be this bucket or in it, such as ${example}`);
      }
    }
  }
}

/** Whether a resource is the bucket or objects in it; the second part of an ARN depends on where the servers are. */
function isWithin(resource: string, bucket: string): boolean {
  const name = /^arn:aws(?:-[a-z-]+)?:s3:::(.*)$/s.exec(resource)?.[1];
  return name !== undefined && (name === bucket || name.startsWith(`${bucket}/`));
}

function allowsEveryone(
  { Effect: effect, Principal: who, NotPrincipal: butFor }: z.output<typeof storedStatement>,
): boolean {
  if (effect !== "Allow") return false;
  if (who === "*" || butFor !== undefined) return true;
  return typeof who === "object" && Object.values(who ?? {}).flat().includes("*");
}

function listOf(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}

function invalidField(path: readonly PropertyKey[], message: string): Problem {
  const field = path.join(".");
  return new Problem(400, "invalid_policy", `${field}: ${message}`, { detail: { field } });
}

function invalidPolicy(message: string): Problem {
  return new Problem(400, "invalid_policy", message);
}
