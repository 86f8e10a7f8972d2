// @ts-check

/**
 * Features that not every S3 server has, with the names they are shown by.
 * @type {ReadonlyArray<readonly [import("../../../src/backends/capabilities.ts").CapabilityName,
 *   import("../i18n.js").MessageKey]>}
 */
export const featureNames = [
  ["versioning", "backends.feature_versioning"],
  ["cors", "backends.feature_cors"],
  ["policy", "backends.feature_policy"],
  ["lifecycle", "backends.feature_lifecycle"],
  ["tagging", "backends.feature_tagging"],
  ["multipart", "backends.feature_multipart"],
];
