import { z } from "zod";
import { corsRuleSchema, maxCorsRules, requireCorsSize } from "../proxy_cors_rules.ts";
import { parseRules, xmlText } from "../rule_list.ts";
import { textOf, type XmlNode } from "../../xml/reader.ts";
import { elementOf, xmlDocument } from "../../xml/writer.ts";
import { type DocumentKind, parseStored } from "./documents.ts";
import { branch, leaf, mergeRules, type RuleFormat } from "./merge.ts";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketCors.html */
export const corsDocument: DocumentKind = {
  name: "cors",
  contentType: "application/xml",
  root: "CORSConfiguration",
  missing: "NoSuchCORSConfiguration",
  invalid: "invalid_cors",
};

const wantedRule = corsRuleSchema.extend({
  id: xmlText.min(1).max(255).optional(),
  unmodeled: z.array(z.string()).optional(),
});

/** Schema of the rules that the API takes. */
export const wantedCorsRules = z.array(wantedRule).max(maxCorsRules);

/** Schema of a rule as the API shows it: of what a backend has, nothing is left out for being wrong. */
export const shownCorsRule = z.strictObject({
  id: z.string().optional(),
  allowed_origins: z.array(z.string()),
  allowed_methods: z.array(z.string()),
  allowed_headers: z.array(z.string()),
  expose_headers: z.array(z.string()),
  max_age_seconds: z.number().optional(),
  unmodeled: z.array(z.string()).optional(),
});

/** A rule as the API shows it. */
export type ShownCorsRule = z.output<typeof shownCorsRule>;

const lists = [
  ["allowed_origins", "AllowedOrigin"],
  ["allowed_methods", "AllowedMethod"],
  ["allowed_headers", "AllowedHeader"],
  ["expose_headers", "ExposeHeader"],
] as const;

const modeled = new Set<string>(["ID", "MaxAgeSeconds", ...lists.map(([, element]) => element)]);

/** Checks the rules that a client sent. Throws 400 `invalid_cors`. */
export function parseWantedCors(value: unknown): ShownCorsRule[] {
  return parseRules(wantedCorsRules, value, "invalid_cors");
}

/** The rules of a stored document. */
export function readCors(text: string): ShownCorsRule[] {
  return corsNodes(text).map(read);
}

/** The document that has the rules a client wants: see {@link mergeRules}. Empty for no rules. */
export function editCors(text: string, wanted: readonly ShownCorsRule[], isInformed: boolean): string {
  const stored = corsNodes(text);
  const rules = mergeRules(stored, wanted, format, isInformed);
  if (rules.length === stored.length && rules.every((rule, place) => rule === stored[place])) return text;
  if (rules.length === 0) return "";
  const edited = xmlDocument(elementOf(branch("CORSConfiguration", rules)));
  requireCorsSize(edited);
  return edited;
}

function corsNodes(text: string): XmlNode[] {
  return text === "" ? [] : parseStored(text).children.filter(({ name }) => name === "CORSRule");
}

function read(node: XmlNode): ShownCorsRule {
  const texts = (element: string) =>
    node.children.filter(({ name }) => name === element).map(({ text }) => text);
  const maxAge = textOf(node, "MaxAgeSeconds");
  const unmodeled = node.children.map(({ name }) => name).filter((name) => !modeled.has(name));
  return {
    id: textOf(node, "ID") || undefined,
    allowed_origins: texts("AllowedOrigin"),
    allowed_methods: texts("AllowedMethod"),
    allowed_headers: texts("AllowedHeader"),
    expose_headers: texts("ExposeHeader"),
    max_age_seconds: maxAge === undefined || maxAge.trim() === "" ? undefined : Number(maxAge),
    unmodeled: unmodeled.length === 0 ? undefined : unmodeled,
  };
}

function write(rule: ShownCorsRule, kept: readonly XmlNode[] = []): XmlNode {
  const { id, max_age_seconds: maxAge } = rule;
  return branch("CORSRule", [
    ...(id === undefined ? [] : [leaf("ID", id)]),
    ...lists.flatMap(([field, element]) => rule[field].map((text) => leaf(element, text))),
    ...(maxAge === undefined ? [] : [leaf("MaxAgeSeconds", maxAge)]),
    ...kept,
  ]);
}

const format: RuleFormat<ShownCorsRule> = {
  read,
  write: (rule) => write(rule),
  merge(stored, rule) {
    if (format.describe(read(stored)) === format.describe(rule)) return stored;
    return write(rule, stored.children.filter(({ name }) => !modeled.has(name)));
  },
  describe: (rule) => JSON.stringify([...lists.map(([field]) => rule[field]), rule.max_age_seconds]),
};
