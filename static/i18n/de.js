// @ts-check
import { account } from "./de/account.js";
import { admin } from "./de/admin.js";
import { audit } from "./de/audit.js";
import { backends } from "./de/backends.js";
import { browse } from "./de/browse.js";
import { buckets } from "./de/buckets.js";
import { common } from "./de/common.js";
import { credentials } from "./de/credentials.js";
import { details } from "./de/details.js";
import { errors } from "./de/errors.js";
import { frame } from "./de/frame.js";
import { insights } from "./de/insights.js";
import { jobs } from "./de/jobs.js";
import { overview } from "./de/overview.js";
import { palette } from "./de/palette.js";
import { places } from "./de/places.js";
import { preview } from "./de/preview.js";
import { search } from "./de/search.js";
import { settings } from "./de/settings.js";
import { shares } from "./de/shares.js";
import { sign_in } from "./de/sign_in.js";
import { traffic } from "./de/traffic.js";
import { transfers } from "./de/transfers.js";
import { upload } from "./de/upload.js";
import { users } from "./de/users.js";
import { versions } from "./de/versions.js";

/** The texts of the dashboard in German. */
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
