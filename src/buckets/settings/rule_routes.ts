import { z } from "zod";
import { type BucketScope, bucketScope } from "../../backends/bucket_scope.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import type { AuditAction } from "../../audit/event.ts";
import {
  corsDocument,
  editCors,
  parseWantedCors,
  readCors,
  type ShownCorsRule,
  shownCorsRule,
  wantedCorsRules,
} from "./cors.ts";
import {
  type DocumentKind,
  type SettingsDocuments,
  settingsPath,
  type SettingsRoutesDeps,
} from "./documents.ts";
import { ifMatchHeader, namesTag } from "./entity_tag.ts";
import { editLifecycle, lifecycleDocument, readLifecycle } from "./lifecycle.ts";
import {
  type LifecycleRule,
  parseWantedLifecycle,
  shownLifecycleRule,
  type WantedLifecycleRule,
  wantedLifecycleRules,
} from "./lifecycle_rules.ts";

/** A document that is a list of rules, which clients may want in another form than they are shown. */
export interface RuleDocument<Rule, Wanted = Rule> {
  readonly kind: DocumentKind;
  readonly action: AuditAction;
  /** What the rules are, for summaries. */
  readonly what: string;
  /** Schema of a rule as it is shown. */
  readonly shown: z.ZodType<Rule>;
  /** Schema of the rules as they are taken. */
  readonly wanted: z.ZodType;
  read(text: string): Rule[];
  parse(value: unknown): Wanted[];
  edit(text: string, rules: readonly Wanted[], isInformed: boolean): string;
}

/** The rules by which a backend answers web pages of other origins. */
export const corsRules: RuleDocument<ShownCorsRule> = {
  kind: corsDocument,
  action: "bucket.cors.set",
  what: "CORS rules that the backend applies to a bucket",
  shown: shownCorsRule,
  wanted: wantedCorsRules,
  read: readCors,
  parse: parseWantedCors,
  edit: editCors,
};

/** The rules by which a backend deletes and moves objects. */
export const lifecycleRules: RuleDocument<LifecycleRule, WantedLifecycleRule> = {
  kind: lifecycleDocument,
  action: "bucket.lifecycle.set",
  what: "lifecycle rules of a bucket",
  shown: shownLifecycleRule,
  wanted: wantedLifecycleRules,
  read: readLifecycle,
  parse: parseWantedLifecycle,
  edit: editLifecycle,
};

/** Rules of a bucket as the API answers them, with their entity tag. Throws what the backend's refusal is translated to. */
export async function describeRules<Rule, Wanted>(
  { kind, read }: RuleDocument<Rule, Wanted>,
  documents: SettingsDocuments,
  scope: BucketScope,
) {
  const { text, tag } = await documents.read(scope, kind);
  return { answer: { rules: read(text) }, etag: tag };
}

/** Routes that show and set the CORS and lifecycle rules of a bucket. */
export function ruleRoutes(deps: SettingsRoutesDeps): Route[] {
  return [
    ...routesOf(corsRules, deps),
    ...routesOf(lifecycleRules, deps),
  ];
}

function routesOf<Rule, Wanted>(
  document: RuleDocument<Rule, Wanted>,
  { registry, documents }: SettingsRoutesDeps,
): Route[] {
  const { kind, action, what, shown, wanted, read, parse, edit } = document;
  const path = settingsPath(kind.name);
  const answers = { 200: z.strictObject({ rules: z.array(shown) }) };
  return [
    defineRoute({
      method: "GET",
      path,
      guard: "session",
      summary: `The ${what}`,
      answers,
      audit: "none",
      handler: async (context) => {
        const { answer, etag } = await describeRules(document, documents, bucketScope(context, registry));
        return Response.json(answer, { headers: { etag } });
      },
    }),
    defineRoute({
      method: "PUT",
      path,
      guard: "user",
      summary: `Set the ${what}`,
      answers,
      audit: action,
      // What is wrong with a rule has a code of its own, which `parse` tells.
      body: z.object({ rules: z.unknown() }),
      bodies: { "application/json": z.object({ rules: wanted }) },
      headers: ifMatchHeader,
      handler: async (context) => {
        const scope = bucketScope(context, registry);
        const rules = parse(context.body.rules);
        context.audit.detail.rules = rules.length;
        const ifMatch = context.request.headers.get("if-match");
        const text = await documents.change(scope, kind, {
          ifMatch,
          edit: (stored) => edit(stored.text, rules, namesTag(ifMatch, stored.tag)),
        });
        return Response.json({ rules: read(text) });
      },
    }),
  ];
}
