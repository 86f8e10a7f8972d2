// @ts-check
import { html } from "../html.js";
import { awsCommand, settingCommand } from "./commands.js";
import { corsProblems } from "./cors_problems.js";
import { CorsTest } from "./cors_test_panel.js";
import { isObject, isTextList } from "./shapes.js";

/** @import { CorsValue } from "./cors_form.js" */
/** @import { CorsRule } from "./cors_rules.js" */
/** @import { SectionEditing } from "./section.js" */

/** Changing the rules that the backend keeps. @type {SectionEditing<CorsValue>} */
export const corsEditing = {
  fromJson: readRules,
  problems: (parsed) => corsProblems(parsed),
  toRequest: (json) => ({ method: "PUT", json }),
  refusals: [
    [/origin/i, "allowed_origins"],
    [/method/i, "allowed_methods"],
    [/expose/i, "expose_headers"],
    [/header/i, "allowed_headers"],
    [/max\s?age/i, "max_age_seconds"],
  ],
  commands: ({ rules }, { bucket }) => [
    rules.length === 0
      ? awsCommand("delete-bucket-cors", bucket)
      : awsCommand("put-bucket-cors", bucket, "--cors-configuration", awsCorsRules(rules)),
  ],
  Tools: ({ value: { rules } }) => html`<${CorsTest} rules=${rules} />`,
};

/** Changing the rules of our own S3 endpoint. @type {SectionEditing<CorsValue>} */
export const proxyCorsEditing = {
  ...corsEditing,
  problems: (parsed) => corsProblems(parsed, { ids: false }),
  commands: (value, place) => [settingCommand("PUT", place, "proxy-cors", value)],
};

/**
 * @param {unknown} parsed
 * @returns {CorsValue | undefined}
 */
function readRules(parsed) {
  if (!isObject(parsed) || !Array.isArray(parsed.rules)) return undefined;
  const rules = parsed.rules.map((rule) =>
    isObject(rule)
      ? { allowed_origins: [], allowed_methods: [], allowed_headers: [], expose_headers: [], ...rule }
      : null
  );
  const shown = rules.every((rule) =>
    rule !== null && isTextList(rule.allowed_origins) && isTextList(rule.allowed_methods) &&
    isTextList(rule.allowed_headers) && isTextList(rule.expose_headers)
  );
  return shown ? { rules: /** @type {CorsRule[]} */ (rules) } : undefined;
}

/**
 * CORS rules as S3 writes them in JSON.
 * @param {readonly CorsRule[]} rules
 */
function awsCorsRules(rules) {
  return {
    CORSRules: rules.map((rule) => ({
      ...(rule.id === undefined ? {} : { ID: rule.id }),
      AllowedOrigins: rule.allowed_origins,
      AllowedMethods: rule.allowed_methods,
      ...((rule.allowed_headers ?? []).length === 0 ? {} : { AllowedHeaders: rule.allowed_headers }),
      ...((rule.expose_headers ?? []).length === 0 ? {} : { ExposeHeaders: rule.expose_headers }),
      ...(rule.max_age_seconds === undefined ? {} : { MaxAgeSeconds: rule.max_age_seconds }),
    })),
  };
}
