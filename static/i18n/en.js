// @ts-check
import { account } from "./en/account.js";
import { admin } from "./en/admin.js";
import { audit } from "./en/audit.js";
import { backends } from "./en/backends.js";
import { browse } from "./en/browse.js";
import { buckets } from "./en/buckets.js";
import { common } from "./en/common.js";
import { credentials } from "./en/credentials.js";
import { details } from "./en/details.js";
import { errors } from "./en/errors.js";
import { frame } from "./en/frame.js";
import { insights } from "./en/insights.js";
import { jobs } from "./en/jobs.js";
import { overview } from "./en/overview.js";
import { palette } from "./en/palette.js";
import { places } from "./en/places.js";
import { preview } from "./en/preview.js";
import { search } from "./en/search.js";
import { settings } from "./en/settings.js";
import { shares } from "./en/shares.js";
import { sign_in } from "./en/sign_in.js";
import { traffic } from "./en/traffic.js";
import { transfers } from "./en/transfers.js";
import { upload } from "./en/upload.js";
import { users } from "./en/users.js";
import { versions } from "./en/versions.js";

/** The texts of the dashboard in English, one part a capability. */
export const messages = {
  ...account,
  ...admin,
  ...audit,
  ...backends,
  ...browse,
  ...buckets,
  ...common,
  ...credentials,
  ...details,
  ...errors,
  ...frame,
  ...insights,
  ...jobs,
  ...overview,
  ...palette,
  ...places,
  ...preview,
  ...search,
  ...settings,
  ...shares,
  ...sign_in,
  ...traffic,
  ...transfers,
  ...upload,
  ...users,
  ...versions,
};
