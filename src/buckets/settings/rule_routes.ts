import { z } from "zod";
import { bucketScope } from "../../backends/bucket_scope.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import type { AuditAction } from "../../audit/event.ts";
import { corsDocument, editCors, parseWantedCors, readCors, shownCorsRule, wantedCorsRules } from "./cors.ts";
import { type DocumentKind, settingsPath, type SettingsRoutesDeps } from "./documents.ts";
import { ifMatchHeader, namesTag } from "./entity_tag.ts";
import { editLifecycle, lifecycleDocument, readLifecycle } from "./lifecycle.ts";
import { parseWantedLifecycle, shownLifecycleRule, wantedLifecycleRules } from "./lifecycle_rules.ts";

/** A document that is a list of rules. */
interface RuleDocument<Rule> {
  readonly kind: DocumentKind;
  readonly action: AuditAction;
  /** What the rules are, for summaries. */
  readonly what: string;
  /** Schema of a rule as it is shown. */
  readonly shown: z.ZodType<Rule>;
  /** Schema of the rules as they are taken. */
  readonly wanted: z.ZodType;
  read(text: string): Rule[];
  parse(value: unknown): Rule[];
  edit(text: string, rules: readonly Rule[], isInformed: boolean): string;
}

/** Routes that show and set the CORS and lifecycle rules of a bucket. */
export function ruleRoutes(deps: SettingsRoutesDeps): Route[] {
  return [
    ...routesOf({
      kind: corsDocument,
      action: "bucket.cors.set",
      what: "CORS rules that the backend applies to a bucket",
      shown: shownCorsRule,
      wanted: wantedCorsRules,
      read: readCors,
      parse: parseWantedCors,
      edit: editCors,
    }, deps),
    ...routesOf({
      kind: lifecycleDocument,
      action: "bucket.lifecycle.set",
      what: "lifecycle rules of a bucket",
      shown: shownLifecycleRule,
      wanted: wantedLifecycleRules,
      read: readLifecycle,
      parse: parseWantedLifecycle,
      edit: editLifecycle,
    }, deps),
  ];
}

function routesOf<Rule>(document: RuleDocument<Rule>, { registry, documents }: SettingsRoutesDeps): Route[] {
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
        const { text, tag } = await documents.read(bucketScope(context, registry), kind);
        return Response.json({ rules: read(text) }, { headers: { etag: tag } });
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
