// @ts-check

/** @typedef {{ mark: string, name: string }} Vendor */

/** Where a backend is. @typedef {{ host: string, vendor: Vendor }} Endpoint */

/** @type {ReadonlyArray<readonly [RegExp, Vendor]>} */
const vendors = [
  [/(?:^|\.)amazonaws\.com(?:\.cn)?$/, { mark: "AWS", name: "Amazon S3" }],
  [/(?:^|\.)r2\.cloudflarestorage\.com$/, { mark: "R2", name: "Cloudflare R2" }],
  [/(?:^|\.)backblazeb2\.com$/, { mark: "B2", name: "Backblaze B2" }],
  [/(?:^|\.)wasabisys\.com$/, { mark: "W", name: "Wasabi" }],
  [/(?:^|\.)digitaloceanspaces\.com$/, { mark: "DO", name: "DigitalOcean Spaces" }],
  [/(?:^|\.)storage\.googleapis\.com$/, { mark: "GCS", name: "Google Cloud Storage" }],
  [/(?:^|\.)scw\.cloud$/, { mark: "SCW", name: "Scaleway" }],
  [/(?:^|\.)your-objectstorage\.com$/, { mark: "H", name: "Hetzner" }],
  [/minio/, { mark: "M", name: "MinIO" }],
  [/garage/, { mark: "G", name: "Garage" }],
  [/seaweed/, { mark: "SW", name: "SeaweedFS" }],
  [/(?:^|[.-])(?:ceph|rgw)/, { mark: "C", name: "Ceph" }],
];

/** @type {Vendor} */
const anyVendor = { mark: "S3", name: "S3" };

/**
 * Whose service an endpoint is, as its host says it.
 *
 * @param {string | undefined} host with or without a port; `undefined` for one that the user may not know
 * @returns {Vendor}
 */
export function vendorOf(host = "") {
  const name = host.toLowerCase().replace(/:\d+$/, "");
  return vendors.find(([pattern]) => pattern.test(name))?.[1] ?? anyVendor;
}
