// @ts-check

/** @typedef {import("../i18n.js").MessageKey} MessageKey */

/**
 * What the services in use need, so that nobody has to look it up. `{…}` is left for the user to fill in.
 * @typedef {{ name: string, endpoint: string, region: string, pathStyle: boolean, hint?: MessageKey }} Preset
 */

/** @type {ReadonlyArray<Preset>} */
export const presets = [
  {
    name: "Amazon S3",
    endpoint: "https://s3.{region}.amazonaws.com",
    region: "us-east-1",
    pathStyle: false,
    hint: "backends.hint_aws",
  },
  {
    name: "Cloudflare R2",
    endpoint: "https://{account}.r2.cloudflarestorage.com",
    region: "auto",
    pathStyle: true,
    hint: "backends.hint_r2",
  },
  {
    name: "Backblaze B2",
    endpoint: "https://s3.{region}.backblazeb2.com",
    region: "us-west-004",
    pathStyle: true,
    hint: "backends.hint_b2",
  },
  {
    name: "Wasabi",
    endpoint: "https://s3.{region}.wasabisys.com",
    region: "us-east-1",
    pathStyle: true,
    hint: "backends.hint_wasabi",
  },
  { name: "MinIO", endpoint: "http://localhost:9000", region: "us-east-1", pathStyle: true },
  {
    name: "Garage",
    endpoint: "http://localhost:3900",
    region: "garage",
    pathStyle: true,
    hint: "backends.hint_garage",
  },
  {
    name: "SeaweedFS",
    endpoint: "http://localhost:8333",
    region: "us-east-1",
    pathStyle: true,
    hint: "backends.hint_seaweedfs",
  },
  {
    name: "Ceph",
    endpoint: "http://localhost:7480",
    region: "default",
    pathStyle: true,
    hint: "backends.hint_ceph",
  },
];

/**
 * What the form starts with, and goes back to for a service that is not in {@link presets}.
 * @type {Preset}
 */
export const noPreset = { name: "", endpoint: "", region: "us-east-1", pathStyle: true };
