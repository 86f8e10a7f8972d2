import { randomBytes } from "node:crypto";
import type { Accounts } from "./accounts.ts";
import type { AuditService } from "./audit/service.ts";
import type { BackendReferences } from "./backends/references.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import type { BucketService } from "./buckets/service.ts";
import type { Config } from "./config/schema.ts";
import type { ClientAddress } from "./http/client_address.ts";
import { originOf, ownOrigin } from "./http/origin.ts";
import type { Route } from "./http/route.ts";
import type { Logger } from "./logging/logger.ts";
import type { UploadJournal } from "./objects/upload_journal.ts";
import type { SharePagesDeps } from "./pages/share_page.ts";
import type { SharesPageDeps } from "./pages/shares_page.ts";
import type { QuotaLedger } from "./quotas/ledger.ts";
import { Sealer } from "./secrets/seal.ts";
import { describeShare } from "./shares/public/description.ts";
import { listFolder } from "./shares/public/folder.ts";
import { ShareGate } from "./shares/public/gate.ts";
import { SharePasses } from "./shares/public/passes.ts";
import { publicShareRoutes } from "./shares/public/routes.ts";
import { SelectedObjects } from "./shares/public/selected_objects.ts";
import { shareReferences } from "./shares/references.ts";
import { listShares, shareRoutes } from "./shares/routes.ts";
import { ShareService } from "./shares/service.ts";
import type { Share } from "./shares/share.ts";
import { FileReceiver } from "./shares/uploads/receiving.ts";
import { sendingRoute } from "./shares/uploads/route.ts";
import type { Database } from "./store/database.ts";

/** What {@link buildSharing} works with. */
export interface SharingDeps {
  readonly config: Config;
  readonly database: Database;
  readonly registry: BackendRegistry;
  readonly buckets: BucketService;
  readonly accounts: Accounts;
  readonly audit: AuditService;
  readonly ledger: QuotaLedger;
  readonly journal: UploadJournal;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Links for strangers. */
export interface Sharing {
  readonly shares: ShareService;
  /** As `GET /api/shares` answers. Throws as it does. */
  readonly list: SharesPageDeps["listShares"];
  /** What the pages of recipients are made from. */
  readonly pages: Omit<SharePagesDeps, "files" | "clock">;
  readonly routes: readonly Route[];
  /** What shares are in the way of a backend that is to be removed. */
  readonly references: BackendReferences;
}

/** Builds shares and has them revoked with what they depend on: their bucket and their creator. */
export function buildSharing(
  { config, database, registry, buckets, accounts, audit, ledger, journal, logger, clock }: SharingDeps,
): Sharing {
  const { directory: users, hasher } = accounts;
  const { server, ratelimit } = config;
  const { max_per_user: maxPerUser, max_lifetime: maxLifetime } = config.shares;
  const shares = new ShareService({ database, registry, users, hasher, maxPerUser, maxLifetime, clock });
  // A bucket that is made anew under an old name must not be open to those who had links into the old one.
  buckets.onDelete((backendId, bucket) => {
    shares.revokeAll({ backendId, bucket });
  });
  users.addBelongings("shares", {
    count: (createdBy) => shares.countUsable({ createdBy }),
    remove: (createdBy) => {
      shares.revokeAll({ createdBy });
    },
  });
  const publicOrigin = originOf(server.public_url);
  const passes = new SharePasses(randomBytes(32), clock);
  const gate = new ShareGate({ shares, passes, requestsPerMinute: ratelimit.share_per_minute, clock });
  const sealer = new Sealer(randomBytes(32));
  const keysOf = (share: Share) => shares.keysOf(share);
  const selected = new SelectedObjects(clock);
  const receiver = new FileReceiver({ registry, shares, gate, ledger, logger, journal });
  const routeDeps = {
    shares,
    users,
    audit,
    origin: (client: ClientAddress) => ownOrigin(client, publicOrigin),
  };
  const routes = [
    ...shareRoutes(routeDeps),
    ...publicShareRoutes({ registry, keysOf, selected, hasher, gate, passes, sealer, clock }),
    sendingRoute({ gate, receiver }),
  ];
  const pages: Sharing["pages"] = {
    gate,
    describe: (share, signal) => describeShare(share, registry, signal),
    list: (share, query, signal) => listFolder(share, query, { registry, keysOf, selected, sealer, signal }),
  };
  return {
    shares,
    list: (query, viewer, client) => listShares(routeDeps, query, viewer, client),
    pages,
    routes,
    references: shareReferences(shares),
  };
}
