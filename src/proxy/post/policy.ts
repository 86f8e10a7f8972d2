import { Buffer } from "node:buffer";
import { S3Error } from "../s3_error.ts";

/*
 * Policies of POST uploads: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 */

/** What a policy demands of a form's field. */
export interface FieldCondition {
  readonly kind: "eq" | "starts-with";
  /** In lower case. */
  readonly field: string;
  readonly value: string;
}

/** Sizes that a file may have, in bytes; both ends are allowed. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

/** What the owner of a key lets others upload. */
export interface PostPolicy {
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly conditions: readonly FieldCondition[];
  readonly size: SizeRange;
}

/** Largest object of one upload, in bytes: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const maxFileBytes = 5 * 1024 ** 3;

/** Fields that no condition need cover: they carry the policy, its signature and the file. */
const uncovered: ReadonlySet<string> = new Set([
  "awsaccesskeyid",
  "file",
  "policy",
  "signature",
  "x-amz-algorithm",
  "x-amz-credential",
  "x-amz-date",
  "x-amz-security-token",
  "x-amz-signature",
]);

/**
 * Parses a policy as it stands in a form, in base64.
 *
 * @throws S3Error `InvalidPolicyDocument` unless it has an `expiration` and `conditions` that are all understood
 */
export function parsePolicy(base64: string): PostPolicy {
  const document = parseDocument(base64);
  const { expiration, conditions, ...rest } = document;
  if (Object.keys(rest).length > 0) throw invalidPolicy("it holds more than expiration and conditions");
  if (!Array.isArray(conditions)) throw invalidPolicy("conditions must be a list");
  const fieldConditions: FieldCondition[] = [];
  let size: SizeRange = { min: 0, max: maxFileBytes };
  for (const condition of conditions) {
    const range = parseRange(condition);
    if (range === undefined) fieldConditions.push(parseCondition(condition));
    else size = { min: Math.max(size.min, range.min), max: Math.min(size.max, range.max) };
  }
  return { expiresAt: parseExpiration(expiration), conditions: fieldConditions, size };
}

/**
 * Holds a form against its policy: that has not expired, each of its conditions is met, and each field of the form is covered
 * by one.
 *
 * @param fields by their names in lower case, `key` with the file's name filled in, `bucket` that of the request
 * @param now milliseconds since the epoch
 * @throws S3Error `AccessDenied`
 */
export function requirePolicy(policy: PostPolicy, fields: ReadonlyMap<string, string>, now: number): void {
  if (policy.expiresAt <= now) throw violation("Policy expired.", "policy_expired");
  for (const condition of policy.conditions) {
    if (!isMet(condition, fields.get(condition.field) ?? "")) {
      throw violation(`The condition on ${condition.field} is not met.`, "policy_condition");
    }
  }
  const covered = new Set(policy.conditions.map(({ field }) => field));
  for (const field of fields.keys()) {
    if (covered.has(field) || uncovered.has(field) || field.startsWith("x-ignore-")) continue;
    throw violation(`The policy has no condition on the field ${field}.`, "policy_field");
  }
}

function parseDocument(base64: string): Record<string, unknown> {
  if (!/^[A-Za-z0-9+/_ \t\r\n-]+={0,2}[ \t\r\n]*$/.test(base64)) throw invalidPolicy("it is not in base64");
  let document: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(base64, "base64"));
    document = JSON.parse(withJsonEscapes(text));
  } catch {
    throw invalidPolicy("it is not JSON");
  }
  if (!isRecord(document)) throw invalidPolicy("it must be an object");
  return document;
}

/** S3 knows two escapes that JSON does not: the dollar sign and the vertical tab. */
function withJsonEscapes(text: string): string {
  return text.replace(/\\[^]/g, (escape) => escape === "\\$" ? "$" : escape === "\\v" ? "\\u000b" : escape);
}

function parseExpiration(value: unknown): number {
  const isTime = typeof value === "string" &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/.test(value);
  const time = isTime ? Date.parse(value) : NaN;
  if (Number.isNaN(time)) throw invalidPolicy("expiration must be a time such as 2026-11-21T10:15:00.000Z");
  return time;
}

function parseCondition(condition: unknown): FieldCondition {
  if (Array.isArray(condition)) {
    const [kind, field, value] = condition;
    const isValid = condition.length === 3 && (kind === "eq" || kind === "starts-with") &&
      typeof field === "string" && field.length > 1 && field.startsWith("$") && typeof value === "string";
    if (!isValid) {
      throw invalidPolicy('a condition in a list must be ["eq" or "starts-with", "$field", "value"]');
    }
    return { kind, field: field.slice(1).toLowerCase(), value };
  }
  const [entry, ...rest] = isRecord(condition) ? Object.entries(condition) : [];
  const value = entry?.[1];
  if (entry === undefined || rest.length > 0 || typeof value !== "string") {
    throw invalidPolicy("a condition must be a list, or an object with one field and its value");
  }
  return { kind: "eq", field: entry[0].toLowerCase(), value };
}

function parseRange(condition: unknown): SizeRange | undefined {
  if (!Array.isArray(condition) || condition[0] !== "content-length-range") return undefined;
  const [min, max] = condition.slice(1).map(parseSize);
  if (condition.length !== 3 || !(min <= max)) {
    throw invalidPolicy("content-length-range must be two numbers of bytes, the smaller one first");
  }
  return { min, max };
}

/** Some clients write numbers as text. */
function parseSize(value: unknown): number {
  const isNumber = typeof value === "number" || (typeof value === "string" && /^\d{1,15}$/.test(value));
  const size = isNumber ? Number(value) : NaN;
  return Number.isSafeInteger(size) && size >= 0 ? size : NaN;
}

function isMet({ kind, field, value }: FieldCondition, actual: string): boolean {
  if (kind === "eq") return actual === value;
  // A list of types begins with a type only if each of them does.
  return field === "content-type"
    ? actual.split(",").every((type) => type.trim().startsWith(value))
    : actual.startsWith(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalidPolicy(fault: string): S3Error {
  return new S3Error("InvalidPolicyDocument", `Invalid policy: ${fault}.`);
}

function violation(message: string, reason: string): S3Error {
  return new S3Error("AccessDenied", `Invalid according to policy: ${message}`, {
    result: "auth_failure",
    reason,
  });
}
