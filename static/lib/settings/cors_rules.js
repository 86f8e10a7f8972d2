// @ts-check

/**
 * A CORS rule as the API has it.
 * @typedef {object} CorsRule
 * @property {string} [id]
 * @property {string[]} allowed_origins
 * @property {string[]} allowed_methods
 * @property {string[]} allowed_headers
 * @property {string[]} expose_headers
 * @property {number | null} [max_age_seconds] `null` for what was typed and is no number
 * @property {string[]} [unmodeled] what the stored rule says besides, which is kept
 */

/** Methods that CORS rules know: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CORSRule.html */
export const corsMethods = ["GET", "HEAD", "PUT", "POST", "DELETE"];

/** A rule to begin with. */
export function newCorsRule() {
  return { allowed_origins: [], allowed_methods: ["GET"], allowed_headers: [], expose_headers: [] };
}

/** @typedef {"app" | "fonts" | "all"} CorsPreset */

/**
 * The rules that common uses need.
 * @type {Readonly<Record<CorsPreset, CorsRule>>}
 */
export const corsPresets = {
  app: {
    allowed_origins: ["https://app.example.com"],
    allowed_methods: ["GET", "HEAD", "PUT", "POST", "DELETE"],
    allowed_headers: ["*"],
    expose_headers: ["ETag", "x-amz-version-id"],
    max_age_seconds: 3600,
  },
  fonts: {
    allowed_origins: ["https://www.example.com"],
    allowed_methods: ["GET", "HEAD"],
    allowed_headers: [],
    expose_headers: [],
    max_age_seconds: 86400,
  },
  all: {
    allowed_origins: ["*"],
    allowed_methods: ["GET", "HEAD"],
    allowed_headers: ["*"],
    expose_headers: ["ETag", "Content-Length", "Content-Range"],
    max_age_seconds: 3600,
  },
};
