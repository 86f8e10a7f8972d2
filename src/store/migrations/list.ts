import { initial } from "./0001_initial.ts";
import { virtualCredentials } from "./0002_virtual_credentials.ts";
import { quotas } from "./0003_quotas.ts";
import { proxyCors } from "./0004_proxy_cors.ts";
import { jobs } from "./0005_jobs.ts";
import { pins } from "./0006_pins.ts";
import { multipartUploads } from "./0007_multipart_uploads.ts";
import { ownUploads } from "./0008_own_uploads.ts";
import { shares } from "./0009_shares.ts";
import { oidc } from "./0010_oidc.ts";
import { auditIndexes } from "./0011_audit_indexes.ts";
import { vouchedEmails } from "./0012_vouched_emails.ts";
import { credentialUses } from "./0013_credential_uses.ts";
import { shareKinds } from "./0014_share_kinds.ts";
import { pinnedPlaces } from "./0015_pinned_places.ts";
import { shareBounds } from "./0016_share_bounds.ts";
import { jobFailureDetails } from "./0017_job_failure_details.ts";
import type { Migration } from "./migration.ts";

/** Every migration, in order: the schema version is the number of them that have run. */
export const migrations: readonly Migration[] = [
  initial,
  virtualCredentials,
  quotas,
  proxyCors,
  jobs,
  pins,
  multipartUploads,
  ownUploads,
  shares,
  oidc,
  auditIndexes,
  vouchedEmails,
  credentialUses,
  shareKinds,
  pinnedPlaces,
  shareBounds,
  jobFailureDetails,
];
