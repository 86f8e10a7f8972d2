// @ts-check

/** @typedef {import("../i18n.js").MessageKey} MessageKey */

/**
 * What a template is filled in with.
 * @typedef {{ bucket: string, prefix: string, principal: string }} TemplateValues
 */

/**
 * @typedef {object} PolicyTemplate
 * @property {string} id
 * @property {MessageKey} title
 * @property {MessageKey} about
 * @property {ReadonlyArray<"prefix" | "principal">} asks what must be given for it
 * @property {(values: TemplateValues) => Record<string, unknown>[]} statements none for a bucket without a policy
 */

/** @type {readonly PolicyTemplate[]} */
export const policyTemplates = [
  {
    id: "private",
    title: "settings.template_private",
    about: "settings.template_private_about",
    asks: [],
    statements: () => [],
  },
  {
    id: "public-read",
    title: "settings.template_public",
    about: "settings.template_public_about",
    asks: [],
    statements: ({ bucket }) => [{
      Sid: "PublicRead",
      Effect: "Allow",
      Principal: "*",
      Action: ["s3:GetObject"],
      Resource: [`arn:aws:s3:::${bucket}/*`],
    }],
  },
  {
    id: "public-prefix",
    title: "settings.template_public_prefix",
    about: "settings.template_public_prefix_about",
    asks: ["prefix"],
    statements: ({ bucket, prefix }) => [{
      Sid: "PublicReadPrefix",
      Effect: "Allow",
      Principal: "*",
      Action: ["s3:GetObject"],
      Resource: [`arn:aws:s3:::${bucket}/${prefix}*`],
    }],
  },
  {
    id: "principal-read",
    title: "settings.template_reader",
    about: "settings.template_reader_about",
    asks: ["principal", "prefix"],
    statements: ({ bucket, prefix, principal }) => [
      {
        Sid: "ReadPrefix",
        Effect: "Allow",
        Principal: { AWS: [principal] },
        Action: ["s3:GetObject"],
        Resource: [`arn:aws:s3:::${bucket}/${prefix}*`],
      },
      {
        Sid: "ListPrefix",
        Effect: "Allow",
        Principal: { AWS: [principal] },
        Action: ["s3:ListBucket"],
        Resource: [`arn:aws:s3:::${bucket}`],
        ...(prefix === "" ? {} : { Condition: { StringLike: { "s3:prefix": [`${prefix}*`] } } }),
      },
    ],
  },
  {
    id: "upload-only",
    title: "settings.template_upload",
    about: "settings.template_upload_about",
    asks: ["principal", "prefix"],
    statements: ({ bucket, prefix, principal }) => [{
      Sid: "UploadOnly",
      Effect: "Allow",
      Principal: { AWS: [principal] },
      Action: ["s3:PutObject", "s3:AbortMultipartUpload"],
      Resource: [`arn:aws:s3:::${bucket}/${prefix}*`],
    }],
  },
  {
    id: "encrypted-only",
    title: "settings.template_encrypted",
    about: "settings.template_encrypted_about",
    asks: [],
    statements: ({ bucket }) => [{
      Sid: "DenyInsecureTransport",
      Effect: "Deny",
      Principal: "*",
      Action: ["s3:*"],
      Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
      Condition: { Bool: { "aws:SecureTransport": "false" } },
    }],
  },
];

/**
 * A policy with more statements; one that stands in it under the same name is replaced.
 * @param {Record<string, unknown> | null} policy
 * @param {readonly Record<string, unknown>[]} added
 * @returns {Record<string, unknown>}
 */
export function withStatements(policy, added) {
  const present = policy?.Statement ?? [];
  const list = Array.isArray(present) ? present : [present];
  const names = new Set(added.map(({ Sid }) => Sid));
  return {
    ...(policy ?? { Version: "2012-10-17" }),
    Statement: [...list.filter((statement) => !names.has(statement?.Sid)), ...added],
  };
}
